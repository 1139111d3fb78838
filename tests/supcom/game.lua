-- game.lua - a game as profiler.lua sees it: a scheduler with threads that wait for ticks, a clock
-- that only moves when told to, a log, a console; and a random program for it, with a plain account
-- of its own of what each stack costs. All times are 64ths of a second: sums are exact.
--
-- Runs in Lua 5.0 to 5.4. Wants PROFILER, the profiler's source, and SEED. Prints its complaints. With
-- an even SEED the profiler measures only some of the ticks.

local load_text = loadstring or load
local is_lua_50 = not coroutine.running
local is_lua_51 = not is_lua_50 and setfenv
local unit = 64

-- ---------------------------------------------------------------- the game

local now, current, threads = 0, nil, {}
local log_lines, bound_keys = {}, {}

local profiling, unmeasured = false, 0
local in_part = SEED - math.floor(SEED / 2) * 2 == 0 -- measure some of the ticks
local function measured() return profiling and Profiler.measuring end
local function pass(n)
    now = now + n
    if profiling and not Profiler.measuring then unmeasured = unmeasured + n end
end

function GetSystemTimeSecondsOnlyForProfileUse() return now / unit end
function LOG(text) table.insert(log_lines, "info: " .. text) end
function SimConExecute(command) table.insert(bound_keys, command) end
function SetupSession() session_set_up = true end

-- `current` is set for a little longer than its coroutine runs.
local status = coroutine.status
function CurrentThread()
    if not current or status(current.co) ~= "running" then error("CurrentThread: not in a thread") end
    return current
end

-- In the game one hook is called for all threads. In Lua 5.0 itself a thread can only be hooked from
-- inside: when it starts, and when it goes on.
local raw_sethook, raw_create, the_hook = debug.sethook, coroutine.create, nil
local hooked = {} -- threads, and the hook that they have
if is_lua_50 then
    function debug.sethook(hook, mask)
        the_hook = hook
        raw_sethook(hook, mask)
    end
end
local function hook_this_thread()
    if is_lua_50 and hooked[current] ~= the_hook then
        hooked[current] = the_hook
        raw_sethook(the_hook, the_hook and "cr")
    end
end

function WaitTicks(ticks)
    coroutine.yield(ticks)
    hook_this_thread()
end
WaitFor = coroutine.yield
function WaitSeconds(seconds) WaitTicks(seconds * 10) end
function SuspendCurrentThread()
    coroutine.yield(5)
    hook_this_thread()
end

function ForkThread(func, a)
    local thread = {}
    local function body()
        hook_this_thread()
        func(a)
    end
    thread.body = body
    if Profiler then Profiler.ignored[body] = true end
    thread.co = coroutine.create(body)
    thread.due = 0
    table.insert(threads, thread)
    return thread
end

local failures = 0
local function run_thread(thread)
    current = thread
    local ok, ticks = coroutine.resume(thread.co)
    current = nil
    if not ok then failures = failures + 1 end
    thread.due = ok and ticks or nil -- nil: it has ended
end

local function run_ticks(count, each_tick)
    for tick = 1, count do
        pass(3) -- the engine's own
        if each_tick then each_tick(tick) end
        local i = 1
        while threads[i] do
            local thread = threads[i]
            i = i + 1
            if thread.due then
                thread.due = thread.due - 1
                if thread.due <= 0 then run_thread(thread) end
            end
        end
    end
end

-- ---------------------------------------------------------------- the account

-- Shadow stacks of names, and what each path was seen to cost while the profiler was on.
local main_stack = {}
local calls, selves, on_main, in_thread = {}, {}, {}, {}
local function stack() return current and current.stack or main_stack end
local function path_of(s) return table.concat(s, ";") end

local function push(name)
    local s = stack()
    table.insert(s, name)
    if measured() then
        local p = path_of(s)
        calls[p] = (calls[p] or 0) + 1
        if current then in_thread[p] = true else on_main[p] = true end
    end
end
local function pop() table.remove(stack()) end
local size = table.getn or load_text("local t = ... return #t")
local function depth()
    if is_lua_51 then -- in which tail calls of hidden functions in recursion cannot be recognised
        local n = size(stack())
        return n
    end
    return size(stack())
end
local function pop_to(d) while depth() > d do pop() end end
local function spend(n)
    pass(n)
    if measured() and depth() > 0 then
        local p = path_of(stack())
        selves[p] = (selves[p] or 0) + n
        if current then in_thread[p] = true else on_main[p] = true end
    end
end

-- ---------------------------------------------------------------- a random program

local seed = SEED
local function random(n)
    seed = seed * 16807
    seed = seed - math.floor(seed / 2147483647) * 2147483647
    return seed - math.floor(seed / n) * n + 1
end

