-- lines_judge.lua SCRIPT - how often each line of SCRIPT begins to run, and how many instructions it
-- executes: rows "LINE INSTRUCTIONS EXECUTIONS", by debug.sethook alone. The script is run twice, since
-- in Lua 5.2 and later a hook for each instruction makes each instruction a new line.
local script = arg[1]
local source, executions, instructions, last = "@" .. script, {}, {}, 0
local mask, count
local sethook, getinfo = debug.sethook, debug.getinfo
if jit then jit.off() end -- compiled code calls no hooks

local function hook(event)
    local at = getinfo(2, "Sl")
    if at.source ~= source then return end
    local counts = event == "line" and executions or instructions
    counts[at.currentline] = (counts[at.currentline] or 0) + 1
    if at.currentline > last then last = at.currentline end
end

-- A hook is one coroutine's; except in LuaJIT, which has one for all.
local create, resume = coroutine.create, coroutine.resume
local function results(good, ...)
    if not good then error(..., 0) end
    return ...
end
if not jit then
function coroutine.create(f)
    local co = create(f)
    sethook(co, hook, mask, count)
    return co
end
function coroutine.wrap(f)
    local co = coroutine.create(f)
    return function(...) return results(resume(co, ...)) end
end
end

local function run(...)
    local main = assert(loadfile(script))
    mask, count = ...
    sethook(hook, mask, count)
    main()
    sethook()
end
run("l", 0)
run("", 1)
for line = 1, last do
    if executions[line] or instructions[line] then
        print(line, instructions[line] or 0, executions[line] or 0)
    end
end
