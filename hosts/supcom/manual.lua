-- manual.lua - measures parts of a program that the program names itself, in any Lua: 5.0 to 5.4, LuaJIT,
-- Luau. It is for games whose Lua has no debug.sethook, or can load nothing else. It is part of Toll; see
-- docs/games.md.
--
--     local measure = require("manual")            -- or dofile, or the global TollManual
--     measure.start()
--     local token = measure.enter("Unit.update")   -- at the beginning of what is measured
--     measure.leave(token)                         -- at each of its ends
--     local f = measure.wrap(f, "f")               -- the same for a whole function
--     measure.stop()                               -- prints a line for each stack; toll reads them
--
-- The sum of all stacks is what the clock says. Where a coroutine is resumed, and where one waits, use
-- measure.resume and measure.yield, or call measure.away() before it and measure.back() after it; then
-- time is charged to the coroutine that ran.
--
-- It is one file, and uses only what all these Luas have in common, except where it says so.

local measure = {}
TollManual = measure

-- What may be missing. In some games it is an error to read a global variable that does not exist.
local function optional(get)
    local ok, value = pcall(get)
    return ok and value or nil
end

-- A program may change these before it starts. clock: returns seconds. log: writes a line; without it
-- they are printed. thread: returns what identifies the running coroutine, nil for the main one.
measure.clock = optional(function() return os.clock end)
measure.log = nil
measure.thread = optional(function() return coroutine.running end)

local weak_keys = { __mode = "k" }
local MAIN = {}
local main_root, thread_root -- nodes: parent, name, kids (by name), calls, self (seconds)
local states -- thread -> { top (its innermost open node), depth }
local state -- of the thread that runs; nil: not known until the next event
local thread_now
local resumed -- the coroutine that measure.resume runs, for a Lua that cannot say which one runs (5.0)
local clock, last
local unclosed, unknown -- counts
local is_on = false
-- A token is recording + depth. Both fit the 24 bits that are exact in a game whose numbers have 32.
local recording, MOST_DEPTH, MOST_RECORDINGS = 0, 131072, 100

local function new_node(parent, name)
    return { parent = parent, name = name, kids = {}, calls = 0, self = 0 }
end

local function state_of(thread)
    local found = states[thread]
    if not found then
        found = { top = thread == MAIN and main_root or thread_root, depth = 0 }
        states[thread] = found
    end
    return found
end

-- Charge the time since the last event to the thread that ran; find out which one runs now.
local function event()
    local now = clock()
    local thread = measure.thread
    thread = thread and thread() or resumed or MAIN
    if not state then
        thread_now, state = thread, state_of(thread)
    end
    local top = state.top
    top.self = top.self + (now - last)
    last = now
    if thread ~= thread_now then
        thread_now, state = thread, state_of(thread)
    end
end

-- Begin a frame. Returns a token for leave.
function measure.enter(name)
    if not is_on then return 0 end
    event()
    local top = state.top
    local node = top.kids[name]
    if not node then
        node = new_node(top, name)
        top.kids[name] = node
    end
    node.calls = node.calls + 1
    state.top, state.depth = node, state.depth + 1
    return recording + state.depth
end

-- End the frame of this token; without a token, the innermost one. Frames that are still open within it
-- were left by an error: they end here, too, and are counted. A frame that began before start() is not
-- open.
function measure.leave(token)
    if not is_on then return end
    event()
    local depth = state.depth
    if token then
        depth = token - recording
        if depth < 0 or depth >= MOST_DEPTH then return end
    end
    if depth < 1 or depth > state.depth then
        unknown = unknown + 1
        return
    end
    unclosed = unclosed + (state.depth - depth)
    while state.depth >= depth do
        state.top, state.depth = state.top.parent, state.depth - 1
    end
end

-- Another coroutine will run now. Time until the next event is charged to the one in which that event
-- is, or to `thread`.
function measure.away(thread)
    if not is_on then return end
    event()
    thread_now, state = thread, thread and state_of(thread)
