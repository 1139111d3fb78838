-- scheduler.lua - a small multitasking kernel out of coroutines: a priority queue, sleeping, channels,
-- tasks that fail. Simulates a shop floor: producers, machines, an inspector.
--
--     lua scheduler.lua [PRODUCERS [PARTS]]
--
-- No function is charged while a task is suspended: see `toll report --tree`, or use
-- `toll run --join-threads` to see tasks under the function that resumed them.

-- A binary heap by time, first in first out among equals.
local queue = {}
queue.__index = queue

function queue.new() return setmetatable({ n = 0, serial = 0 }, queue) end

local function before(a, b)
    if a.time ~= b.time then return a.time < b.time end
    return a.serial < b.serial
end

function queue:push(time, value)
    self.serial = self.serial + 1
    local entry = { time = time, serial = self.serial, value = value }
    self.n = self.n + 1
    local i = self.n
    while i > 1 do
        local parent = math.floor(i / 2)
        if not before(entry, self[parent]) then break end
        self[i] = self[parent]
        i = parent
    end
    self[i] = entry
end

function queue:pop()
    local top, last = self[1], self[self.n]
    self[self.n] = nil
    self.n = self.n - 1
    local i = 1
    while i * 2 <= self.n do
        local child = i * 2
        if child < self.n and before(self[child + 1], self[child]) then child = child + 1 end
        if not before(self[child], last) then break end
        self[i] = self[child]
        i = child
    end
    if self.n > 0 then self[i] = last end
    return top.time, top.value
end

-- The kernel.
local kernel = { now = 0, ready = queue.new(), failures = 0, switches = 0 }

function kernel.spawn(body, ...)
    local args = { n = select("#", ...), ... }
    local unpack = table.unpack or unpack
    local task = coroutine.create(function() return body(unpack(args, 1, args.n)) end)
    kernel.ready:push(kernel.now, task)
    return task
end

function kernel.sleep(time) coroutine.yield("sleep", time) end

function kernel.step()
    local time, task = kernel.ready:pop()
    kernel.now = time
    kernel.switches = kernel.switches + 1
    local fine, what, detail = coroutine.resume(task)
    if not fine then
        kernel.failures = kernel.failures + 1
    elseif what == "sleep" then
        kernel.ready:push(kernel.now + detail, task)
    elseif what == "wait" then
        detail[#detail + 1] = task
    end
end

function kernel.run()
    while kernel.ready.n > 0 do kernel.step() end
end

-- A channel: put never waits, take waits until there is something.
local channel = {}
channel.__index = channel

function channel.new()
    return setmetatable({ items = {}, first = 1, last = 0, waiting = {} }, channel)
end

function channel:put(item)
    self.last = self.last + 1
    self.items[self.last] = item
    local waiter = table.remove(self.waiting, 1)
    if waiter then kernel.ready:push(kernel.now, waiter) end
end

function channel:take()
    while self.first > self.last do coroutine.yield("wait", self.waiting) end
    local item = self.items[self.first]
    self.items[self.first] = nil
    self.first = self.first + 1
    return item
end

-- The shop floor.
local seed = 7
local function random(n)
    seed = (seed * 16807) % 2147483647
    return seed % n + 1
end

local function shape(part) -- some real work: a checksum of its drawing
    local sum = part.id
    for i = 1, 60 do sum = (sum * 31 + i) % 1000003 end
    part.sum = sum
end

local function polish(part)
    part.finish = string.format("%06d", part.sum):reverse()
end

local function producer(id, count, out)
    for i = 1, count do
        kernel.sleep(random(5))
        out:put { id = id * 10000 + i }
    end
    out:put "done"
end

local function machine(work, time, from, to, producers)
    local open = producers
    while open > 0 do
        local part = from:take()
        if part == "done" then
            open = open - 1
            to:put "done"
        else
            kernel.sleep(time)
            work(part)
            to:put(part)
        end
    end
end

local function inspect(part)
    if part.sum % 97 == 0 then error("part " .. part.id .. " is scrap") end
end

local function inspector(from, producers, report)
    local open = producers
    while open > 0 do
        local part = from:take()
        if part == "done" then
            open = open - 1
        elseif pcall(inspect, part) then
            report.good = report.good + 1
            report.check = (report.check + tonumber(part.finish)) % 1000000007
        else
            report.scrap = report.scrap + 1
        end
    end
end

local producers = tonumber(arg and arg[1]) or 20
local parts = tonumber(arg and arg[2]) or 250
local raw, shaped, polished = channel.new(), channel.new(), channel.new()
local report = { good = 0, scrap = 0, check = 0 }
for id = 1, producers do kernel.spawn(producer, id, parts, raw) end
kernel.spawn(machine, shape, 1, raw, shaped, producers)
kernel.spawn(machine, polish, 2, shaped, polished, producers)
kernel.spawn(inspector, polished, producers, report)
kernel.spawn(function() kernel.sleep(10) error "this task fails, and nobody else" end)
kernel.run()
print(string.format("%d good, %d scrap, check %d; %d switches, %d failed task, clock %d", report.good,
    report.scrap, report.check, kernel.switches, kernel.failures, kernel.now))
