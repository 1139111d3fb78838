-- Reads and writes JSON with dkjson (Debian's lua-dkjson).
package.path = package.path .. ";/usr/share/lua/5.1/?.lua"
local json = require "dkjson"
local data = {}
for i = 1, 200 do data[i] = { id = i, name = "item" .. i, tags = { "a", "b", tostring(i) }, at = { x = i * 1.5, y = -i } } end
for _ = 1, tonumber(os.getenv "ROUNDS") do assert(#json.decode(json.encode(data), 1, nil) == 200) end
