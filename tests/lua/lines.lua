-- lines.lua - lines of all kinds: loops, calls in the middle of a line, errors, tail calls, coroutines, callbacks.
local unpack = table.unpack or unpack
local log = {}
local function note(...)
    log[#log + 1] = select("#", ...)
    return ...
end

-- several lines to an expression; two functions to a line
local function fib(n)
    if n < 2 then
        return n
    end
    return fib(n - 1) +
        fib(n - 2)
end
fib(7)
local function one() return 1 end local function two() return one() + one() end
note(two(), two(), one())

-- loops: a body of one line, of none, nested
for i = 1, 5 do note(i) end
for i = 1, 3 do
    for j = i, 3 do
        note(i * j)
    end
end
local n = 0
while n < 4 do n = n + 1 end
repeat
    n = n - 1
    local done = n == 0
until done
for _, v in ipairs { 3, 1, 2 } do
    note(v)
end

-- tail calls, also of C functions
local function count(k)
    if k == 0 then return note(k) end
    return count(k - 1)
end
count(6)
local function packed(t)
    return unpack(t)
end
packed { 1, 2,
         3 }
note(packed { 1 }, 2)
while #log % 3 ~= 0 do note() end

-- errors: caught at once, from deeper down, by a handler, from a coroutine
local function fails(depth)
    if depth == 0 then
        error("x")
    end
    fails(depth - 1)
    note()
end
pcall(fails, 0)
pcall(fails, 3); note(pcall(fails, 2))
xpcall(function()
    fails(1)
end, function(m)
    note(m)
    return m
end)
pcall(pcall, fails, 1)
note()

-- callbacks of C functions, and metamethods
local t = { 5, 3, 8, 1 }
table.sort(t, function(a, b)
    return a < b
end)
local text = ("a b c"):gsub("%a", function(c)
    return c:upper()
end)
note(text)
local meta = setmetatable({}, {
    __index = function(_, k)
        return k
    end,
    __add = function(a, b) return fib(3) end,
    __call = function(_, x)
        return x
    end
})
note(meta.field, meta + 1,
     meta(7))

-- coroutines: each is where it was
local function producer(k)
    for i = 1, k do
        coroutine.yield(i)
        note(i)
    end
    return nil
end
local co = coroutine.wrap(function()
    producer(2)
    producer(3)
end)
local a = co()
note(a) local b = co()
while co() do
    fib(2)
end
local inner = coroutine.create(function(x)
    local y = coroutine.yield(x + 1)
    error("in coroutine")
end)
note(coroutine.resume(inner, 1))
note(coroutine.resume(inner, 2))
note(coroutine.resume(inner))
local left = coroutine.wrap(function()
    pcall(function()
        coroutine.yield()
    end)
end)
left()
local three = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
while three() do end
if #log < 20 then
    note("never")
end
