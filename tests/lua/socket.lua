-- socket.lua - what toll.control does with a socket, in a script that waits for a line, then works, then waits again. Its
-- arguments are the options.
local toll = require "toll"
local pid = io.open("/proc/self/stat"):read("*n")

local good, message = toll.control { socket = "socket-%p", output = arg[1] or "out-%p.pb.gz", clock = "none" }
assert(good, message)
assert(toll.control { socket = "socket-%p", output = arg[1] or "out-%p.pb.gz", clock = "none" }) -- once more

local function refused(text, options)
  local called, result, why = pcall(toll.control, options)
  local message = called and why or result
  assert(not (called and result) and message:find(text, 1, true), message)
end
refused("the process has another one: ", { socket = "other-%p", output = "o-%p.pb.gz" })
refused("socket is a path with %p", { socket = "other", output = "o-%p.pb.gz" })
refused("socket is a string", { socket = {}, output = "o-%p.pb.gz" })
refused("signal is 'USR1'", { signal = "KILL", socket = "socket-%p", output = "o-%p.pb.gz" })
refused("or give a socket", { output = "o-%p.pb.gz" })
refused("the path is too long", { socket = ("x"):rep(200) .. "%p", output = "o-%p.pb.gz" })
refused("socket is a path with %p", { socket = "other-%%p", output = "o-%p.pb.gz" })
refused("output is a file name with %p", { socket = "socket-%p", output = "o-%%p.pb.gz" })

local function leaf() end
function work(n) for i = 1, n do leaf() end end

io.stdout:write(pid, "\n")
io.stdout:flush()
for line in io.lines() do
  if line == "own" then -- the script records by itself
    toll.stop()
    assert(toll.start { output = "own.pb.gz", clock = "none" })
  elseif line == "end" then
    assert(toll.stop())
  else
    work(tonumber(line))
  end
  io.stdout:write("did ", line, "\n")
  io.stdout:flush()
end
