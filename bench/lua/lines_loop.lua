-- A loop of 12 million turns, or so many, with four short lines in each.
local a, b, c = 1, 2, 3
for i = 1, tonumber(arg[1]) or 12000000 do
    a = b + i
    b = c + 1
    c = a - b
    a = c
end
print(os.clock())
