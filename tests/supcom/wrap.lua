-- wrap.lua PROFILER.lua - coroutine.wrap under the profiler: arguments, values and errors pass as they
-- did, threads made before it starts are seen too, and stopping takes all hooks away.
local lines = {}
function print(text) table.insert(lines, text) end
dofile(arg[1])

local function step(n) return n + 1 end
local function generate(a, b)
    while true do
        local c = step(a) + step(b)
        a, b = coroutine.yield(c, nil, a)
        if not b then error({ code = a }) end
    end
end

local early = coroutine.wrap(generate)
early(1, 2)
TurnOnProfiler()
local late = coroutine.wrap(generate)
for i = 1, 10 do
    local c, none, a = late(i, i)
    assert(c == 2 * i + 2 and none == nil and a == i)
    c, none, a = early(i, 3)
    assert(c == i + 5 and none == nil and a == i)
end
local ok, problem = pcall(late, 7)
assert(not ok and problem.code == 7)
TurnOffProfiler()
local count = table.getn and table.getn(lines) or select("#", (table.unpack or unpack)(lines))
assert(early(1, 1) == 4)
assert(count == (table.getn and table.getn(lines) or select("#", (table.unpack or unpack)(lines))))

local calls = 0
for _, line in ipairs(lines) do
    local _, _, n, where = string.find(line, "^info: prof: .*,step,%-1;(%d+),[^,]+,(.*)$")
    if n then
        assert(where == "f,t", line)
        calls = calls + tonumber(n)
    end
end
assert(calls == 40, "step was seen to be called " .. calls .. " times")
