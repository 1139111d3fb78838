local how = ...
if how ~= "plain" then local t = require "toll" t.start() end
local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end
fib(25)
if how ~= "plain" then local t = require "toll" t.stop() end
