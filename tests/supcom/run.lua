-- run.lua PROFILER.lua GAME.lua SEED - game.lua in this Lua.
RUN_CHUNK = debug.getinfo(1, "f").func
local file = assert(io.open(arg[1]))
PROFILER = file:read("*a")
file:close()
SEED = tonumber(arg[3])
dofile(arg[2])
os.exit(RESULT == "ok" and 0 or 1)
