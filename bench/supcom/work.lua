-- work.lua - a game's tick: few functions, each called by many others, DEPTH deep; a third of the
-- calls are calls of C functions. Run(n) runs n ticks, and returns the number of calls.

local in_thread = nil
function CurrentThread()
    if not in_thread then error("not in a thread") end
    return in_thread
end
local now = 0
function GetSystemTimeSecondsOnlyForProfileUse() return now end
function LOG() end

local floor, calls = math.floor, 0
local function distance(x, y) now = now + 1 / 1024 return x * x + y * y end
local function target(unit)
    calls = calls + 5
    floor(unit.x)
    return distance(unit.x, unit.y) + distance(unit.y, floor(unit.x))
end
local function think(unit) return target(unit) + target(unit) end
local function weapon(unit) return think(unit) - target(unit) end
local function descend(unit, depth)
    if depth == 0 then
        local a = think(unit)
        return a + weapon(unit)
    end
    calls = calls + 1
    local a = descend(unit, depth - 1)
    return a
end

local unit = { x = 1.5, y = 2.5 }
function Run(n)
    calls = 0
    for i = 1, n do
        local a = descend(unit, DEPTH)
        calls = calls + 4
        if Profiler and i == 40 * math.floor(i / 40) then Profiler.tick() end -- 1,000 to 3,000 calls
    end
    COUNT = calls
end