-- Line i of the program is function i. What it calls is chosen when it is made, so that the same
-- program runs in each Lua. `deep` bounds it. Only threads wait.
local FUNCTIONS = 14
local function make_function(i)
    local code = { "F[" .. i .. "] = function(deep, tails) push('f" .. i .. "') spend(" .. random(9) .. ") if deep > 0 then " }
    local function add(text) table.insert(code, text) end
    for _ = 1, random(3) do
        local k, what = random(FUNCTIONS), random(8)
        if what <= 3 then
            add("F[" .. k .. "](deep - 1) ")
        elseif what == 4 then
            add("local d = depth() push('pcall') pcall(F[" .. k .. "], deep - 1) pop_to(d) ")
        elseif what == 5 then
            add("if in_thread() then push('WaitTicks') push('yield') WaitTicks(" .. random(3) .. ") pop() pop() end ")
        elseif what == 6 then
            add("if in_thread() and is_hooked() then push('WaitFor') WaitFor(" .. random(3) .. ") pop() end ")
        elseif what == 7 then
            add("if in_thread() then push('SuspendCurrentThread') push('yield') SuspendCurrentThread() pop() pop() end ")
        else
            add("if may_fork() then fork(F[" .. k .. "], 3) end ")
        end
        add("spend(" .. random(5) .. ") ")
    end
    local ending, k = random(6), random(FUNCTIONS)
    add("end ")
    if ending == 1 then
        add("if may_fail() then push('error') error('meant') end leave(tails) end")
    elseif ending == 2 then
        add("if deep > 0 and may_tail_call() then return F[" .. k .. "](deep - 1, before_tail_call(tails)) end leave(tails) end")
    else
        add("leave(tails) end")
    end
    return table.concat(code)
end

-- Functions may also fail where there is no pcall on the stack: the thread, or the engine's call, ends then.
local fails = 0
local helpers = {
    F = {},
    push = push, pop = pop, pop_to = pop_to, depth = depth, spend = spend,
    in_thread = function() return current ~= nil end,
    is_hooked = function() return not is_lua_50 or hooked[current] end,
    may_fail = function() fails = fails + 1 return fails - math.floor(fails / 3) * 3 == 0 end,
    pcall = pcall, error = error,
    -- In Lua 5.1 the frames that are adopted at the start have lost the names of tail callers.
    may_tail_call = function() return profiling and not in_part or not is_lua_51 end,
    -- A callee takes the place of what tail-calls it; in Lua 5.1 that leaves together with it.
    before_tail_call = function(tails)
        if is_lua_51 then return (tails or 0) + 1 end
        pop()
    end,
    leave = function(tails)
        for _ = 0, tails or 0 do pop() end
    end,
    WaitTicks = WaitTicks, WaitFor = WaitFor, SuspendCurrentThread = SuspendCurrentThread,
}
local forks = 0
helpers.may_fork = function() forks = forks + 1 return forks < 60 end
helpers.fork = function(func, deep)
    local t = ForkThread(func, deep)
    t.stack = {}
    return t
end

local names = {}
for name in pairs(helpers) do table.insert(names, name) end
local program = {}
for i = 1, FUNCTIONS do table.insert(program, make_function(i)) end
local locals, values = table.concat(names, ", "), {}
HELPERS = helpers
local text = {}
for _, name in ipairs(names) do table.insert(text, "local " .. name .. " = HELPERS." .. name) end
-- The locals are on line 1, too: function i is on line i.
assert(load_text(table.concat(text, " ") .. " " .. table.concat(program, "\n"), "@program"))()
local F = helpers.F

-- ---------------------------------------------------------------- run it

assert(load_text(PROFILER, "@profiler.lua"))()
SetupSession()
for name, func in pairs(helpers) do
    if type(func) == "function" and name ~= "pcall" and name ~= "error" and not string.find(name, "^Wait") and name ~= "SuspendCurrentThread" then
        Profiler.ignored[func] = true
    end
end
-- So are the engine, and all of Lua's own functions but those that the program calls.
for _, func in ipairs({ run_thread, run_ticks, hook_this_thread, raw_sethook, raw_create, debug.getinfo(1, "f").func, RUN_CHUNK or dofile,
    ForkThread, SetupSession, stack, path_of, pass, measured, size, random, load_text, dofile, ipairs, pairs, next, tonumber, setmetatable }) do
    Profiler.ignored[func] = true
end
for _, library in ipairs({ table, string, math, coroutine }) do
    for _, func in pairs(library) do
        if func ~= coroutine.yield and type(func) == "function" then Profiler.ignored[func] = true end
    end
end

-- The engine calls Lua on the main thread, now and then; an error is the engine's to catch.
local pcall = pcall
local function each_tick(tick)
    local f = F[random(FUNCTIONS)]
    main_stack = {}
    if profiling then push("pcall") end
    pcall(f, 4)
    main_stack = {}
end
Profiler.ignored[each_tick] = true

for i = 1, 6 do helpers.fork(F[i], 6) end
run_ticks(4, each_tick) -- threads have open frames now
local start = now
local on, of = random(3), 4 + random(3)
if in_part then Profiler.duty(on, of) else of = 1 end
profiling = true
TurnOnProfiler()
run_ticks(TICKS or 25, each_tick)
for i = 1, 4 do helpers.fork(F[random(FUNCTIONS)], 5) end
run_ticks(TICKS or 25, each_tick)
TurnOffProfiler()
profiling = false
local finish = now

-- ---------------------------------------------------------------- compare

