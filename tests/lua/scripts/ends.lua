-- ends.lua - all kinds of ends of C functions, and of switches of coroutines, for adapters that predict what runs next.
local function spin() for i = 1, 3e4 do end end
function gc_heavy() -- finalizers run in the middle of C functions
  local u
  for i = 1, 2000 do
    local p = newproxy(true)
    getmetatable(p).__gc = function() local s = ("x"):rep(3) spin_less(s) end
    u = ("x"):rep(i)
    local t = string.format("%s%d", u, i)
  end
  collectgarbage()
end
function spin_less(s) return #s + #s:sub(1, 1) end
function dead_wrap() local w = coroutine.wrap(function() coroutine.yield(1) end) w() w()
  for i = 1, 50 do assert(not pcall(w)) end spin() end
function dead_resume() local co = coroutine.create(function() coroutine.yield(1) end)
  coroutine.resume(co) coroutine.resume(co)
  for i = 1, 50 do assert(not coroutine.resume(co)) end spin() end
function self_resume() local co co = coroutine.create(function() for i = 1, 20 do assert(not coroutine.resume(co)) coroutine.yield() end end)
  for i = 1, 20 do assert(coroutine.resume(co)) end spin() end
function outer_resume() local a a = coroutine.create(function()
    local b = coroutine.create(function() for i = 1, 10 do assert(not coroutine.resume(a)) coroutine.yield() end end)
    for i = 1, 10 do assert(coroutine.resume(b)) coroutine.yield() end end)
  for i = 1, 10 do assert(coroutine.resume(a)) end spin() end
function yield_outside() for i = 1, 20 do assert(not pcall(coroutine.yield, 1)) end spin() end
function yield_across() local co = coroutine.wrap(function() for i = 1, 10 do
    assert(not pcall(function() ("a"):gsub("a", function() coroutine.yield(1) end) end)) coroutine.yield(2) end end)
  for i = 1, 10 do assert(co() == 2) end spin() end
function error_after_yield() for i = 1, 20 do local co = coroutine.create(function() coroutine.yield() error("x") end)
  coroutine.resume(co) assert(not coroutine.resume(co)) end spin() end
function no_thread() for i = 1, 10 do assert(not pcall(coroutine.resume)) assert(not pcall(coroutine.resume, 1)) end spin() end
function collected() for i = 1, 300 do local w = coroutine.wrap(function() while true do coroutine.yield(i) end end) w() w() end collectgarbage() spin() end
function varargs(...) local n = 0 for i = 1, 50 do n = n + #(("x"):rep(i)) + select("#", ...) end spin() return n end
function vararg_generator() local w = coroutine.wrap(function(...) while true do coroutine.yield(...) end end)
  for i = 1, 50 do w(1, 2, 3) end spin() end
function tail_yield() local w = coroutine.wrap(function() while true do (function() return coroutine.yield(1) end)() end end)
  for i = 1, 50 do w() end spin() end
function tail_resume() local co = coroutine.create(function() while true do coroutine.yield(1) end end)
  local function r() return coroutine.resume(co) end for i = 1, 50 do r() end spin() end
function callbacks() local t = {} for i = 1, 50 do t[i] = -i end table.sort(t, function(a, b) return a < b end)
  assert(("abc"):rep(20):gsub("b", function(x) return x:upper() end)) spin() end
function meta_yield() local m = setmetatable({}, { __index = function(_, k) return coroutine.yield(k) end, __add = coroutine.yield })
  local w = coroutine.wrap(function() while true do local x = m.a local y = m + 1 end end) for i = 1, 20 do pcall(w) end spin() end -- 5.1 does not yield from metamethods
function deep() local function f(n) if n == 0 then coroutine.yield() return 0 end return 1 + f(n - 1) end
  local w = coroutine.wrap(function() while true do f(150) end end) for i = 1, 20 do w() end spin() end
function grow() local w = coroutine.wrap(function() local function f(n) coroutine.yield(n) if n > 0 then return 1 + f(n - 1) end return 0 end f(3000) end)
  for i = 1, 3000 do w() end spin() end
function iterators() for i = 1, 10 do for v in coroutine.wrap(function() for j = 1, 10 do coroutine.yield(j) end end) do local s = tostring(v) end end spin() end
function error_in_c() for i = 1, 30 do assert(not pcall(string.rep)) assert(not pcall(function() return ("x"):rep({}) end)) end spin() end
local order = { "gc_heavy", "dead_wrap", "dead_resume", "self_resume", "outer_resume", "yield_outside", "yield_across", "error_after_yield",
  "no_thread", "collected", "varargs", "vararg_generator", "tail_yield", "tail_resume", "callbacks", "meta_yield", "deep", "grow", "iterators", "error_in_c" }
if not newproxy then table.remove(order, 1) end
for i, name in ipairs(order) do _G[name](1, 2, 3) end
print(#order)
