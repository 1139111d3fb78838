-- adopted.lua - starts a recording while functions are open, and a coroutine is suspended.
local toll = require "toll"

local function spin(n)
    local x = 0
    for i = 1, n do x = x + i end
    return x
end

local suspended = coroutine.create(function(n)
    local x = n + coroutine.yield() + spin(10) -- line 11
    return x -- line 12
end)
coroutine.resume(suspended, 1)

local function inner()
    toll.start { clock = "none", ticks = true, lines = arg[1] == "lines", call_lines = arg[1] == "call_lines" } -- line 17
    return spin(10) -- line 18
end

local function outer()
    local x = inner() + spin(20) + spin(30) -- line 22
    return x -- line 23
end

local x = outer() + 1 -- line 26
coroutine.resume(suspended, 2)
toll.stop()
toll.write(arg[2])
