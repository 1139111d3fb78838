-- session_run.lua PROFILER.lua SESSION.lua - session.lua in this Lua.
local file = assert(io.open(arg[1]))
PROFILER = file:read("*a")
file:close()
dofile(arg[2])
