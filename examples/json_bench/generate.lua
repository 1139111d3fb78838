-- generate.lua - a JSON file that looks like what a web service answers: orders of a shop, with
-- nested objects, text in several scripts, escapes, fractions, nulls. Always the same bytes.
--
--     lua generate.lua [ORDERS] > orders.json        (2,800 orders: about 1 MB)

local seed = 20240229
local function random(n) -- 1 to n
    seed = (seed * 16807) % 2147483647
    return seed % n + 1
end

local function pick(list) return list[random(#list)] end

local names = { "Ada Lovelace", "Grace Hopper", "Zuse, Konrad", "José Álvarez", "渡辺 健", "Мария Иванова",
                "Søren Kjær", "Σοφία Παπά", "O'Brien \\\"Bob\\\"", "Nguy\\u1ec5n An" }
local cities = { "Lisboa", "Oslo", "Kraków", "São Paulo", "東京", "Québec", "Denver", "Nairobi" }
local goods = { "teapot", "lamp", "bicycle pump", "notebook, ruled", "umbrella \\u2602", "chess set",
                "tab\\there", "two\\nlines", "screwdriver 6/8", "caf\\u00e9 cup" }
local tags = { "new", "gift", "fragile", "return", "express", "b2b" }

local function item()
    return string.format('{"sku":"%s-%04d","title":"%s","count":%d,"price":%d.%02d,"discount":%s}',
        pick { "AX", "BQ", "ZZ" }, random(9999), pick(goods), random(9), random(400), random(100) - 1,
        random(4) == 1 and string.format("%.3e", random(1000) / 1000) or "null")
end

local function list(make, n)
    local parts = {}
    for i = 1, n do parts[i] = make() end
    return "[" .. table.concat(parts, ", ") .. "]"
end

local function order(id)
    return string.format([[
  {
    "id": %d,
    "placed": "20%02d-%02d-%02dT%02d:%02d:%02dZ",
    "customer": {"name": "%s", "city": "%s", "vip": %s, "position": [%d.%06d, -%d.%06d]},
    "items": %s,
    "tags": %s,
    "paid": %s
  }]], id, 20 + random(5), random(12), random(28), random(24) - 1, random(60) - 1, random(60) - 1,
        pick(names), pick(cities), random(5) == 1 and "true" or "false",
        random(89), random(999999), random(179), random(999999),
        list(item, random(4) - 1), list(function() return '"' .. pick(tags) .. '"' end, random(4) - 1),
        random(3) == 1 and "null" or "true")
end

local count = tonumber(arg and arg[1]) or 2800
io.stdout:write('{"service": "orders", "version": 3, "orders": [\n')
for id = 1, count do
    io.stdout:write(order(id), id < count and ",\n" or "\n")
end
io.stdout:write("]}\n")
