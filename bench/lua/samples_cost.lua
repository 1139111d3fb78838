-- What samples cost, in one process: pieces of some 300 ms with samples and without, by turns. Machines whose speed
-- changes from second to second make two runs incomparable. Prints the median of the pairs' ratios of CPU time, and
-- the middle half of them. BODY is a program of bench/lua that returns a function, or one that takes ROUNDS.
--
--     LUA_CPATH=build/release/lib/lua/5.4/?.so BODY=bench/lua/json.lua lua5.4 bench/lua/samples_cost.lua HZ [PAIRS]
local toll = require "toll"
local hz, pairs_wanted = tonumber(arg[1]), tonumber(arg[2]) or 60
local path = os.getenv "BODY"
local body = dofile(path)
if type(body) ~= "function" then body = assert(loadfile(path)) end

local function piece(rounds)
    local begun = os.clock()
    for _ = 1, rounds do body() end
    return os.clock() - begun
end

local rounds = 1
piece(rounds)
while piece(rounds) < 0.2 do rounds = rounds * 2 end
local ratios = {}
for i = 1, pairs_wanted do
    local plain, sampled
    for turn = 1, 2 do
        if (i + turn) % 2 == 0 then
            plain = piece(rounds)
        else
            toll.start { mode = "sample", hz = hz }
            sampled = piece(rounds)
            toll.stop "/dev/null"
        end
    end
    ratios[i] = sampled / plain
end
table.sort(ratios)
local function at(share) return ratios[math.max(1, math.floor(#ratios * share + 0.5))] end
print(("%5d a second: %.3f (%.3f to %.3f)"):format(hz, at(0.5), at(0.25), at(0.75)))
