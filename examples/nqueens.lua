-- nqueens.lua - in how many ways can N queens stand on a board without attacking each other?
--
--     lua nqueens.lua [N]        (8: 92)

local function attacked(columns, row, column)
    for r = 1, row - 1 do
        local c = columns[r]
        if c == column or c - r == column - row or c + r == column + row then return true end
    end
    return false
end

local function place(columns, row, n)
    if row > n then return 1 end
    local ways = 0
    for column = 1, n do
        if not attacked(columns, row, column) then
            columns[row] = column
            ways = ways + place(columns, row + 1, n)
        end
    end
    return ways
end

local n = tonumber(arg and arg[1]) or 8
print(string.format("%d queens: %d ways", n, place({}, 1, n)))
