-- nested.lua PROFILER.lua - coroutines that resume coroutines, in plain Lua 5.1 to 5.4, without a game:
-- each stack's calls and time against an account of the program's own. Times are 64ths of a second.
local now, lines = 0, {}
function GetSystemTimeSecondsOnlyForProfileUse() return now / 64 end
local native_print = print
function print(text) table.insert(lines, text) end
local raw_create = coroutine.create
dofile(arg[1])
local hide = Profiler.ignored

local stacks, calls, totals = {}, {}, {}
local running, concat, insert, remove = coroutine.running, table.concat, table.insert, table.remove
local function stack()
    local thread = running() or "main" -- Lua 5.1 has none for the main thread
    local s = stacks[thread]
    if not s then
        s = {}
        stacks[thread] = s
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
for _, func in ipairs({ stack, enter, leave, spend, running, concat, insert, remove, ipairs, (ipairs({})),
    raw_create, debug.getinfo(1, "f").func, dofile }) do
    hide[func] = true
end

-- Each of these runs in a coroutine of its own, yields, and resumes others; `deep` bounds it.
local create, resume, yield = coroutine.create, coroutine.resume, coroutine.yield
local make = {}
local function pause(n)
    enter("pause")
    spend(n)
    enter("yield")
    yield(n)
    leave()
    spend(1)
    leave()
end
local seed = 7
local function random(n)
    seed = (seed * 16807) % 2147483647
    return seed % n + 1
end
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
            resume(child, deep - 1)
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
        resume(thread, 4)
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
os.exit(complaints == 0 and 0 or 1)
