-- small.lua - a program whose every line of log is known, on the main thread and in one of its own.
-- Times are halves of a second. With PLAIN there are no functions of a game: the profiler prints,
-- and finds out by itself which coroutine runs. Leaves the lines in LINES.

local now, lines, current, the_hook = 0, {}, nil, nil
function GetSystemTimeSecondsOnlyForProfileUse() return now end
local function keep(text) table.insert(lines, text) end
if PLAIN then
    print = keep
else
    LOG = function(text) keep("info: " .. text) end
    CurrentThread = function()
        if not current then error("not in a thread") end
        return current
    end
end
WaitTicks = coroutine.yield

-- In the game one hook is called for all threads; in Lua 5.0 itself a thread must hook itself.
local raw_sethook, is_lua_50 = debug.sethook, not coroutine.running
if is_lua_50 then
    debug.sethook = function(hook, mask)
        the_hook = hook
        raw_sethook(hook, mask)
    end
end

local load_text = loadstring or load
assert(load_text(PROFILER, "@profiler.lua"))()

local function spend(time) now = now + time end
local function resume(thread)
    current = thread
    coroutine.resume(thread)
    current = nil
end
local function body()
    if is_lua_50 then raw_sethook(the_hook, "cr") end
    InThread()
end
for _, func in ipairs({ spend, resume, body, raw_sethook, coroutine.resume, dofile,
    debug.getinfo(1, "f").func, RUN_CHUNK or dofile }) do
    Profiler.ignored[func] = true
end

local text = [[
local spend = SPEND
local function leaf(n)
    spend(n)
end
local function fails()
    spend(0.5)
    error("meant")
end
local function tail(n)
    spend(0.5)
    return leaf(n)
end
function Work(n)
    leaf(0.5)
    leaf(n)
    pcall(fails)
    tail(1.5)
    spend(0.5)
end
function InThread()
    spend(0.5)
    Work(2.5)
    WaitTicks(1)
    leaf(0.5)
    WaitTicks(2)
    spend(1.5)
end
]]
SPEND = spend
assert(load_text(text, "@C:\\Games\\Forged Alliance\\LOUD\\gamedata\\lua\\small.lua"))()

local thread = coroutine.create(body)
TurnOnProfiler()
Work(1.5)
resume(thread)
spend(8.5)
resume(thread)
spend(8.5)
TurnOffProfiler()

local out = {}
for _, line in ipairs(lines) do
    line = string.gsub(line, "%.0([,s])", "%1") -- Lua 5.3 and 5.4 print 2.0, the others 2
    line = string.gsub(line, "=%[C%],%-1,%?,[%d-]+;", "") -- the interpreter's own main function
    if not string.find(line, "^info: prof: [^@=]") then table.insert(out, line) end
end
LINES = table.concat(out, "\n") .. "\n"
