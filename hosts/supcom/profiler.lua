-- profiler.lua - a profiler in pure Lua that measures the cost of every call stack in a game. It is
-- part of Toll; see docs/supcom.md.
--
-- For Supreme Commander: Forged Alliance (Lua 5.0): append this file to lua/simInit.lua. CTRL-O
-- starts it, and CTRL-P stops it and writes each stack as a line `prof: ` to the game's log. In
-- other programs with Lua 5.0 to 5.4, run this file first, then call TurnOnProfiler() and
-- TurnOffProfiler().
--
-- How it works. One hook is called for all calls and returns. Each thread has a stack of nodes of a
-- calling-context tree. A node is identified by its caller's node, the line of the call, and the
-- function. Each event charges the time since the last event to the node that was running. Nothing
-- else happens while the game runs: totals, names and lines of the log are made at the end. An
-- event examines at most two functions. It asks which thread is running only where that may have
-- changed: if the caller is not the function that ran last, and on returns from functions in which
-- other threads may wait.
--
-- It is one file, so that it can be appended to a file of the game. It uses only what Lua 5.0 and
-- 5.4 have in common: no #, no %, and varargs only in functions that run only in Lua 5.0.

local getinfo, sethook = debug.getinfo, debug.sethook
local CurrentThread, running = CurrentThread, coroutine.running
local coroutine_status = coroutine.status
local clock = GetSystemTimeSecondsOnlyForProfileUse or os.clock
local pcall, pairs, setmetatable = pcall, pairs, setmetatable

local function log(text)
    if LOG then LOG(text) else print("info: " .. text) end
end

-- A mod may change these two tables. `yielding`: functions in which a thread waits; no function is
-- charged for the time that passes there (functions that only call one of them need not be listed).
-- `ignored`: functions that are hidden from the profile.
Profiler = { yielding = {}, ignored = setmetatable({}, { __mode = "k" }) }
local yielding, ignored = Profiler.yielding, Profiler.ignored
yielding[coroutine.yield] = true
if WaitTicks then yielding[WaitTicks] = true end
if WaitFor then yielding[WaitFor] = true end
if SuspendCurrentThread then yielding[SuspendCurrentThread] = true end
ignored[sethook] = true

-- ---------------------------------------------------------------- the tree

