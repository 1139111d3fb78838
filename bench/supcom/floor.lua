-- floor.lua - the least that a profiler in pure Lua can do: read the clock at each event, and ask at
-- each call which function is called, and from which line. It keeps nothing.
-- hosts/supcom/profiler.lua is measured against it.

local clock, getinfo = GetSystemTimeSecondsOnlyForProfileUse, debug.getinfo

local function hook(event)
    local now = clock()
    if event == "call" then
        local callee, caller = getinfo(2, "f"), getinfo(3, "l")
    end
end

function TurnOnProfiler() debug.sethook(hook, "cr") end
function TurnOffProfiler() debug.sethook() end
