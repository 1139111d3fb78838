-- manual_random.lua - appended to hosts/supcom/manual.lua (without its last line): random programs with
-- errors and coroutines in coroutines, in any Lua. Each stack's calls and time must be what an account of
-- their own says. Times are 64ths of a second: sums are exact.

local measure = TollManual
local insert, remove, concat = table.insert, table.remove, table.concat

local now = 0
local lines
measure.clock = function() return now / 64 end
measure.log = function(text) insert(lines, text) end

local seed
local function random(n)
    seed = seed * 16807
    seed = seed - math.floor(seed / 2147483647) * 2147483647
    return seed - math.floor(seed / n) * n + 1
end

-- ---------------------------------------------------------------- the account

local stacks, here, calls, selves, all, left, size
local function push(name)
    size[here] = (size[here] or 0) + 1
    stacks[here] = stacks[here] or {}
    insert(stacks[here], name)
    local path = concat(stacks[here], ";")
    calls[path] = (calls[path] or 0) + 1
end
local function pop_to(depth)
    while (size[here] or 0) > depth do
        remove(stacks[here])
        size[here] = size[here] - 1
    end
end
local function spend(n)
    now = now + n
    all = all + n
    local path = concat(stacks[here] or {}, ";")
    selves[path] = (selves[path] or 0) + n
end

-- ---------------------------------------------------------------- the program

local run
local function in_frame(deep)
    local name = "f" .. random(5)
    local token, depth = measure.enter(name), size[here] or 0
    push(name)
    spend(random(9))
    run(deep - 1)
    if random(9) == 1 then error("meant") end
    measure.leave(token)
    pop_to(depth)
end

-- An error leaves frames open; the frame around it ends them.
local function in_pcall(deep)
    local token, depth = measure.enter("guard"), size[here] or 0
    push("guard")
    if not pcall(in_frame, deep) then
        left = left + size[here] - depth - 1
        spend(random(3)) -- is still the time of the innermost of them
    end
    measure.leave(token)
    pop_to(depth)
end

local wrapped = measure.wrap(function(a, b, c, d)
    push("wrapped")
    spend(4)
    assert(a == nil and b == 2 and c == nil and d == "d")
    pop_to(size[here] - 1)
    return nil, 1, nil, a
end, "wrapped")

local serial = 0
local function in_coroutine(deep)
    serial = serial + 1
    local mine, before = "thread " .. serial, here
    local thread = coroutine.create(function(x)
        assert(x == "x")
        here = mine
        run(deep - 1)
        spend(2)
        here = before
        local y, z = measure.yield(1, nil)
        assert(y == nil and z == "z")
        here = mine
        run(deep - 1)
        here = before
        return 7
    end)
    local ok, one, none = measure.resume(thread, "x")
    here = before
    if ok then assert(one == 1 and none == nil) end
    spend(random(5))
    if ok then
        ok, one = measure.resume(thread, nil, "z")
        here = before
        assert(not ok or one == 7)
    end
end

function run(deep)
    for _ = 1, random(3) do
        local what = random(6)
        spend(random(3))
        if deep <= 0 then
            spend(1)
        elseif what <= 2 then
            in_frame(deep)
        elseif what == 3 then
            in_pcall(deep)
        elseif what == 4 then
            in_coroutine(deep)
        else
            local a, b, c, d = wrapped(nil, 2, nil, "d")
            assert(a == nil and b == 1 and c == nil and d == nil)
        end
    end
end

-- ---------------------------------------------------------------- compare

local function number_after(pattern)
    for _, line in pairs(lines) do
        local _, _, n = string.find(line, pattern)
        if n then return tonumber(n) end
    end
    return 0
end

local checked = 0
local function compare()
    local totals = {}
    for whole, n in pairs(selves) do
        local path = whole
        while path do
            totals[path] = (totals[path] or 0) + n
            local _, _, above = string.find(path, "^(.*);[^;]*$")
            path = above
        end
    end
    local seen_calls, seen_totals = {}, {}
    for _, line in pairs(lines) do
        local _, _, stack, n, total = string.find(line, "^prof: (.*);(%d+),([%d.e+-]+),[tf],[tf]$")
        if stack then
            stack = string.gsub(stack, "=([^,]*),%-1,%?,%-1", "%1")
            seen_calls[stack] = (seen_calls[stack] or 0) + tonumber(n)
            seen_totals[stack] = (seen_totals[stack] or 0) + tonumber(total) * 64
            checked = checked + 1
        end
    end
    for path, n in pairs(calls) do
        assert(seen_calls[path] == n, path .. ": calls " .. (seen_calls[path] or 0) .. ", should be " .. n)
        local total = totals[path] or 0
        assert(seen_totals[path] == total, path .. ": " .. (seen_totals[path] or 0) .. ", should be " .. total)
    end
    for path in pairs(seen_calls) do assert(calls[path], path) end
    local inside = number_after("^Profiler: ([%d.e+-]+)s in functions") * 64
    local outside = number_after("functions, ([%d.e+-]+)s outside") * 64
    assert(outside == (selves[""] or 0), outside)
    assert(inside + outside == all, inside + outside .. ", the clock says " .. all)
    assert(number_after("^prof%-note: (%d+),frames that") == left, left)
end

local before_start = measure.enter("too early")
measure.leave(before_start)
for round = 1, ROUNDS or 40 do
    seed, here, now = round, "main", 0
    lines, stacks, calls, selves, size, all, left = {}, {}, {}, {}, {}, 0, 0
    measure.start()
    measure.start() -- it is on
    measure.leave(before_start) -- not of this recording
    for _ = 1, 5 do
        here = "main"
        measure.leave(measure.enter("tick"))
        calls.tick = (calls.tick or 0) + 1
        local token = measure.enter("call")
        push("call")
        local depth = size[here] - 1
        if not pcall(run, 5) then left = left + size[here] - depth - 1 end
        measure.leave(token)
        pop_to(depth)
        spend(2)
    end
    measure.stop()
    measure.stop()
    compare()
end

-- What is wrong is counted; a name cannot break a line.
lines = {}
measure.start()
measure.leave()
measure.enter("a;b\nc")
now = now + 64
measure.leave()
measure.leave()
measure.stop()
assert(lines[1] == "prof: =a b c,-1,?,-1;1,1,t,f", lines[1])
assert(number_after("^prof%-note: (%d+),ends without a begin") == 2)
measure.clock = nil
assert(not pcall(measure.start))
print("manual: ok, " .. checked .. " stacks")
