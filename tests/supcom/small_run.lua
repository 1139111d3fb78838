-- small_run.lua PROFILER.lua SMALL.lua plain|game - prints the log of small.lua in this Lua.
RUN_CHUNK = debug.getinfo(1, "f").func
PLAIN = arg[3] == "plain"
local file = assert(io.open(arg[1]))
PROFILER = file:read("*a")
file:close()
dofile(arg[2])
io.write(LINES)
