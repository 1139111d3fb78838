-- tree.lua - calls whose tree is the same in every Lua. tree.expected has the folded call counts.
local function leaf() return 1 end
local function twice() leaf() leaf() return 2 end
local function tail(n) if n == 0 then leaf() return 0 end return tail(n - 1) end
local function fails() leaf() error("x") end
function outer()
    twice()
    pcall(fails)
    pcall(pcall, fails)
    leaf()
end
outer()
outer()
tail(5)
leaf()
local co = coroutine.create(function(a)
    local function inner() coroutine.yield() leaf() end
    inner()
    inner()
end)
coroutine.resume(co)
leaf()
coroutine.resume(co)
coroutine.resume(co)
local bad = coroutine.wrap(function() leaf() fails() end)
pcall(bad)
twice()
Account = {}
function Account.deposit() leaf() end
function Account:withdraw() leaf() end
Account.deposit()
Account:withdraw()
