-- control.lua - a signal begins and ends recordings of this script.
local toll = require "toll"
local pid = io.open("/proc/self/stat"):read("*n")
local function signal()
  os.execute("kill -USR2 " .. pid)
end

-- Before Toll has been called in its main thread, Lua 5.1 does not show it.
if _VERSION == "Lua 5.1" and not rawget(_G, "jit") then
  coroutine.wrap(function()
    local good, message = toll.control { signal = "USR2", output = "c-%p.pb.gz" }
    assert(not good and message:find("call it in the main thread", 1, true), message)
  end)()
end

-- From a coroutine that is collected then, where Lua shows its main thread.
local function control()
  assert(toll.control { signal = "USR2", output = "c-%p.pb.gz", clock = "none" })
end
if _VERSION == "Lua 5.1" then control() else coroutine.wrap(control)() end
collectgarbage()
assert(not toll.running())

local function leaf() return 1 end
local function work(n)
  for i = 1, n do leaf() end
end

work(5)
signal()
work(10)
assert(toll.running())
signal()
work(20)
assert(not toll.running())

-- In a coroutine, a recording begins and ends at once, too.
local function body()
  work(1)
  signal()
  work(2)
  assert(toll.running(), "a signal in a coroutine")
  coroutine.yield()
  work(3)
  signal()
  work(4)
end
local co = coroutine.wrap(body)
co()
work(30)
assert(toll.running())
co()
assert(not toll.running())

-- Two signals at once are a beginning and an end, or nothing: as if there had been none.
os.execute("kill -USR2 " .. pid .. "; kill -USR2 " .. pid)
work(1)
if toll.running() then signal() end

-- The options are those at the call, and so is the folder: both may change later.
local options = { signal = "USR2", output = "kept-%p.pb.gz", clock = "none", lines = true }
assert(toll.control(options))
options.output = "nowhere/never.pb.gz"
work(5)
signal()
work(6)
local sum = 0
for i = 1, 1000 do sum = sum + i end
signal()
assert(not toll.running())

-- What is recorded so far, by another signal: the recording goes on.
local function write_so_far()
  os.execute("kill -USR1 " .. pid)
end
local second = { signal = "USR2", snapshot = "USR2", output = "so-far-%p.pb.gz", clock = "none" }
local good, message = pcall(toll.control, second)
assert(not good and message:find("another one than it", 1, true), message)
second.snapshot = "USR1"
assert(toll.control(second))
work(5)
write_so_far() -- of nothing
work(6)
assert(not io.open("so-far-" .. pid .. ".pb.gz"))
signal()
work(7)
coroutine.wrap(function()
  work(8)
  write_so_far()
  work(1)
end)()
assert(toll.running())
os.execute("cp so-far-" .. pid .. ".pb.gz so-far.pb.gz")
work(9)
signal()
assert(not toll.running())
second.mode, second.clock, second.output = "sample", nil, "samples-%p.pb.gz"
assert(toll.control(second))
signal()
work(3e6)
write_so_far()
work(1)
os.execute("cp samples-" .. pid .. ".pb.gz samples.pb.gz")
work(3e6)
signal()
work(1)
assert(not toll.running())
options.output = "kept-%p.pb.gz"
assert(toll.control(options))

-- The script begins and ends recordings itself, while signals arrive.
local function beside(start)
  os.execute("(for i in 1 2 3 4 5 6 7 8 9 10; do kill -USR2 " .. pid .. "; done) & wait")
  for i = 1, 20 do
    local sender = io.popen("kill -USR2 " .. pid) -- at any moment until it has ended
    toll.start(start)
    work(10)
    toll.stop()
    sender:close()
  end
  work(1)
  if toll.running() then toll.stop() end
end
assert(toll.control { signal = "USR2", output = "beside-%p-%n.pb.gz", clock = "none" })
beside { clock = "none" }
beside { mode = "sample", hz = 10000 }
assert(toll.control { signal = "USR2", output = "beside-%p-%n.pb.gz", mode = "sample" })
beside { mode = "sample", hz = 10000 }
beside { lines = true }

-- A signal in the middle of toll.start, which calls jit.status: it waits until the recording has begun, and asks for one.
if rawget(_G, "jit") then
  local status = jit.status
  jit.status = function()
    jit.status = status
    signal()
    work(1)
    return status()
  end
  assert(toll.control { signal = "USR2", output = "within-%p.pb.gz", clock = "none" })
  assert(toll.start { clock = "none" })
  work(1)
  assert(toll.stop())
end

-- A coroutine that was made while each call was seen, and runs while samples are taken.
assert(toll.start { lines = true })
local left = coroutine.wrap(function()
  work(5)
  coroutine.yield()
  work(5)
end)
assert(toll.stop())
assert(toll.start { mode = "sample", hz = 100 })
left()
assert(toll.stop())
assert(toll.write("sampled-left.pb.gz"))
assert(toll.start { clock = "none", output = "left.pb.gz" })
left()
assert(toll.stop())

-- What is wrong.
local function refused(text, options)
  local good, message = pcall(toll.control, options)
  assert(not good and message:find(text, 1, true), message)
end
refused("signal is 'USR1'", { output = "c-%p.pb.gz" })
refused("signal is 'USR1'", { signal = "KILL", output = "c-%p.pb.gz" })
refused("signal is 'USR1'", { signal = "12", output = "c-%p.pb.gz" })
refused("output is a file name with %p", { signal = "USR2" })
refused("output is a file name with %p", { signal = "USR2", output = "c.folded" })
refused("extension of a format", { signal = "USR2", output = "c-%p" })
refused("mode is", { signal = "USR2", output = "c-%p.pb.gz", mode = "odd" })
refused("table expected", nil)
refused("timeline has one name", { signal = "USR2", output = "c-%p.pb.gz", timeline = "c.trace.json" })

-- Another signal from now on, and by samples.
assert(toll.control { signal = "SIGUSR1", output = "s-%p.pb.gz", mode = "sample", hz = 1000 })
signal()
work(1)
assert(not toll.running())
os.execute("kill -USR1 " .. pid)
local till = os.clock() + 0.2
while os.clock() < till do work(100) end
assert(toll.running())
os.execute("kill -USR1 " .. pid)
work(1)
assert(not toll.running())
