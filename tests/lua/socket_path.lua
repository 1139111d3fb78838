-- socket_path.lua FOLDER - sockets that cannot be made: an error for each, and after it the script can have one. FOLDER is
-- the current one.
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
local room = 107 - #arg[1] - 1 - #tostring(pid) -- of the 108 bytes that a socket's path has
refused("the path is too long", "%p" .. ("x"):rep(room + 1))
local longest = "%p" .. ("x"):rep(room - 4) .. "%%%y"
assert(toll.control { socket = longest, output = "o-%p.pb.gz" })
local is_there = os.execute("test -S '" .. pid .. ("x"):rep(room - 4) .. "%%y'")
assert(is_there == true or is_there == 0, is_there)