-- A node: calls, self (seconds), and what identifies it: parent, line (of the call, in the parent),
-- what (the function's place in the source), name. Its children are node[line][what].
local main_root, thread_root

local function new_node(parent, line, what, name)
    return { parent = parent, line = line, what = what, name = name, calls = 0, self = 0 }
end

-- whats: function -> its place, a table { source, linedefined }, which all closures of a function
-- share. C functions share one place too; their names distinguish them when nodes are merged.
local whats, places

-- Functions of this file that replace C functions.
local stand_ins = setmetatable({}, { __mode = "k" })

local function what_is(func)
    local info = getinfo(func, "S")
    local what
    if info.what == "C" or stand_ins[func] then
        what = { source = "=[C]", linedefined = -1 }
    else
        local lines = places[info.source]
        if not lines then
            lines = {}
            places[info.source] = lines
        end
        what = lines[info.linedefined]
        if not what then
            what = { source = info.source, short = info.short_src, linedefined = info.linedefined }
            lines[info.linedefined] = what
        end
    end
    whats[func] = what
    return what
end

local lost_frame = { source = "=(tail call)", linedefined = -1 }

-- How the hooks of this Lua behave, found by a test (try_hooks). Lua 5.0 and 5.1 report a tail call
-- as a call; 5.0 shows at the call that the caller is gone, 5.1 only at the return. Lua 5.2 and
-- later have an event for it, and in 5.2 and 5.3 the caller is still on the stack at that event.
-- When a thread is resumed, Lua 5.0 reports a call of the function that continues. In a game the
-- hook is called for all threads, elsewhere only for the thread that has set it.
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
    tail_calls_are_calls, tail_caller_stands, hook_sees_threads, resume_is_call = false, false, true, not running
end

-- ---------------------------------------------------------------- threads

-- The yielding functions, and `error`: no function is charged for the time that passes in them.
local nobodys

-- A thread's state: nodes[i], funcs[i] for i = 1 .. depth; nodes[0] is the root. The variables
-- below are copies of the running thread's state. Its own `depth` is updated when another thread
-- runs.
local states -- thread -> state; weak, and a state does not refer to its thread
local thread_now -- the thread that `state` belongs to
local state, nodes, funcs, depth
local top, topfunc -- nodes[depth], funcs[depth]; topfunc is false at depth 0
local last -- the time of the last event
local resumed -- the last event was a return from a yielding function
local asks -- functions after whose return another thread may be running
local outside -- seconds that are charged to no function
local unwound, orphans, unknown -- counts: frames unwound by errors, returns and callers without a frame
local profiling = false
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

local function set_depth(d)
    depth = d
    top = nodes[d]
    topfunc = d > 0 and funcs[d] or false
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
    if depth > 0 and not nobodys[topfunc] then return top end
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
    if depth > 0 then asks[topfunc] = true end
    state.depth = depth
    if not other then
        local root = thread == MAIN and main_root or thread_root
        other = { nodes = { [0] = root }, funcs = {}, depth = 0, fresh = true }
        states[thread] = other
    end
    thread_now, state, nodes, funcs = thread, other, other.nodes, other.funcs
    set_depth(other.depth)
    charge(now, node or running_node())
end

-- ---------------------------------------------------------------- stacks

local function child_of(line, func, name)
    local what = func == lost_frame and func or whats[func] or what_is(func)
    local kids = top[line]
    if not kids then
        kids = {}
        top[line] = kids
    end
    local node = kids[what]
    if not node then
        node = new_node(top, line, what, name)
        kids[what] = node
    end
    return node
end

local function push(func, node)
    local d = depth + 1
    depth = d
    nodes[d], funcs[d] = node, func
    top, topfunc = node, func
end

local function pop()
    set_depth(depth - 1)
    if depth == 0 and thread_now ~= MAIN then states[thread_now] = nil end
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
        local func = info.func or (tail_calls_are_calls and depth > 0 and lost_frame)
        if func and not ignored[func] then
            push(func, child_of(line, func, info.name))
            line = info.currentline
        end
    end
    state.fresh = nil
end

-- The depth of the innermost frame of `func`, or nil.
local function depth_of(func)
    for d = depth, 1, -1 do
        if funcs[d] == func then return d end
    end
    return nil
end

-- An error has unwound the frames deeper than d.
local function unwind(d)
    unwound = unwound + (depth - d)
    set_depth(d)
end

-- ---------------------------------------------------------------- events

-- Is the function that ran last still open? Its frame must be at `level`, or follow hidden
-- functions and traces of tail calls there. If it has called itself, this must hold for all its
-- frames in a row.
local function still_stands(level)
    local row = 0
    while row < depth and funcs[depth - row] == topfunc do row = row + 1 end
    local info = getinfo(level, "f")
    while info do
        local func = info.func
        if func == topfunc then
            row = row - 1
        elseif not func and tail_calls_are_calls or func and not ignored[func] then
            break -- in Lua 5.1 such a trace belongs to a function on our stack
        end
        level = level + 1
        info = getinfo(level, "f")
    end
    return row == 0
end

-- A tail call: pop the caller's frame, which the callee replaces, and return the line from which
-- the caller was called. A hidden caller has no frame to replace: return -1.
local function replace_caller(now, is_hidden)
    if depth == 0 or is_hidden then return -1 end
    charge(now, running_node())
    local line = top.line
    set_depth(depth - 1)
    return line
end

-- Handle a call whose caller is not the function that ran last. Returns the line of the call; nil
-- if the event is not a call, or the callee is hidden.
local function unusual_call(now, func, caller)
    local was_resumed = resumed
    resumed = false
    if not func then return nil end -- should not happen, and must not stop a game with an error
    if resume_is_call and was_resumed and func == topfunc and still_stands(4) then return nil end
    if ignored[func] then
        if caller and not caller.func then replace_caller(now, still_stands(5)) end
        return nil
    end
    if caller and caller.func == topfunc then return caller.currentline end
    find_thread(now)
    if state.fresh then adopt(5) end
    if not caller then
        if depth > 0 then unwind(0) end
        return -1
    end
    if not caller.func then
        local line = replace_caller(now, still_stands(5))
        return line
    end
    if caller.func == topfunc then return caller.currentline end
    local d = depth_of(caller.func)
    if d then
        charge(now, running_node())
        unwind(d)
        return caller.currentline
    end
    if not ignored[caller.func] then unknown = unknown + 1 end
    return -1
end

-- Handle a return that may not be from the function that ran last.
local function unusual_return(now, func)
    if ignored[func] then return end
    find_thread(now)
    if state.fresh then adopt(4) end
    charge(now, running_node())
    if func ~= topfunc then
        local d = depth_of(func)
        if not d then
            orphans = orphans + 1
            return
        end
        unwind(d)
    end
    pop()
    resumed = yielding[func]
end

local function tail_call(now, func)
    find_thread(now)
    if state.fresh then adopt(5) end
    local is_hidden
    if tail_caller_stands then
        is_hidden = ignored[getinfo(4, "f").func]
    else
        is_hidden = still_stands(5)
    end
    local line = replace_caller(now, is_hidden)
    if ignored[func] then return end
    charge(now, running_node())
    local node = child_of(line, func, nil)
    node.calls = node.calls + 1
    push(func, node)
end

local function hook(event)
    local now = clock()
    if event == "call" then
        local func = getinfo(2, "f").func
        local caller = getinfo(3, "lf")
        local line
        if resumed or not func or not caller or caller.func ~= topfunc or ignored[func] then
            line = unusual_call(now, func, caller)
            if not line then return end
        else
            line = caller.currentline
        end
        if depth > 0 and not nobodys[topfunc] then
            top.self = top.self + (now - last)
        else
            outside = outside + (now - last)
        end
        last = now
        local what = whats[func] or what_is(func)
        local kids = top[line]
        local node = kids and kids[what]
        if not node then node = child_of(line, func, getinfo(2, "n").name) end
        node.calls = node.calls + 1
        local d = depth + 1
        depth = d
        nodes[d], funcs[d] = node, func
        top, topfunc = node, func
    elseif event == "return" then
        local func = getinfo(2, "f").func
        if func ~= topfunc or asks[func] then
            unusual_return(now, func)
            return
        end
        top.self = top.self + (now - last)
        last = now
        local d = depth - 1
        if d == 0 then
            pop()
            return
        end
        depth = d
        top, topfunc = nodes[d], funcs[d]
    elseif event == "tail return" then -- Lua 5.0, 5.1: after the callee's own return
        if tail_calls_are_calls and depth > 0 and not still_stands(4) then
            charge(now, running_node())
            pop()
        end
    else -- "tail call": Lua 5.2 and later
        tail_call(now, getinfo(2, "f").func)
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

-- Merge nodes with the same text: closures, C functions, both trees. Returns the list of new nodes,
-- parents before children: text, line, parent, calls, self, on_main, in_thread.
local function merge()
    local list, count = {}, 0
    local from, to = { main_root, thread_root }, {} -- stack of nodes whose children must be merged
    local todo, top_node = 2, { kids = {} }
    to[1], to[2] = top_node, top_node
    local on_main = { [main_root] = true }
    while todo > 0 do
        local node, new = from[todo], to[todo]
        local is_main = on_main[node]
        todo = todo - 1
        for line, kids in pairs(node) do
            if type(line) == "number" then
                for _, kid in pairs(kids) do
                    local text = frame_text(kid)
                    local key = line .. ";" .. text
                    local new_kid = new.kids[key]
                    if not new_kid then
                        new_kid = { kids = {}, text = text, line = line, parent = new, calls = 0, self = 0 }
                        new.kids[key] = new_kid
                        count = count + 1
                        list[count] = new_kid
                    end
                    new_kid.calls = new_kid.calls + kid.calls
                    new_kid.self = new_kid.self + kid.self
                    if is_main then new_kid.on_main = true else new_kid.in_thread = true end
                    on_main[kid] = is_main
                    todo = todo + 1
                    from[todo], to[todo] = kid, new_kid
                end
            end
        end
    end
    return list, count, top_node
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
    top_node.total = 0
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

local function print_report()
    local all, all_count, top_node = merge()
    local list, count = sum_up(all, all_count, top_node)
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
        log("prof: " .. text_of(n) .. ";" .. n.calls .. "," .. n.total .. "," ..
            (n.on_main and "t" or "f") .. "," .. (n.in_thread and "t" or "f"))
    end
    log("Profiler: " .. top_node.total .. "s in functions, " .. outside .. "s outside of any, " .. count .. " stacks")
    if unwound + orphans + unknown > 0 then
        log("Profiler: functions unwound by errors: " .. unwound .. ", returns without a call: " ..
            orphans .. ", calls from a function that was not seen: " .. unknown)
    end
end

-- ---------------------------------------------------------------- hooks

-- The game has one hook for all threads. Lua 5.1 and later have one for each thread. So each thread
-- is noted when it is created, and its hook is set when the profiler is turned on.
local known = setmetatable({}, { __mode = "k" })

local function hook_known_threads(mask)
    for thread in pairs(known) do
        if coroutine.status(thread) ~= "dead" then
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
    local starter = (loadstring or load)([[
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

function TurnOnProfiler()
    if profiling then return end
    log("Profiler: on")
    starts = starts + 1
    main_root, thread_root = new_node(nil, -1, nil, "main"), new_node(nil, -1, nil, "threads")
    whats, places = setmetatable({}, { __mode = "k" }), {}
    states, asks = setmetatable({}, { __mode = "k" }), {}
    nobodys = { [error] = true }
    for func in pairs(yielding) do asks[func], nobodys[func] = true, true end
    outside, unwound, orphans, unknown = 0, 0, 0, 0
    resumed = false
    last = clock()
    state = { nodes = { [0] = main_root }, funcs = {}, depth = 0 }
    nodes, funcs = state.nodes, state.funcs
    set_depth(0)
    find_thread(last)
    adopt(3)
    profiling = true
    if gathers then hook_known_threads("cr") end
    sethook(hook, "cr")
end

function TurnOffProfiler()
    if not profiling then return end
    sethook()
    charge(clock(), running_node())
    profiling = false
    if gathers then hook_known_threads(nil) end
    log("Profiler: off")
    print_report()
    main_root, thread_root, states, whats, places, asks = nil, nil, nil, nil, nil, nil
    thread_now, state, nodes, funcs, top, topfunc = nil, nil, nil, nil, nil, nil
end

ignored[TurnOnProfiler] = true
ignored[TurnOffProfiler] = true
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
    ignored[wait_and_profile] = true
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
        log(text .. "took " .. took .. "s")
        if was_profiling or starts ~= starts_before then
            log(text .. "were profiled, at least in part: without the profiler they take less time")
        end
    end)
end

-- The keys; the game's console accepts them if cheats are on.
if SetupSession and SimConExecute then
    local base = SetupSession
    function SetupSession()
        base()
        SimConExecute("IN_BindKey CTRL-O SimLua TurnOnProfiler()")
        SimConExecute("IN_BindKey CTRL-P SimLua TurnOffProfiler()")
        log("Profiler: CTRL-O starts, CTRL-P stops (with cheats)")
    end
end

-- ScheduleProfiler(60, 60) -- from the first minute to the second, without a key
