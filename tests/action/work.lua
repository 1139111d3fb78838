-- The profiled program. `more` is the work that a change adds.
local function add(sum, i) return sum + i * i end
local function more(sum) return sum end

local sum = 0
for i = 1, arg[1] or 100 do sum = add(sum, i) end
print(more(sum))