end

-- This coroutine runs again.
function measure.back()
    if is_on then event() end
end

-- ---------------------------------------------------------------- whole functions

-- Functions with any number of arguments are written differently in Lua 5.0, so both ways are here. In
-- Lua 5.0 long comments have no levels: the next lines are a comment there, and the lines for 5.0 are
-- one in all others.
--[=[
--[[ ]=]
local function leave_with(token, ...)
    measure.leave(token)
    return ...
end
function measure.wrap(func, name)
    return function(...) return leave_with(measure.enter(name), func(...)) end
end
local function back_with(before, ...)
    resumed = before
    measure.back()
    return ...
end
function measure.resume(thread, ...)
    local before = resumed
    measure.away(thread)
    resumed = thread
    return back_with(before, coroutine.resume(thread, ...))
end
function measure.yield(...)
    local mine = resumed
    measure.away()
    return back_with(mine, coroutine.yield(...))
end
--]]
--[==[ Lua 5.0
local function pack(...) return arg end
function measure.wrap(func, name)
    return function(...)
        local token = measure.enter(name)
        local results = pack(func(unpack(arg)))
        measure.leave(token)
        return unpack(results)
    end
end
function measure.resume(thread, ...)
    local before = resumed
    measure.away(thread)
    resumed = thread
    local results = pack(coroutine.resume(thread, unpack(arg)))
    resumed = before
    measure.back()
    return unpack(results)
end
function measure.yield(...)
    local mine = resumed
    measure.away()
    local results = pack(coroutine.yield(unpack(arg)))
    resumed = mine
    measure.back()
    return unpack(results)
end
--]==]

-- ---------------------------------------------------------------- start and stop

function measure.start()
    if is_on then return end
    clock = measure.clock
    if type(clock) ~= "function" then
        error("manual.lua: this Lua has no os.clock; set measure.clock to a function that returns seconds", 2)
    end
    recording = recording + MOST_DEPTH
    if recording > MOST_RECORDINGS * MOST_DEPTH then recording = MOST_DEPTH end
    main_root, thread_root = new_node(nil, "main"), new_node(nil, "threads")
    states = setmetatable({}, weak_keys)
    state, unclosed, unknown = nil, 0, 0
    if measure.thread and measure.thread() then MAIN = measure.thread() else MAIN = {} end
    resumed = nil
    is_on = true
    last = clock()
end

-- Numbers in full: a game may have a Lua that prints five digits.
local function whole(n) return string.format("%.0f", n) end
local function seconds(n) return string.format("%.14g", n) end

local function write(text)
    if measure.log then measure.log(text) else print(text) end
end

-- Write a line for each stack below `node`, callees first. Returns its total.
local function write_stacks(node, before, flags)
    local names, count = {}, 0
    for name in pairs(node.kids) do
        count = count + 1
        names[count] = name
    end
    table.sort(names) -- so that the order is the same in each run
    local total = node.self
    for i = 1, count do
        local kid = node.kids[names[i]]
        local text = before .. "=" .. string.gsub(kid.name, "[;%c]", " ") .. ",-1,?,-1"
        local kids_total = write_stacks(kid, text .. ";", flags)
        write("prof: " .. text .. ";" .. whole(kid.calls) .. "," .. seconds(kids_total) .. flags)
        total = total + kids_total
    end
    return total
end

function measure.stop()
    if not is_on then return end
    event()
    is_on = false
    local outside = main_root.self + thread_root.self
    local total = write_stacks(main_root, "", ",t,f") + write_stacks(thread_root, "", ",f,t") - outside
    write("Profiler: " .. seconds(total) .. "s in functions, " .. seconds(outside) .. "s outside of any")
    if unclosed > 0 then write("prof-note: " .. whole(unclosed) .. ",frames that an outer one's end has closed") end
    if unknown > 0 then write("prof-note: " .. whole(unknown) .. ",ends without a begin") end
    states, state, main_root, thread_root = nil, nil, nil, nil
end

return measure
