-- The worst case of coroutines: a pipeline that does nothing but switch.
local function source(n)
    return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end)
end

local function filter(keep, from)
    return coroutine.wrap(function()
        for x in from do if keep(x) then coroutine.yield(x) end end
    end)
end

local function sum(from)
    local total = 0
    for x in from do total = total + x end
    return total
end

return function()
    for _ = 1, 20 do
        local odd = filter(function(x) return x % 2 == 1 end, source(6000))
        assert(sum(filter(function(x) return x % 3 ~= 0 end, odd)) > 0)
    end
end
