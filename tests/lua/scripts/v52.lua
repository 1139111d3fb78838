-- goto, yields across pcall, and to-be-closed variables where the Lua has them.
if _VERSION == "Lua 5.1" and not jit then print("5.1 has none of it") return end
local load = loadstring or load
print(load("local i = 0 ::top:: i = i + 1 if i < 3 then goto top end return i")())
local co = coroutine.wrap(function()
    local ok, e = pcall(function() coroutine.yield("inside") error("after", 0) end)
    coroutine.yield(ok, e)
    return "end"
end)
print(co(), co(), co())
if _VERSION == "Lua 5.4" then
    load([[
        local function res(n) return setmetatable({}, { __close = function() print("close " .. n) end }) end
        do local a <close> = res("a") local b <close> = res("b") print("body") end
        local co = coroutine.create(function() local c <close> = res("c") coroutine.yield() end)
        coroutine.resume(co) print(coroutine.close(co))
        print(pcall(function() local d <close> = res("d") error("x", 0) end))
    ]])()
end
