-- Reads and writes JSON in pure Lua, with examples/json_bench.
local json = require "json"
local orders = {}
for i = 1, 150 do
    orders[i] = string.format('{"id": %d, "name": "order %d", "price": %g, "tags": ["a", "b\\n", "c%d"], ' ..
                              '"items": [{"sku": "AX-%d", "count": %d}, {"sku": "ZZ", "note": null}]}',
                              i, i, i * 1.25, i, i, i % 7)
end
local text = "[" .. table.concat(orders, ",\n") .. "]"
return function()
    local again = json.encode(json.decode(text))
    for _ = 1, 3 do assert(json.encode(json.decode(again)) == again) end
end
