-- work.lua - for bench/wasm/programs.sh: trees of tables, a table that is sorted by a function, words that are counted, and
-- methods that are called, `rounds` times.
local function tree(depth)
  return depth > 0 and { tree(depth - 1), tree(depth - 1) } or {}
end

local function count(node)
  return node[1] and 1 + count(node[1]) + count(node[2]) or 1
end

local Point = {}
Point.__index = Point
function Point.add(a, b) return setmetatable({ x = a.x + b.x, y = a.y - b.y }, Point) end

local sum = 0
for round = 1, rounds do
  sum = sum + count(tree(14))
  local list, random = {}, round
  for i = 1, 20000 do
    random = (random * 16807) % 2147483647
    list[i] = { key = random, text = ("%x"):format(random) }
  end
  table.sort(list, function(a, b) return a.key < b.key end)
  local words, texts = {}, {}
  for i, item in ipairs(list) do texts[i] = item.text:sub(1, 3):upper() end
  for word in table.concat(texts, " "):gmatch("%w+") do words[word] = (words[word] or 0) + 1 end
  for _, n in pairs(words) do sum = sum + n end
  local at = setmetatable({ x = 0, y = 0 }, Point)
  for i = 1, 50000 do at = at:add({ x = i, y = round }) end
  sum = sum + at.x - at.y
end
print(sum)
