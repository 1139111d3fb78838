-- nested.lua PROFILER.lua - coroutines that resume coroutines, without a game: each stack's calls and time
-- against the program's own account. Times are 64ths of a second. In Lua 5.1 to 5.4; in 5.0, where
-- PROFILER has the profiler's text, with a hook that all coroutines have, as in a game.
local now, lines = 0, {}
function GetSystemTimeSecondsOnlyForProfileUse() return now / 64 end
local native_print = print
function print(text) table.insert(lines, text) end
local raw_create = coroutine.create
local raw_sethook, the_hook = debug.sethook, nil
local is_lua_50 = not coroutine.running
if is_lua_50 then
    debug.sethook = function(hook, mask)
        the_hook = hook
        raw_sethook(hook, mask)
    end
    assert(loadstring(PROFILER, "@profiler.lua"))()
else
    dofile(arg[1])
end
local hide = Profiler.ignored
local function take_hook()
    if is_lua_50 then raw_sethook(the_hook, the_hook and "cr") end
end

local stacks, calls, totals, current = {}, {}, {}, "main"
local concat, insert, remove = table.concat, table.insert, table.remove
local function stack()
    local s = stacks[current]
    if not s then
        s = {}
        stacks[current] = s
    end
    return s
end
local function enter(name)
    local s = stack()
    insert(s, name)
    local path = concat(s, ";")
    calls[path] = (calls[path] or 0) + 1
end
local function leave() remove(stack()) end
local function spend(n)
    now = now + n
    local path = ""
    for _, name in ipairs(stack()) do
        path = path == "" and name or path .. ";" .. name
        totals[path] = (totals[path] or 0) + n
    end
end
for _, func in ipairs({ take_hook, raw_sethook, debug.sethook, stack, enter, leave, spend, concat, insert, remove, ipairs, (ipairs({})),
    raw_create, debug.getinfo(1, "f").func, dofile }) do
    hide[func] = true
end

-- Each of these runs in a coroutine of its own, yields, and resumes others; `deep` bounds it.
-- Fields and globals: Lua 5.0 knows no name for a function that is an upvalue.
local function create(func)
    local function body(deep)
        take_hook()
        func(deep)
    end
    hide[body] = true
    return coroutine.create(body)
end
local function go(thread, deep)
    local before = current
    current = thread
    coroutine.resume(thread, deep)
    current = before
end
hide[create], hide[go] = true, true
function pause(n)
    enter("pause")
    spend(n)
    enter("yield")
    coroutine.yield(n)
    take_hook()
    leave()
    spend(1)
    leave()
end
local seed, mod = 7, math.mod or math.fmod
local function random(n)
    seed = mod(seed * 16807, 2147483647)
    return mod(seed, n) + 1
end
hide[mod] = true
hide[random] = true
local function task(deep)
    enter("task")
    spend(deep + 1)
    local children = {}
    for i = 1, deep > 0 and 2 or 0 do
        children[i] = create(task)
    end
    for round = 1, 4 do
        for _, child in ipairs(children) do
            enter("resume")
            go(child, deep - 1)
            leave()
            spend(round)
        end
        pause(random(5))
    end
    if random(3) == 1 then
        spend(2)
        enter("error")
        error("meant")
    end
    leave()
end

TurnOnProfiler()
for _ = 1, 3 do
    local thread = create(task)
    for _ = 1, 6 do
        enter("resume")
        go(thread, 4)
        leave()
    end
end
TurnOffProfiler()
print = native_print

local complaints, count = 0, 0
local function complain(text)
    complaints = complaints + 1
    print(text)
end
local seen_calls, seen_totals = {}, {}
for _, line in ipairs(lines) do
    local _, _, text, n, time = string.find(line, "^info: prof: (.*);(%d+),([^,]+),[tf],[tf]$")
    if text then
        text = string.gsub(text, "^=%[C%],%-1,%?,[%d-]+;?", "")
        local path = string.gsub(text, "[^;]*,([^,;]*),%-?%d+", "%1")
        path = string.gsub(path, "%?", "task") -- what a thread begins with has no name
        path = string.gsub(path, "func", "task")
        seen_calls[path] = (seen_calls[path] or 0) + n
        seen_totals[path] = (seen_totals[path] or 0) + time * 64
    end
end
local function compare(what, seen, expected)
    for path, n in pairs(expected) do
        count = count + 1
        if seen[path] ~= n and (seen[path] or n) ~= 0 then
            complain(path .. ": " .. what .. " " .. tostring(seen[path]) .. ", should be " .. n)
        end
    end
    for path, n in pairs(seen) do
        if n ~= 0 and not expected[path] then complain(path .. ": " .. what .. " " .. n .. ", should be none") end
    end
end
compare("calls", seen_calls, calls)
compare("total", seen_totals, totals)
assert(count > 6, count)
print("nested: " .. (complaints == 0 and "ok" or "failed"))
RESULT = complaints == 0 and "ok" or "failed"
if not is_lua_50 then os.exit(complaints == 0 and 0 or 1) end
