-- api.lua [portable] - uses require "toll" in a script: a start in the middle, earlier coroutines,
-- the script's own hooks. Writes profiles to the current directory; run.sh checks them.
local toll = require "toll"
local options = { clock = "none", portable = arg[1] == "portable" }
local function leaf() return 1 end
local function write(name) toll.write(name .. ".folded") end -- of calls: see run.sh

-- Frames that are open at the start are adopted, and not counted as called.
local function inner() leaf() toll.start(options) leaf() leaf() end
local function middle() inner() leaf() toll.stop() end
middle()
toll.write("adopted.pb.gz")
assert(not toll.running())

-- A coroutine that was suspended when profiling started, resumed both ways.
local function body()
    leaf()
    coroutine.yield()
    leaf()
    coroutine.yield()
    leaf()
end
local made = coroutine.create(body)
local wrapped = coroutine.wrap(body)
coroutine.resume(made)
wrapped()
toll.start(options)
coroutine.resume(made)
wrapped()
coroutine.resume(made)
wrapped()
toll.stop()
toll.write("before.pb.gz")

-- A hook that is set before the start keeps working; gethook returns it; it is set after the stop.
local function count_calls() local seen = 0 return function() seen = seen + 1 end, function() return seen end end
local hook, seen = count_calls()
debug.sethook(hook, "c")
local n = seen()
leaf() leaf()
local step = seen() - n
assert(step >= 2)
toll.start(options)
assert(debug.gethook() == hook)
n = seen()
leaf() leaf()
assert(seen() - n == step, "the script's hook saw " .. seen() - n .. " calls, not " .. step)
toll.stop()
local now, mask = debug.gethook()
assert(now == hook and mask == "c")
n = seen()
leaf() leaf()
assert(seen() - n == step)
debug.sethook()

-- A hook that is set while profiling stays too; one that is removed is gone.
toll.start(options)
local other, other_seen = count_calls()
debug.sethook(other, "r", 0)
leaf()
toll.stop()
assert(debug.gethook() == other and other_seen() > 0)
debug.sethook()
toll.start(options)
debug.sethook(other, "c")
debug.sethook()
toll.stop()
assert(debug.gethook() == nil)

-- On a coroutine of its own (LuaJIT has one hook for all).
if not jit then
    local co = coroutine.create(function() leaf() coroutine.yield() leaf() end)
    local of_co, co_seen = count_calls()
    debug.sethook(co, of_co, "c")
    coroutine.resume(co)
    local before = co_seen()
    toll.start(options)
    coroutine.resume(co)
    toll.stop()
    assert(co_seen() > before and debug.gethook(co) == of_co)
    toll.write("hooked.pb.gz")
end

-- The coroutine that started may die, and be collected.
local function starts() toll.start(options) leaf() end
local function collect() collectgarbage() collectgarbage() end
coroutine.wrap(starts)()
collect()
local w = coroutine.wrap(function() leaf() coroutine.yield() leaf() end)
w() w() leaf()
toll.stop()
toll.write("orphan.pb.gz")
pcall(coroutine.wrap(function() toll.start { clock = "none", heap = true } error("dies") end))
collect()
local kept = {}
for i = 1, 100 do kept[i] = { leaf() } end
toll.stop()
coroutine.wrap(starts)()
collect()
toll.stop()

-- A coroutine that was made meanwhile, and never ran, is free of our hook once it runs.
toll.start(options)
local late = coroutine.create(function() coroutine.yield() leaf() end)
toll.stop()
coroutine.resume(late)
assert(((select(2, debug.gethook(late))) or "") == "") -- 5.1 may return the function of a coroutine that had the same address

-- A global table with metamethods is not read through them; LuaJIT's compiler is as it was.
setmetatable(_G, { __index = function(_, k) error("undeclared " .. k, 2) end })
toll.start(options)
toll.stop()
setmetatable(_G, nil)
if jit then
    jit.off()
    toll.start(options)
    toll.stop()
    assert(not jit.status())
end

-- Starts and stops repeatedly, with a snapshot in the middle; errors are returned.
for _ = 1, 3 do
    toll.start(options)
    leaf()
    local half = toll.snapshot()
    leaf()
    toll.stop()
    assert(half:report(5):find("leaf", 1, true))
    assert(toll.snapshot():report(5):find("leaf", 1, true))
end
local function fails(text, f, ...)
    local ok, message = pcall(f, ...)
    assert(not ok and tostring(message):find(text, 1, true), tostring(message))
end
assert(select(2, toll.stop()):find("not on"))
toll.start(options)
assert(select(2, toll.start()):find("on already"))
toll.stop()
fails("clock", toll.start, { clock = "moon" })
assert(select(2, toll.write("no_such_directory/x.pb.gz")):find("no_such_directory", 1, true))
fails("format", toll.write, "x.unknown")
print "ok"

-- Sections: they outlive the function that began them, cross each other, and belong to their coroutine.
toll.start(options)
local function opens() assert(toll.section("whole")) leaf() end
opens()
assert(toll.section(7))
leaf()
local in_coroutine = coroutine.wrap(function() toll.section("inside") coroutine.yield() leaf() toll.finish("inside") end)
in_coroutine()
assert(toll.finish("whole"))
leaf()
in_coroutine()
assert(toll.finish(7))
local ok, message = toll.finish("whole")
assert(not ok and message == "toll: section 'whole': no such section is open", message)
leaf()
toll.section("left")
toll.stop()
assert(toll.section("nobody listens"))
toll.write("sections.pb.gz")
