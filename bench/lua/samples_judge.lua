-- samples_judge.lua OUT PROGRAM ARGS - the self shares of a program's functions under LuaJIT's own sampler (jit.profile), by
-- their definitions: lines WEIGHT FILE:LINE. The judge of samples.py.
local profile = require "jit.profile"
local out, program = table.remove(arg, 1), table.remove(arg, 1)
local counts = {}
profile.start("fi4", function(thread, samples)
    local level = 0
    local info = debug.getinfo(thread, level, "S")
    while info and info.what == "C" do
        level = level + 1
        info = debug.getinfo(thread, level, "S")
    end
    local key = info and info.short_src .. ":" .. info.linedefined
    if key then counts[key] = (counts[key] or 0) + samples end
end)
dofile(program)
profile.stop()
local file = assert(io.open(out, "w"))
for key, weight in pairs(counts) do file:write(weight, " ", key, "\n") end
file:close()
