-- rock.lua NAME - profiles itself: NAME.speedscope.json and other kinds, and a table on standard output.
local toll = require "toll"

local function place(columns, row, n)
    if row > n then return 1 end
    local ways = 0
    for column = 1, n do
        local free = true
        for r = 1, row - 1 do
            local c = columns[r]
            if c == column or c - r == column - row or c + r == column + row then free = false end
        end
        if free then
            columns[row] = column
            ways = ways + place(columns, row + 1, n)
        end
    end
    return ways
end

toll.start { clock = "none", ticks = not jit }
assert(place({}, 1, 6) == 4)
local co = coroutine.wrap(function() coroutine.yield(place({}, 1, 4)) end)
co()
assert(toll.stop())
for _, kind in ipairs { "speedscope.json", "callgrind", "svg", "pb.gz", "html" } do
    assert(toll.write(arg[1] .. "." .. kind))
end
io.write(toll.snapshot():report(10))