local complaints = 0
local function complain(text)
    complaints = complaints + 1
    if complaints < 20 then print("complaint: " .. text) end
end

-- What the log says, by the names of the account: path -> { calls, total }, lines added up.
local function split(text, separator)
    local parts = {}
    local from = 1
    while true do
        local at = string.find(text, separator, from, true)
        table.insert(parts, string.sub(text, from, at and at - 1 or string.len(text)))
        if not at then return parts end
        from = at + 1
    end
end

local seen, seen_total, before = {}, 0, -1
for _, line in ipairs(log_lines) do
    if string.sub(line, 1, 12) == "info: prof: " then
        local frames = split(string.sub(line, 13), ";")
        local fields = split(table.remove(frames), ",")
        local path = {}
        for _, frame in ipairs(frames) do
            local f = split(frame, ",")
            local name = f[3]
            if f[1] == "@program" then name = "f" .. f[2] end
            -- the program that runs all this in Lua's own interpreter
            if name ~= "?" then table.insert(path, name) end
        end
        local p = table.concat(path, ";")
        local s = seen[p] or { calls = 0, total = 0 }
        seen[p] = s
        s.calls = s.calls + tonumber(fields[1])
        s.total = s.total + tonumber(fields[2]) * unit
        s.main = s.main or fields[3] == "t"
        s.thread = s.thread or fields[4] == "t"
        if p == "" then
            seen[p] = nil
        elseif not string.find(p, ";", 1, true) then seen_total = seen_total + tonumber(fields[2]) * unit end
        if tonumber(fields[2]) < before then complain("not ascending: " .. line) end
        before = tonumber(fields[2])
    end
end

local totals, all = {}, 0
for p, self in pairs(selves) do
    all = all + self
    local prefix = p
    while prefix do
        totals[prefix] = (totals[prefix] or 0) + self
        local cut
        for at = string.len(prefix), 1, -1 do
            if string.sub(prefix, at, at) == ";" then cut = at break end
        end
        prefix = cut and string.sub(prefix, 1, cut - 1)
    end
end
local paths = {}
for p in pairs(calls) do paths[p] = true end
for p in pairs(totals) do paths[p] = true end
for p in pairs(seen) do paths[p] = true end
local count = 0
for p in pairs(paths) do
    local s = seen[p] or { calls = 0, total = 0 }
    count = count + 1
    if s.calls ~= (calls[p] or 0) then complain(p .. ": calls " .. s.calls .. ", should be " .. (calls[p] or 0)) end
    if s.total ~= (totals[p] or 0) then complain(p .. ": total " .. s.total .. ", should be " .. (totals[p] or 0)) end
    if (calls[p] or selves[p]) and ((s.main or false) ~= (on_main[p] or false) and on_main[p] or (in_thread[p] and not s.thread)) then
        complain(p .. ": seen on the wrong kind of thread")
    end
end
if seen_total ~= all then complain("the whole: " .. seen_total .. ", should be " .. all) end
local outside
for _, line in ipairs(log_lines) do
    local _, _, inside, out = string.find(line, "^info: Profiler: ([%d%.e+-]+)s in functions, ([%d%.e+-]+)s outside")
    if inside then
        outside = tonumber(out) * unit
        if tonumber(inside) * unit + outside + unmeasured ~= finish - start then
            complain("in functions, outside and not measured is not what the clock says: " .. finish - start)
        end
    end
    if string.find(line, "returns without a call", 1, true) and VERBOSE then print(line) end
end
if not outside then complain("no summary") end
local ticks = 2 * (TICKS or 25) + 1 -- the last one had just begun
local turns = math.floor(ticks / of)
local ticks_on = turns * on + math.min(ticks - turns * of, on)
local expected = "info: Profiler: duty cycle: measured " .. ticks_on .. " ticks of " .. ticks .. ", not measured: " .. unmeasured / unit .. "s"
local cycle
for _, line in ipairs(log_lines) do
    if string.find(line, "duty cycle", 1, true) then cycle = line end
end
if of > 1 and cycle ~= expected then complain((cycle or "no line") .. ", should be " .. expected) end
if of == 1 and cycle then complain("a duty cycle without one") end
if not session_set_up then complain("SetupSession of the game was not called") end
if bound_keys[1] ~= "IN_BindKey CTRL-O SimLua TurnOnProfiler()" or bound_keys[2] ~= "IN_BindKey CTRL-P SimLua TurnOffProfiler()" then
    complain("keys")
end
if count < 20 then complain("only " .. count .. " stacks") end
-- For `toll convert`: the log, and the account as folded lines.
LOG_TEXT = table.concat(log_lines, "\n") .. "\n"
ACCOUNT = {}
for p, self in pairs(selves) do table.insert(ACCOUNT, p .. " " .. self) end
table.sort(ACCOUNT)
ACCOUNT = table.concat(ACCOUNT, "\n") .. "\n"
RESULT = complaints == 0 and "ok" or "failed"
print(RESULT .. ": seed " .. SEED .. ", " .. count .. " stacks, " .. all .. " units in functions, " .. failures .. " threads died")
