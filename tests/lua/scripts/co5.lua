local n = 0
local t = {}
for i = 1, 100000 do
  local co = coroutine.create(function(a) local b = coroutine.yield(a) n = n + b end)
  coroutine.resume(co, i)
  if i % 2 == 0 then coroutine.resume(co, 1) end
  if i % 1000 == 0 then t[#t+1] = co end
end
collectgarbage()
for _, co in ipairs(t) do coroutine.resume(co, 5) end
print(n)
