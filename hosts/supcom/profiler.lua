-- profiler.lua - a profiler in pure Lua that measures the cost of every call stack in a game. It is
-- part of Toll; see docs/supcom.md.
--
-- For Supreme Commander: Forged Alliance (Lua 5.0): append this file to lua/simInit.lua. CTRL-O
-- starts it, and CTRL-P stops it and writes each stack as a line `prof: ` to the game's log. In
-- other programs with Lua 5.0 to 5.4, run this file first, then call TurnOnProfiler() and
-- TurnOffProfiler().
--
-- How it works. One hook is called for all calls and returns. Each thread has a node of a
-- calling-context tree: its stack. A node is identified by its caller's node, the line of the call,
-- and the function. Each event charges the time since the last event to the node that was running.
-- Nothing else happens while the game runs: totals, names and lines of the log are made at the end,
-- and functions to hide are left out there. An event examines at most two functions. It asks which
-- thread is running only where that may have changed: after C functions and in calls without a caller.
--
-- It is one file, so that it can be appended to a file of the game. It uses only what Lua 5.0 and
-- 5.4 have in common: no #, no %, and varargs only in functions that run only in Lua 5.0.

local pcall, pairs, setmetatable = pcall, pairs, setmetatable

-- What may be missing. In Supreme Commander it is an error to read a global variable that does not exist.
local function optional(get)
    local ok, value = pcall(get)
    return ok and value or nil
end

local is_jit = optional(function() return jit end)
if is_jit or not optional(function() return debug.sethook and debug.getinfo end) then
    error("profiler.lua: this Lua does not report all calls and returns to a hook (" ..
        (is_jit and "LuaJIT" or "it has no debug.sethook") .. "); manual.lua works in it, see docs/games.md")
end

local getinfo, getlocal, sethook = debug.getinfo, debug.getlocal, debug.sethook
local CurrentThread, running = optional(function() return CurrentThread end), coroutine.running
local coroutine_status = coroutine.status
local clock = optional(function() return GetSystemTimeSecondsOnlyForProfileUse end) or os.clock
local WaitTicks = optional(function() return WaitTicks end)
local ForkThread = optional(function() return ForkThread end)

local function log(text)
    local write = optional(function() return LOG end)
    if write then write(text) else print("info: " .. text) end
end

-- Numbers in full: a game may have a Lua that prints five digits.
local function whole(n) return string.format("%.0f", n) end
local function seconds(n) return string.format("%.14g", n) end

-- A mod may change these. `yielding`: functions in which a thread waits; no function is charged for
-- the time that passes there (functions that only call one of them need not be listed). `ignored`:
-- functions that are hidden from the profile; "callees": with all that they call. `show`: shows a line
-- of the summary to the player.
Profiler = { yielding = {}, ignored = setmetatable({}, { __mode = "k" }) }
local yielding, ignored = Profiler.yielding, Profiler.ignored
yielding[coroutine.yield] = true
for _, wait in pairs({
    WaitTicks or false,
    optional(function() return WaitFor end) or false,
    optional(function() return SuspendCurrentThread end) or false,
}) do
    if wait then yielding[wait] = true end
end
ignored[sethook] = true

-- In Supreme Commander the lines are shown for 20 seconds at the left of the screen.
function Profiler.show(text)
    local sync = optional(function() return Sync end)
    if type(sync) ~= "table" then return end
    sync.PrintText = sync.PrintText or {}
    table.insert(sync.PrintText, { text = text, size = 14, color = "ffffffff", duration = 20, location = "leftcenter" })
end

-- ---------------------------------------------------------------- the tree

