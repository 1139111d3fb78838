-- frames.lua PROFILER.lua - a program without a game calls Profiler.tick at the end of each frame: two frames of
-- five are measured, coroutines that live through them included. Lua 5.1 to 5.4. Times are 64ths of a second.
local now, lines = 0, {}
function GetSystemTimeSecondsOnlyForProfileUse() return now / 64 end
local native_print = print
function print(text) table.insert(lines, text) end
dofile(arg[1])

local function spend(n) now = now + n end
Profiler.ignored[spend] = true
function Think(n)
    spend(n)
end
function Update(n)
    spend(1)
    Think(n)
    spend(2)
end
local worker = coroutine.create(function()
    while true do
        Think(16)
        coroutine.yield()
    end
end)

Profiler.duty(2, 5)
local calls, spent, measured, unmeasured = 0, { Update = 0, Think = 0 }, 0, 0
local frames = 23
Profiler.tick() -- it is not on
TurnOnProfiler()
for frame = 1, frames do
    local before = now
    Update(frame)
    spend(8) -- outside of any function but this chunk
    coroutine.resume(worker)
    local is_measured = (frame - 1) % 5 < 2
    assert(Profiler.measuring == is_measured)
    if is_measured then
        calls = calls + 1
        spent.Update, spent.Think = spent.Update + 3, spent.Think + frame
        measured = measured + (now - before)
    else
        unmeasured = unmeasured + (now - before)
    end
    Profiler.tick()
end
TurnOffProfiler()

local seen, top = {}, {}
for _, line in ipairs(lines) do
    local stack, n, total, main, thread = string.match(line, "^info: prof: (.*);(%d+),([%d.e+-]+),([tf]),([tf])$")
    if stack then
        local name = string.match(stack, "([^,]*),%-?%d+$")
        local key = name .. (thread == "t" and " in a thread" or "")
        seen[key] = seen[key] or { calls = 0, total = 0 }
        seen[key].calls, seen[key].total = seen[key].calls + n, seen[key].total + total * 64
        if not string.find(stack, ";", 1, true) then table.insert(top, total * 64) end
    end
    for what, count in pairs({ ["ticks measured: 2 of each 5"] = 10, ["ticks not measured"] = 14,
        ["milliseconds not measured"] = math.floor(unmeasured * 1000 / 64 + 0.5) }) do
        if string.find(line, "," .. what, 1, true) then assert(line == "info: prof-note: " .. count .. "," .. what, line) end
    end
end
assert(seen.Update.calls == calls and seen.Update.total == spent.Update + spent.Think)
assert(seen.Think.calls == calls and seen.Think.total == spent.Think)
assert(seen["Think in a thread"].calls == calls and seen["Think in a thread"].total == 16 * calls)
local sum = 0
for _, total in ipairs(top) do sum = sum + total end
local inside, outside = string.match(table.concat(lines, "\n"), "Profiler: ([%d.e+-]+)s in functions, ([%d.e+-]+)s outside")
assert(sum == inside * 64 and (inside + outside) * 64 == measured, sum .. " " .. inside * 64 .. " " .. measured)
native_print("frames: ok")

-- The example of docs/semantics.md.
now, lines = 0, {}
local function g() spend(2) end
local function f()
    for tick = 1, 4 do
        spend(4)
        g()
        spend(4)
        if tick < 4 then Profiler.tick() end
    end
end
Profiler.duty(1, 2)
TurnOnProfiler()
f()
TurnOffProfiler()
local text = table.concat(lines, "\n")
local count, total = string.match(text, ",f,%-?%d+;(%d+),([%d.]+),t,f\n")
assert(count == "1" and total * 64 == 20, text)
count, total = string.match(text, ",g,%-?%d+;(%d+),([%d.]+),t,f\n")
assert(count == "2" and total * 64 == 4, text)
assert(string.find(text, "prof-note: 2,ticks measured: 1 of each 2\ninfo: prof-note: 2,ticks not measured\n", 1, true), text)
native_print("frames: the example is right")
