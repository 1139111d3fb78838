-- A pipeline of coroutines reads, filters and sums up a log, line by line.
local lines = {}
for i = 1, 3000 do
    lines[i] = string.format("2024-02-%02d %s id=%d took=%d.%02dms path=/%s", i % 28 + 1,
                             i % 5 == 0 and "ERROR" or "info", i, i * 7 % 900, i % 100, ("x/y"):rep(i % 4))
end
local log = table.concat(lines, "\n")

local function source(text)
    return coroutine.wrap(function()
        for line in text:gmatch("[^\n]+") do coroutine.yield(line) end
    end)
end

local function fields(line)
    local record = { day = tonumber(line:sub(9, 10)), level = line:match("^%S+ (%S+)") }
    for key, value in line:gmatch("(%w+)=(%S+)") do record[key] = tonumber(value) or value end
    return record
end

local function parse(from)
    return coroutine.wrap(function()
        for line in from do coroutine.yield(fields(line)) end
    end)
end

local function only(level, from)
    return coroutine.wrap(function()
        for record in from do if record.level == level then coroutine.yield(record) end end
    end)
end

return function()
    for _ = 1, 3 do
        local days = {}
        for record in only("ERROR", parse(source(log))) do days[record.day] = (days[record.day] or 0) + 1 end
        assert(next(days))
    end
end