-- A node: calls, self (seconds), and what identifies it: parent, line (of the call, in the parent),
-- what (the function's place in the source). name: how it was called first. Its children are
-- node[line][what], or node.unplaced[what] if the line is not known. node[func] is a child that this
-- closure was found to be: a shortcut for the next call. deep: the parent is a function, too. fast:
-- the same, and its returns can be recognised without debug.getinfo (see c_local).
--
-- A stack is a node: its callers are its parents.
local weak_keys = { __mode = "k" }
local main_root, thread_root
local c_local -- found by a test, below

local function new_node(parent, line, what, name)
    local deep = parent and parent.parent and true
    return setmetatable({
        parent = parent, line = line, what = what, name = name, calls = 0, self = 0,
        deep = deep, fast = deep and c_local and what.is_lua,
    }, weak_keys)
end

-- whats: function -> its place, a table { source, linedefined }, which all closures of a function
-- share. Each C function has one of its own; equal names are merged in the report. hidden, uncharged:
-- see `ignored` and `yielding`. asks: after its return another thread may be running.
local whats, places, hidden_places

-- Functions of this file that replace C functions.
local stand_ins = setmetatable({}, weak_keys)

local function place_of(info, all)
    local lines = all[info.source]
    if not lines then
        lines = {}
        all[info.source] = lines
    end
    local what = lines[info.linedefined]
    if not what then
        what = { source = info.source, short = info.short_src, linedefined = info.linedefined, is_lua = true }
        lines[info.linedefined] = what
    end
    return what
end

local function what_is(func)
    local info = getinfo(func, "S")
    local what
    if info.what == "C" or stand_ins[func] then
        what = { source = "=[C]", linedefined = -1 }
    else
        what = place_of(info, ignored[func] and hidden_places or places)
    end
    what.hidden = ignored[func]
    if yielding[func] then what.asks, what.uncharged = true, true end
    if func == error then what.uncharged = true end
    whats[func] = what
    return what
end

local lost_frame = { source = "=(tail call)", linedefined = -1 }

-- How the hooks of this Lua behave, found by a test (try_hooks). Lua 5.0 and 5.1 report a tail call
-- as a call; 5.0 shows at the call that the caller is gone, 5.1 only at the return. Lua 5.2 and
-- later have an event for it, and in 5.2 and 5.3 the caller is still on the stack then. When a thread is resumed, Lua 5.0 reports a call of the function that
-- continues. In a game the hook is called for all threads, elsewhere only for the thread that has
-- set it. c_local: the name that debug.getlocal gives to an argument of a C function, "" if none (Lua
-- 5.0), nil if this is not known.
local tail_calls_are_calls, tail_caller_stands, hook_sees_threads = false, false, false
local resume_is_call = not running

local function try_hooks()
    local function callee() end
    local function caller() return callee() end
    local function in_thread() end
    local yielded = false
    local waiter
    resume_is_call = false
    local function try(event)
        local func = getinfo(2, "f").func
        local below = getinfo(3, "f")
        if func == callee and below and below.func == caller then
            tail_calls_are_calls = event == "call"
            tail_caller_stands = event ~= "call"
        end
        if func == in_thread then hook_sees_threads = true end
        if func == waiter and yielded then resume_is_call = true end
        if getlocal and func == coroutine.resume then c_local = getlocal(2, 1) or "" end
    end
    waiter = function()
        in_thread()
        sethook(try, "c")
        coroutine.yield()
        sethook()
    end
    local thread = coroutine.create(waiter)
    sethook(try, "c")
    caller()
    coroutine.resume(thread)
    yielded = true
    coroutine.resume(thread)
    sethook()
end

if not pcall(try_hooks) then -- a game that hides coroutines: assume that it is Supreme Commander
    sethook()
    tail_calls_are_calls, tail_caller_stands, hook_sees_threads = false, false, true
    resume_is_call = not running
    if getlocal and not running then c_local = "" end
end

-- ---------------------------------------------------------------- threads

-- A thread's state: top (the node of its stack), fresh (its open functions are not adopted yet). The
-- variable `top` is the running thread's; its state is updated when another thread runs.
local states -- thread -> state; weak, and a state does not refer to its thread
local thread_now -- the thread that `state` belongs to
local state, top
local last -- the time of the last event
local resumed -- the last event was a return from a yielding function
local outside -- seconds that are charged to no function
local unwound, orphans, unknown -- counts: frames unwound by errors, returns and callers without a frame
local profiling = false
local paused -- a node; it is `top` while nothing is measured, and makes the hook do nothing
local duty = { on = 1, of = 1 } -- see Profiler.duty; ticks, ticks_on, unmeasured (seconds) since the start
local starts = 0 -- how often the profiler was turned on
local MAIN = {}

-- Lua 5.0 has no function that returns the running coroutine. So this is a list of the coroutines
-- that Lua code has resumed and that have not yielded or ended since, innermost first: { thread,
-- below }.
local innermost

local function resumed_thread()
    local entry = innermost
    while entry do
        local ok, status = pcall(coroutine_status, entry.thread)
        if ok and status == "running" then return entry.thread end
        entry = entry.below
    end
    return nil
end

local function current_thread()
    local inner = resumed_thread()
    if inner then return inner end
    if CurrentThread then
        local ok, thread = pcall(CurrentThread) -- raises on the main thread
        return ok and thread or MAIN
    end
    if not running then return MAIN end
    local thread, is_main = running()
    if is_main then return MAIN end
    return thread or MAIN
end

-- Charge the time since the last event to `node`; without one it counts as outside.
local function charge(now, node)
    if node then
        node.self = node.self + (now - last)
    else
        outside = outside + (now - last)
    end
    last = now
end

local function running_node()
    if top.parent and not top.what.uncharged then return top end
    return nil
end

-- If another thread is running now, make it the current one. Charge the time since the last event
-- to the thread that ran before. If that one waits or has ended, charge the new thread, unless it
-- is in a function that waits.
local function find_thread(now)
    local thread = current_thread()
    if thread == thread_now then return end
    local node = running_node()
    local other = states[thread]
    if top.parent then top.what.asks = true end
    state.top = top
    if not other then
        other = { top = thread == MAIN and main_root or thread_root, fresh = true }
        states[thread] = other
    end
    thread_now, state, top = thread, other, other.top
    charge(now, node or running_node())
end

-- ---------------------------------------------------------------- stacks

-- The child of `top` that is the function `what`, called from `line`.
local function child_of(line, what, name)
    local kids = top.unplaced
    if line >= 0 then kids = top[line] end
    if not kids then
        kids = {}
        if line >= 0 then top[line] = kids else top.unplaced = kids end
    end
    local node = kids[what]
    if not node then
        node = new_node(top, line, what, name)
        kids[what] = node
    end
    return node
end

local function pop()
    top = top.parent
    if not top.parent and thread_now ~= MAIN then states[thread_now] = nil end
end

-- Adopt the open functions of a thread that has its first event. `level` is the level of the
-- innermost one, counted from this function. Levels without a function are traces of tail calls.
local function adopt(level)
    local found, count = {}, 0
    local info = getinfo(level, "nlf")
    while info do
        count = count + 1
        found[count] = info
        level = level + 1
        info = getinfo(level, "nlf")
    end
    local line = -1
    for i = count, 1, -1 do
        info = found[i]
        local func = info.func
        local what = func and (whats[func] or what_is(func)) or tail_calls_are_calls and top.parent and lost_frame
        if what then
            top = child_of(line, what, info.name)
            line = info.currentline
        end
    end
    state.fresh = nil
end

-- The innermost frame of `what`, or nil.
local function frame_of(what)
    local node = top
    while node and node.what ~= what do node = node.parent end
    return node
end

-- An error has unwound the frames that were called from `node`.
local function unwind(node)
    while top ~= node do
        if not top.what.hidden then unwound = unwound + 1 end
        top = top.parent
    end
end

-- ---------------------------------------------------------------- events

-- Is the function that ran last still open? Its frame must be at `level`, or follow traces of tail
-- calls there. If it has called itself, this must hold for all its frames in a row.
local function still_stands(level)
    local what, row, node = top.what, 0, top
    while node.what == what do row, node = row + 1, node.parent end
    local info = getinfo(level, "f")
    while info and row > 0 do
        if info.func and whats[info.func] == what then
            row = row - 1
        elseif info.func or tail_calls_are_calls then
            break -- in Lua 5.1 such a trace belongs to a function on our stack
        end
        level = level + 1
        info = getinfo(level, "f")
    end
    return row == 0
end

-- A tail call: pop the caller's frame, which the callee replaces, and return the line from which
-- the caller was called.
local function replace_caller(now)
    if not top.parent then return -1 end
    charge(now, running_node())
    local line = top.line
    top = top.parent
    return line
end

-- Make the caller's frame the top, if it is not, and return the line of the call.
local function find_caller(now, caller)
    local what = caller and caller.func and (whats[caller.func] or what_is(caller.func))
    if what and what == top.what then return caller.currentline end
    find_thread(now)
    local was_fresh = state.fresh
    if was_fresh then adopt(6) end
    if not caller then
        unwind(thread_now == MAIN and main_root or thread_root)
        return -1
    end
    if not what then return was_fresh and -1 or replace_caller(now) end
    local node = frame_of(what)
    if node then
        if node ~= top then
            charge(now, running_node())
            unwind(node)
        end
        return caller.currentline
    end
    if not what.hidden then unknown = unknown + 1 end
    return -1
end

local function enter(now, func, what, line, name)
    charge(now, running_node())
    local node = child_of(line, what, name)
    if line >= 0 then top[func] = node end
    node.calls = node.calls + 1
    top = node
end

-- Handle a call that has no shortcut.
local function unusual_call(now, func)
    local was_resumed = resumed
    resumed = false
    if not func or top == paused then return end -- no function: should not happen, and must not stop a game with an error
    local what = whats[func] or what_is(func)
    if resume_is_call and was_resumed and what == top.what and still_stands(4) then return end
    enter(now, func, what, find_caller(now, getinfo(4, "lf")), getinfo(3, "n").name)
end

-- Handle a return that may not be from the function that ran last.
local function unusual_return(now, func)
    if top == paused then return end
    local what = whats[func] or what_is(func)
    find_thread(now)
    if state.fresh then adopt(4) end
    charge(now, running_node())
    if what ~= top.what then
        local node = frame_of(what)
        if not node then
            if not what.hidden then orphans = orphans + 1 end
            return
        end
        unwind(node)
    end
    pop()
    resumed = yielding[func]
end

-- The fast ways of a call and a return rest on this: another thread runs, or an error has unwound
-- frames, only after a C function (or none at all) was entered or has returned. So a Lua function
-- that calls or returns is the one that ran last. A caller is a Lua function if it has a line; the
-- function that returns, if it has a local variable whose name is not c_local. All else is looked at in
-- full. Time in functions that wait, and outside of any, is charged to their nodes here; the report
-- takes it out.
local function hook(event)
    local now = clock()
    if event == "call" then
        local func = getinfo(2, "f").func
        local caller = getinfo(3, "l")
        local before = top
        local node = before[func]
        if node and caller and not resumed then
            local line = caller.currentline
            if line ~= node.line then
                local kids = before[line]
                node = kids and kids[node.what]
            end
            if node then
                before.self = before.self + (now - last)
                last = now
                node.calls = node.calls + 1
                top = node
                return
            end
        end
        unusual_call(now, func)
    elseif event == "return" then
        local node = top
        local name = node.fast and getlocal(2, 1)
        if not name or name == c_local then
            local func = getinfo(2, "f").func
            local what = whats[func]
            if what ~= node.what or what.asks or not node.deep then
                unusual_return(now, func)
                return
            end
        end
        node.self = node.self + (now - last)
        last = now
        top = node.parent
    elseif event == "tail return" then -- Lua 5.0, 5.1: after the callee's own return
        if tail_calls_are_calls and top.parent and not still_stands(4) then
            charge(now, running_node())
            pop()
        end
    elseif top ~= paused then -- "tail call": Lua 5.2 and later
        local func = getinfo(2, "f").func
        find_thread(now)
        local was_fresh = state.fresh
        if was_fresh then adopt(4) end
        local line = was_fresh and not tail_caller_stands and -1 or replace_caller(now)
        enter(now, func, whats[func] or what_is(func), line, nil)
    end
end

-- ---------------------------------------------------------------- the report

local function clean(text, pattern)
    return (string.gsub(text, pattern, " "))
end

-- SOURCE,LINEDEFINED,NAME of a node. The source of a chunk that was loaded from a string is its
-- whole text, so the short form of Lua's messages is used. Characters that separate the parts of
-- the line are replaced.
local function frame_text(node)
    local what = node.what
    local source = what.source
    local first = string.sub(source, 1, 1)
    if first ~= "@" and first ~= "=" then source = "=" .. clean(what.short, ",") end
    local name = node.name and clean(node.name, "[,;%c]") or "?"
    return clean(source, "[;%c]") .. "," .. what.linedefined .. "," .. name
end

local function kids_of(node)
    local list, count = {}, 0
    for key, kids in pairs(node) do
        if type(key) == "number" or key == "unplaced" then
            for _, kid in pairs(kids) do
                count = count + 1
                list[count] = kid
            end
        end
    end
    return list, count
end

-- The node that `kid` is merged into, a new one if there is none yet. `list` has all.
local function merged(list, parent, line, kid)
    local text = frame_text(kid)
    local key = line .. ";" .. text
    local new = parent.kids[key]
    if not new then
        new = { kids = {}, text = text, what = kid.what, line = line, parent = parent, calls = 0, self = 0 }
        parent.kids[key] = new
        list.count = list.count + 1
        list[list.count] = new
    end
    new.calls = new.calls + kid.calls
    return new
end

-- Merge nodes with the same text: closures, C functions, both trees. A hidden function's time is
-- charged to its caller; time in functions that wait, and of the roots, is outside of any. Returns the
-- root of the new nodes, whose self is what is outside, and the list of all others, parents before
-- children: text, line, parent, calls, self, on_main, in_thread.
local function merge()
    local list = { count = 0 }
    local top_node = { kids = {}, is_outside = true, self = outside + main_root.self + thread_root.self }
    local from, to = { main_root, thread_root }, { top_node, top_node } -- stack of nodes whose children must be merged
    local todo = 2
    local on_main, hides = { [main_root] = true }, {}
    while todo > 0 do
        local node, new = from[todo], to[todo]
        local kids, count = kids_of(node)
        todo = todo - 1
        for i = 1, count do
            local kid, into = kids[i], new
            if hides[node] or kid.what.hidden == "callees" then
                hides[kid] = true
            elseif not kid.what.hidden then
                into = merged(list, new, node.what.hidden and -1 or kid.line, kid)
                if on_main[node] then into.on_main = true else into.in_thread = true end
            end
            into.is_outside = into.is_outside or kid.what.uncharged
            local charged = into.is_outside and top_node or into
            charged.self = charged.self + kid.self
            on_main[kid] = on_main[node]
            todo = todo + 1
            from[todo], to[todo] = kid, into
        end
    end
    return top_node, list
end

-- The whole stack, outermost frame first. Each frame has the line from which the next is called.
local function stack_text(node, top_node)
    local frames, n = {}, 0
    local line = -1
    while node ~= top_node do
        n = n + 1
        frames[n] = node.text .. "," .. line
        line = node.line
        node = node.parent
    end
    for i = 1, math.floor(n / 2) do
        frames[i], frames[n + 1 - i] = frames[n + 1 - i], frames[i]
    end
    return table.concat(frames, ";")
end

-- Compute totals, children before parents. Returns the nodes that have calls or a cost, and their
-- ancestors.
local function sum_up(nodes_of_report, count, top_node)
    local used, used_count = {}, 0
    for i = 1, count do nodes_of_report[i].total = nodes_of_report[i].self end
    top_node.total = 0 -- without its self, which is outside of any
    for i = count, 1, -1 do
        local node = nodes_of_report[i]
        local parent = node.parent
        parent.total = parent.total + node.total
        if node.used or node.calls > 0 or node.total ~= 0 then
            parent.used = true
            used_count = used_count + 1
            used[used_count] = node
        end
    end
    return used, used_count
end

-- What toll shall say with the profile: a count, and what it counts.
local function log_note(count, text)
    if count > 0 then log("prof-note: " .. whole(count) .. "," .. text) end
end

-- In a game whose numbers have 32 bits, a count ends at 2^24.
local MOST_CALLS = 16777216

local function log_uncounted(all)
    local count = 0
    for i = 1, all.count do
        if all[i].calls >= MOST_CALLS and MOST_CALLS + 1 == MOST_CALLS then count = count + 1 end
    end
    log_note(count, "stacks with more calls than this game's Lua counts (16777216)")
end

local function log_notes()
    if unwound + orphans + unknown > 0 then
        log("Profiler: functions unwound by errors: " .. whole(unwound) .. ", returns without a call: " ..
            whole(orphans) .. ", calls from a function that was not seen: " .. whole(unknown))
    end
    log_note(orphans, "returns without a call")
    log_note(unknown, "calls from a function that was not seen")
    if duty.of == 1 then return end
    local passed = math.floor(duty.unmeasured * 1000 + 0.5)
    log("Profiler: duty cycle: measured " .. whole(duty.ticks_on) .. " ticks of " .. whole(duty.ticks) .. ", not measured: " ..
        seconds(duty.unmeasured) .. "s")
    log_note(duty.ticks_on, "ticks measured: " .. duty.on .. " of each " .. duty.of)
    log_note(duty.ticks - duty.ticks_on, "ticks not measured")
    log_note(passed, "milliseconds not measured")
end

-- Self times and calls by function, the most self time first. A Lua function is its place, whatever it
-- was called.
local function sum_by_function(all)
    local functions, list, count = {}, {}, 0
    for i = 1, all.count do
        local node = all[i]
        local key = node.what.is_lua and node.what or node.text
        local f = functions[key]
        if not f then
            f = { text = node.text, self = 0, calls = 0 }
            functions[key] = f
            count = count + 1
            list[count] = f
        end
        if node.text > f.text then f.text = node.text end -- `?` is before all names
        f.self, f.calls = f.self + node.self, f.calls + node.calls
    end
    table.sort(list, function(a, b)
        if a.self ~= b.self then return a.self > b.self end
        return a.text < b.text
    end)
    return list, count
end

-- For people: ten functions, as `file.lua:12(name)`.
local function show_summary(all, total)
    local list, count = sum_by_function(all)
    local function say(text)
        log("Profiler: " .. text)
        Profiler.show(text)
    end
    say(string.format("%.3f", total) .. "s in " .. count .. " functions; most by themselves:")
    for i = 1, math.min(count, 10) do
        local f = list[i]
        if f.self <= 0 then return end
        local name = string.gsub(string.gsub(f.text, "^=%[C%],%-1,", ""), "^[@=]", "")
        name = string.gsub(string.gsub(name, "^.*[/\\]", ""), ",(%-?%d+),(.*)$", ":%1(%2)")
        name = string.gsub(name, "%(%?%)$", "")
        say(string.format("%.1f%% %.3fs %d calls %s", 100 * f.self / total, f.self, f.calls, name))
    end
end

local function print_report()
    local top_node, all = merge()
    local list, count = sum_up(all, all.count, top_node)
    local function text_of(node)
        if not node.stack then node.stack = stack_text(node, top_node) end
        return node.stack
    end
    table.sort(list, function(a, b)
        if a.total ~= b.total then return a.total < b.total end
        return text_of(a) < text_of(b) -- so that the order is the same in each run
    end)
    for i = 1, count do
        local n = list[i]
        log("prof: " .. text_of(n) .. ";" .. whole(n.calls) .. "," .. seconds(n.total) .. "," ..
            (n.on_main and "t" or "f") .. "," .. (n.in_thread and "t" or "f"))
    end
    log("Profiler: " .. seconds(top_node.total) .. "s in functions, " .. seconds(top_node.self) .. "s outside of any, " .. count .. " stacks")
    log_notes()
    log_uncounted(all)
    show_summary(all, top_node.total)
end

-- ---------------------------------------------------------------- hooks

-- The game has one hook for all threads. Lua 5.1 and later have one for each thread. So each thread
-- is noted when it is created, and its hook is set when the profiler is turned on.
local known = setmetatable({}, { __mode = "k" })

-- All but the running one, whose hook is set last: no frame may be open then that is not adopted.
local function hook_other_threads(mask)
    local mine = running()
    for thread in pairs(known) do
        if thread ~= mine and coroutine.status(thread) ~= "dead" then
            if mask then sethook(thread, hook, mask) else sethook(thread) end
        end
    end
end

local function gather_threads()
    local create, wrap = coroutine.create, coroutine.wrap
    coroutine.create = function(func)
        local thread = create(func)
        known[thread] = true
        if profiling then sethook(thread, hook, "cr") end
        return thread
    end
    -- The code is in a string, since Lua 5.0 cannot parse these varargs.
    local load_text = optional(function() return loadstring end) or load
    local starter = load_text([[
        local first, ignored = ...
        ignored[first] = true
        return function(func)
            local function start(...)
                first()
                return func(...)
            end
            ignored[start] = true
            return start
        end]])(function()
            known[running()] = true
            if profiling then sethook(hook, "cr") end
        end, ignored)
    coroutine.wrap = function(func) return wrap(starter(func)) end
    ignored[coroutine.create], ignored[coroutine.wrap], ignored[starter] = true, true, true
end

local gathers = running and not hook_sees_threads
if gathers then gather_threads() end

-- Lua 5.0: replace coroutine.resume and coroutine.wrap, so that they note in `innermost` which
-- thread runs. The profile shows them as the C functions that they replace. With up to two
-- arguments they call no function that a hook would see. An entry that remains after an error is
-- harmless, since its thread is not running.
local function follow_resumes()
    local own, resume = { create = coroutine.create }, coroutine.resume -- a field: the call has a name
    local function pack(...) return arg end
    local function resume_with(thread, arg)
        local below, results = innermost, nil
        innermost = { thread = thread, below = below }
        local n = arg.n
        if n == 0 then results = pack(resume(thread))
        elseif n == 1 then results = pack(resume(thread, arg[1]))
        elseif n == 2 then results = pack(resume(thread, arg[1], arg[2]))
        else results = pack(resume(thread, unpack(arg))) end
        innermost = below
        return results
    end
    function coroutine.resume(thread, ...)
        local r = resume_with(thread, arg)
        if r.n == 1 then return r[1] end
        if r.n == 2 then return r[1], r[2] end
        return unpack(r)
    end
    function coroutine.wrap(func)
        local thread = own.create(func)
        local function wrapped(...)
            local r = resume_with(thread, arg)
            if not r[1] then error(r[2], 2) end
            if r.n == 1 then return end
            if r.n == 2 then return r[2] end
            table.remove(r, 1)
            return unpack(r)
        end
        stand_ins[wrapped] = true
        return wrapped
    end
    stand_ins[coroutine.resume], stand_ins[coroutine.wrap] = true, true
    ignored[pack], ignored[resume_with], ignored[resume] = true, true, true
end

if not running and coroutine.resume and coroutine_status then follow_resumes() end

-- ---------------------------------------------------------------- on and off

local function begin_measuring()
    states = setmetatable({}, weak_keys)
    resumed = false
    last = clock()
    if duty.paused_at then duty.unmeasured = duty.unmeasured + (last - duty.paused_at) end
    state, thread_now, top = {}, nil, main_root
    find_thread(last)
    adopt(2)
    top = child_of(-1, what_is(sethook), "sethook") -- it returns when the hook is set
    Profiler.measuring = true
    if gathers then hook_other_threads("cr") end
    sethook(hook, "cr")
end

-- A thread whose hook cannot be taken off from here (Lua 5.1 to 5.4: the main thread, from another)
-- calls it on, for nothing.
local function end_measuring()
    sethook()
    if gathers then hook_other_threads(nil) end
    if not Profiler.measuring then return end
    charge(clock(), running_node())
    duty.paused_at = last
    top = paused
    Profiler.measuring = false
end

-- In a game, a thread calls Profiler.tick in each tick.
local function tick_in_thread()
    local mine = starts
    while profiling and starts == mine do
        Profiler.tick()
        WaitTicks(1)
    end
end

function TurnOnProfiler()
    if profiling then return end
    log("Profiler: on")
    starts = starts + 1
    paused = new_node(nil, -1, {}, "paused")
    main_root, thread_root = new_node(nil, -1, {}, "main"), new_node(nil, -1, {}, "threads")
    whats, places, hidden_places = setmetatable({}, weak_keys), {}, {}
    outside, unwound, orphans, unknown = 0, 0, 0, 0
    duty.ticks, duty.ticks_on, duty.unmeasured, duty.paused_at = 1, 1, 0, nil
    profiling = true
    if duty.of > 1 and ForkThread and WaitTicks then ForkThread(tick_in_thread) end
    begin_measuring()
end

function TurnOffProfiler()
    if not profiling then return end
    if not Profiler.measuring then duty.unmeasured = duty.unmeasured + (clock() - duty.paused_at) end
    end_measuring()
    profiling = false
    log("Profiler: off")
    print_report()
    main_root, thread_root, states, whats, places, hidden_places = nil, nil, nil, {}, nil, nil
    thread_now, state = nil, nil
end

-- Measure `on` ticks of each `of`, so that a game remains playable. What is measured is as exact as
-- without; the log says how much was not. The first tick begins when the profiler is turned on. In
-- other programs call Profiler.tick() at the end of each tick (frame, request).
function Profiler.duty(on, of)
    if type(on) ~= "number" or type(of) ~= "number" or on < 1 or of < on or on ~= math.floor(on) or of ~= math.floor(of) then
        error("Profiler.duty(on, of): two whole numbers, 1 <= on <= of, as in Profiler.duty(1, 10)", 2)
    end
    if profiling then error("Profiler.duty: the profiler is on; turn it off first", 2) end
    duty.on, duty.of = on, of
end

function Profiler.tick()
    if not profiling or duty.of == 1 then return end
    local turn = duty.ticks - math.floor(duty.ticks / duty.of) * duty.of -- of the tick that begins
    duty.ticks = duty.ticks + 1
    if turn < duty.on then
        duty.ticks_on = duty.ticks_on + 1
        if not Profiler.measuring then begin_measuring() end
    elseif Profiler.measuring then
        end_measuring()
    end
end

for _, func in pairs({ TurnOnProfiler, TurnOffProfiler, begin_measuring, end_measuring, Profiler.tick }) do
    ignored[func] = true
end
ignored[tick_in_thread] = "callees"
Profiler.start, Profiler.stop = TurnOnProfiler, TurnOffProfiler

-- Profile `duration` seconds of the game's time, from second `from` on. Needs no cheats. A schedule
-- is skipped if the profiler is already on when it begins. At its end it turns the profiler off
-- only if it was not turned off and on again in between.
function ScheduleProfiler(from, duration)
    local function wait_and_profile()
        WaitSeconds(from)
        if profiling then
            log("Profiler: the schedule from " .. from .. "s, " .. duration ..
                "s long, is skipped: the profiler is on already")
            return
        end
        TurnOnProfiler()
        local mine = starts
        WaitSeconds(duration)
        if starts == mine then TurnOffProfiler() end
    end
    ignored[wait_and_profile] = "callees"
    ForkThread(wait_and_profile)
end

-- Log how long `duration` seconds of the game's time take, without profiling them.
function ScheduleBenchmark(from, duration)
    ForkThread(function()
        WaitSeconds(from)
        local start, was_profiling, starts_before = clock(), profiling, starts
        WaitSeconds(duration)
        local took = clock() - start
        local text = "Profiler: benchmark from " .. from .. "s, " .. duration .. "s of the game "
        log(text .. "took " .. seconds(took) .. "s")
        if was_profiling or starts ~= starts_before then
            log(text .. "were profiled, at least in part: without the profiler they take less time")
        end
    end)
end

-- The keys; the game's console accepts them if cheats are on.
if optional(function() return SetupSession and SimConExecute end) then
    local base = SetupSession
    function SetupSession()
        base()
        SimConExecute("IN_BindKey CTRL-O SimLua TurnOnProfiler()")
        SimConExecute("IN_BindKey CTRL-P SimLua TurnOffProfiler()")
        log("Profiler: CTRL-O starts, CTRL-P stops (with cheats)")
    end
end

-- ScheduleProfiler(60, 60) -- from the first minute to the second, without a key
