-- socket_path.lua - sockets that cannot be made: an error for each, and after it the script can have one.
local toll = require "toll"
local function refused(text, socket)
  local good, message = toll.control { socket = socket, output = "o-%p.pb.gz" }
  assert(not good and message:find(text, 1, true), message)
end
local pid = io.open("/proc/self/stat"):read("*n")
refused("No such file or directory", "nowhere/s-%p")
io.open("file-" .. pid, "w"):close()
refused("there is such a file, or another process's socket", "file-%p")
assert(io.open("file-" .. pid), "the file is gone")
refused("the path is too long", ("%p"):rep(40))
assert(toll.control { socket = "%%p-%p", output = "o-%p.pb.gz" })
assert(os.execute("test -S %p-" .. pid))
