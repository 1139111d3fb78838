local c = {}
debug.sethook(function(e, l) c[e] = (c[e] or 0) + 1 end, "crl")
local function f() return 1 end
for i = 1, 10 do f() end
local h, m, k = debug.gethook()
debug.sethook()
print(m, k, c.call, c["return"], c.line)
print(debug.gethook())
local cnt = 0
debug.sethook(function() cnt = cnt + 1 end, "", 100)
for i = 1, 100000 do end
debug.sethook()
print(jit and true or cnt > 100) -- LuaJIT compiles the loop, and compiled code calls no hooks
print(pcall(function() debug.sethook(function() error("from hook", 0) end, "l")
 local x = 1
 end))
debug.sethook()
