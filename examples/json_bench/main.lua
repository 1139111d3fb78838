-- main.lua - reads a JSON file, adds something up, writes it again, and checks that nothing got lost.
--
--     lua main.lua FILE.json

local folder = (arg[0]:match("^(.*[/\\])") or "./")
package.path = folder .. "?.lua;" .. package.path
local json = require "json"

local function read_file(path)
    local file = assert(io.open(path, "rb"))
    local text = file:read("*a")
    file:close()
    return text
end

-- Turnover by city, in cents so that sums are exact.
local function turnover(orders)
    local by_city = {}
    for _, order in ipairs(orders) do
        local sum = 0
        for _, item in ipairs(order.items) do
            sum = sum + item.count * math.floor(item.price * 100 + 0.5)
        end
        local city = order.customer.city
        by_city[city] = (by_city[city] or 0) + sum
    end
    return by_city
end

local function print_table(by_city)
    local cities = {}
    for city in pairs(by_city) do cities[#cities + 1] = city end
    table.sort(cities)
    for _, city in ipairs(cities) do
        print(string.format("%-12s %12.2f", city, by_city[city] / 100))
    end
end

local text = read_file(arg[1])
local document = json.decode(text)
local again = json.encode(document)
assert(json.encode(json.decode(again)) == again, "a round trip changed something")
print_table(turnover(document.orders))
print(#document.orders .. " orders, written again in " .. #again .. " bytes")
