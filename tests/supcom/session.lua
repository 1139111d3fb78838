-- session.lua - keys and schedules: what a player does, and what the log then says. Runs in Lua 5.0 to
-- 5.4; wants PROFILER. One tick is a tenth of a second of the game, and takes 1/16 s.

local now, lines, keys, current, threads = 0, {}, {}, nil, {}
function GetSystemTimeSecondsOnlyForProfileUse() return now end
function LOG(text) table.insert(lines, text) end
function SimConExecute(command) table.insert(keys, command) end
local sessions = 0
function SetupSession() sessions = sessions + 1 end
function CurrentThread()
    if not current then error("not in a thread") end
    return current
end

local raw_sethook, the_hook = debug.sethook, nil
local is_lua_50 = not coroutine.running
local load_text = loadstring or load

-- As in the game: it is an error to read a global variable that does not exist.
setmetatable(_G, { __index = function(_, name) error("access to nonexistent global variable " .. tostring(name), 2) end })
if is_lua_50 then
    debug.sethook = function(hook, mask)
        the_hook = hook
        raw_sethook(hook, mask)
    end
end
function WaitTicks(ticks)
    coroutine.yield(ticks)
    if is_lua_50 then raw_sethook(the_hook, the_hook and "cr") end
end
function WaitSeconds(seconds) WaitTicks(seconds * 10) end
function ForkThread(func)
    table.insert(threads, { co = coroutine.create(func), due = 1 })
end
local function run_ticks(count)
    for _ = 1, count do
        now = now + 1 / 16
        for i = 1, 100 do
            local thread = threads[i]
            if not thread then break end
            if thread.due then
                thread.due = thread.due - 1
                if thread.due == 0 then
                    current = thread
                    local ok, ticks = coroutine.resume(thread.co)
                    current = nil
                    assert(ok, ticks)
                    thread.due = ticks
                end
            end
        end
    end
end

assert(load_text(PROFILER, "@profiler.lua"))()
SetupSession()
assert(sessions == 1)
assert(table.concat(keys, "|") == "IN_BindKey CTRL-O SimLua TurnOnProfiler()|IN_BindKey CTRL-P SimLua TurnOffProfiler()")

local function press(key)
    for _, command in ipairs(keys) do
        local _, _, bound, text = string.find(command, "^IN_BindKey (%S+) SimLua (.+)$")
        if bound == key then assert(load_text(text, "@console"))() end
    end
end

function Work() now = now + 0.25 end
ForkThread(function()
    while true do
        WaitTicks(1)
        Work()
    end
end)

-- Calls of Work that the last profile in the log has, and how often a profile was written.
local function last_profile()
    local calls, time, profiles
    profiles = 0
    for _, line in ipairs(lines) do
        if line == "Profiler: on" then profiles, calls = profiles + 1, 0 end
        local _, _, n, t = string.find(line, "^prof: .*session.lua,%d+,Work,%-1;(%d+),([%d.]+),f,t$")
        if n then calls, time = calls + tonumber(n), tonumber(t) end
    end
    return calls, time, profiles
end
local function expect(calls, time, profiles)
    local c, t, p = last_profile()
    if c ~= calls or t ~= time or p ~= profiles then
        error("calls " .. c .. ", time " .. (t or "none") .. ", profiles " .. p)
    end
end

run_ticks(5)
press("CTRL-P") -- nothing is on
press("CTRL-O")
press("CTRL-O") -- it is on
run_ticks(8)
press("CTRL-P")
press("CTRL-P")
run_ticks(3)
expect(8, 2, 1)

-- The summary is in the log, and on the screen of a game that has Sync.
Sync = {}
press("CTRL-O")
run_ticks(4)
press("CTRL-P")
expect(4, 1, 2)
local shown = {}
for _, text in ipairs(Sync.PrintText) do
    assert(text.location and text.duration and text.size and text.color)
    table.insert(shown, text.text)
end
assert(string.find(shown[1], "^1%.%d+s in %d+ functions; most by themselves:$"), shown[1])
assert(string.find(shown[2], "^%d+%.%d%% 1%.000s 4 calls session%.lua:%d+%(Work%)$"), shown[2])
local logged = 0
for _, line in ipairs(lines) do
    if line == "Profiler: " .. shown[2] then logged = logged + 1 end
end
assert(logged == 1)
Sync = nil

-- Half of the ticks, by a thread of the profiler's own, which is not in the profile.
Profiler.duty(1, 2)
press("CTRL-O")
assert(not pcall(Profiler.duty, 1, 1)) -- it is on
run_ticks(8)
press("CTRL-P")
expect(4, 1, 3)
local duty
for _, line in ipairs(lines) do
    if string.find(line, "duty cycle", 1, true) then duty = line end
    assert(not string.find(line, "tick_in_thread", 1, true))
end
assert(duty == "Profiler: duty cycle: measured 5 ticks of 9, not measured: 1.25s", duty)
assert(not pcall(Profiler.duty, 0, 1) and not pcall(Profiler.duty, 2, 1) and not pcall(Profiler.duty, 1, 1.5))
Profiler.duty(1, 1)

-- The thread that waits and starts is forked now, and begins with the next tick; it runs after the
-- one that works: the first tick is not in the profile, the last one is.
ScheduleProfiler(1, 2)
ScheduleBenchmark(1, 2)
run_ticks(50)
expect(20, 5, 4)
local took
for _, line in ipairs(lines) do
    local _, _, t = string.find(line, "^Profiler: benchmark from 1s, 2s of the game took ([%d.]+)s$")
    took = took or t
end
assert(tonumber(took) == 20 * (1 / 16 + 0.25), took)

local function count_lines(pattern)
    local n = 0
    for _, line in ipairs(lines) do
        if string.find(line, pattern) then n = n + 1 end
    end
    return n
end
assert(count_lines("benchmark .* profiled") == 1) -- it was not what the game takes by itself

-- Schedules that overlap: the later one is skipped, and says so; it does not end the first.
ScheduleProfiler(1, 2)
ScheduleProfiler(2, 2)
run_ticks(60)
expect(20, 5, 5)
assert(count_lines("schedule from 2s, 2s long, is skipped") == 1)
ScheduleProfiler(1, 2)
ScheduleProfiler(1.5, 0.5)
run_ticks(50)
expect(20, 5, 6)
assert(count_lines("schedule from 1.5s, 0.5s long, is skipped") == 1)

-- A schedule ends what it has begun: not what the player has begun since.
ScheduleProfiler(1, 2)
run_ticks(20)
press("CTRL-P")
press("CTRL-O")
run_ticks(30)
press("CTRL-P")
expect(30, 7.5, 8)
ScheduleBenchmark(1, 1)
run_ticks(30)
assert(count_lines("benchmark from 1s, 1s of the game took") == 1 and count_lines("benchmark .* profiled") == 1)
RESULT = "ok"
print("session: ok")
