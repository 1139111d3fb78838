-- What one way of running costs compared with another, in one process: pieces of the program by turns, of some 100 ms
-- each. Machines whose speed changes from second to second make two runs incomparable. Prints the median of the pairs'
-- ratios of CPU time, and the middle half of them. A way is `plain`, a number (samples a second), or `cpu` or `wall`:
-- every call with that clock. BODY is a program of bench/lua that returns a function, or one that takes ROUNDS (1 is best).
--
--     LUA_CPATH=build/release/lib/lua/5.4/?.so BODY=bench/lua/json.lua lua5.4 bench/lua/turns.lua plain 250 [PAIRS]
local toll = require "toll"
local pairs_wanted = tonumber(arg[3]) or 100
local path = os.getenv "BODY"
local body = dofile(path)
if type(body) ~= "function" then body = assert(loadfile(path)) end

local function run(rounds)
    local begun = os.clock()
    for _ = 1, rounds do body() end
    return os.clock() - begun
end

local function piece(way, rounds)
    if way == "plain" then return run(rounds) end
    local hz = tonumber(way)
    assert(toll.start(hz and { mode = "sample", hz = hz } or { clock = way }))
    local took = run(rounds)
    toll.stop "/dev/null"
    return took
end

local first, second, rounds = arg[1], arg[2], 1
piece(first, rounds)
while piece(first, rounds) < 0.07 do rounds = rounds * 2 end
local ratios = {}
for i = 1, pairs_wanted do
    local a, b
    if i % 2 == 0 then
        a = piece(first, rounds)
        b = piece(second, rounds)
    else
        b = piece(second, rounds)
        a = piece(first, rounds)
    end
    ratios[i] = b / a
end
table.sort(ratios)
local function at(share) return ratios[math.max(1, math.floor(#ratios * share + 0.5))] end
print(("%s / %s: %.3f (%.3f to %.3f)"):format(second, first, at(0.5), at(0.25), at(0.75)))
