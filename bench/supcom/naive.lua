-- naive.lua - a simple call profiler: on each return it makes the text of the whole stack and looks it up.
-- hosts/supcom/profiler.lua is measured against it.

local threads, metrics = {}, {}
local clock, getinfo = GetSystemTimeSecondsOnlyForProfileUse, debug.getinfo

local function text(info)
    return (info.source or "?") .. "," .. (info.linedefined or -1) .. "," .. (info.name or "?") .. "," .. (info.currentline or -1)
end

local function hook(event)
    local ok, thread = pcall(CurrentThread)
    if not ok then thread = "main" end
    local now = clock()
    local stack = threads[thread]
    if not stack then
        stack = {}
        threads[thread] = stack
    end
    local info = getinfo(2, "Snlf")
    if event == "call" then
        local caller = getinfo(3, "Snlf")
        if caller and stack[table.getn(stack)] then stack[table.getn(stack)].text = text(caller) end
        table.insert(stack, { text = text(info), start = now })
    else
        local top = table.remove(stack)
        if not top then return end
        local frames = {}
        for i = 1, table.getn(stack) do table.insert(frames, stack[i].text) end
        table.insert(frames, text(info))
        local key = table.concat(frames, ";")
        local m = metrics[key]
        if not m then
            m = { 0, 0 }
            metrics[key] = m
        end
        m[1], m[2] = m[1] + 1, m[2] + (now - top.start)
    end
end

function TurnOnProfiler() debug.sethook(hook, "cr") end
function TurnOffProfiler() debug.sethook() end
