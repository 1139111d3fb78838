-- hosts.lua - work of a plug-in: words, sorting, small objects. bench/lua/hosts.py puts a line above it, which defines
-- MODE, MODULE (the path of Toll's module) and RESULT (the file for the seconds of CPU time).
local toll = MODE ~= "without" and assert(package.loadlib(MODULE, "luaopen_toll"))()
local Account = {}
Account.__index = Account

function Account.new(balance)
    return setmetatable({ balance = balance }, Account)
end

function Account:deposit(amount)
    self.balance = self.balance + amount
    return self
end

local function count_words(text)
    local counts = {}
    for word in text:gmatch("%a+") do counts[word] = (counts[word] or 0) + 1 end
    return counts
end

local function sorted_keys(counts)
    local keys = {}
    for key in pairs(counts) do keys[#keys + 1] = key end
    table.sort(keys)
    return table.concat(keys, ",")
end

local function work()
    local account, text = Account.new(0), ("the quick brown fox jumps over the lazy dog "):rep(10)
    for i = 1, ROUNDS do
        for amount = 1, 20 do account:deposit(amount) end
        if sorted_keys(count_words(text)) ~= "brown,dog,fox,jumps,lazy,over,quick,the" then error(i) end
    end
end

if MODE == "off" then -- a signal that the program does not use
    local output = RESULT .. "-%p.pb.gz"
    assert(pcall(toll.control, { signal = "USR2", output = output }) or pcall(toll.control, { signal = "WINCH", output = output }))
end
if MODE == "every call" then toll.start {} end
if MODE == "samples" then toll.start { mode = "sample" } end
local begin = os.clock()
work()
local seconds = os.clock() - begin
if MODE == "every call" or MODE == "samples" then toll.stop() end
local file = assert(io.open(RESULT, "w"))
file:write(("%.6f"):format(seconds))
file:close()
