-- Counts all placements of nine queens.
local function is_free(columns, row, column)
    for r = 1, row - 1 do
        local c = columns[r]
        if c == column or c - column == r - row or c - column == row - r then return false end
    end
    return true
end

local function place(columns, row, n)
    if row > n then return 1 end
    local found = 0
    for column = 1, n do
        if is_free(columns, row, column) then
            columns[row] = column
            found = found + place(columns, row + 1, n)
        end
    end
    return found
end

return function() assert(place({}, 1, 9) == 352) end
