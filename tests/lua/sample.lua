-- Records samples in this script; sample.sh runs it in every Lua. Writes sampled.pb.gz.
local toll = require "toll"
local failed = false
local function check(good, what)
    if not good then
        print("FAILED: " .. what)
        failed = true
    end
end

-- What cannot be.
local function refused(what, options, text)
    local ok, message = pcall(toll.start, options)
    check(not ok and message:find(text, 1, true), what .. ": " .. tostring(message))
end
refused("mode", { mode = "some" }, "mode is 'exact' or 'sample', not 'some'")
refused("hz alone", { hz = 10 }, "hz goes with mode = 'sample'")
refused("hz of 0", { mode = "sample", hz = 0 }, "hz is a number from 1 to 10000")
refused("too many hz", { mode = "sample", hz = 10001 }, "hz is a number from 1 to 10000")
for _, option in ipairs { "ticks", "heap", "join_threads" } do
    refused(option, { mode = "sample", [option] = true }, option .. " needs every call")
end
refused("timeline", { mode = "sample", timeline = "t.trace.json" }, "timeline needs every call")
if not jit then refused("lines", { mode = "sample", lines = true }, "lines of samples are for LuaJIT alone") end

-- A program: heavy takes ten times as long as light; a coroutine waits for its turn in between.
local function spin(ms)
    local till = os.clock() + ms / 1000
    local x = 0
    while os.clock() < till do
        for i = 1, 2000 do x = x + i % 7 end
    end
    return x
end
local function heavy() return (spin(30)) end
local function light() return (spin(3)) end
local function deep(n)
    if n == 0 then return (spin(60)) end
    return 1 + deep(n - 1)
end
local function body()
    for _ = 1, 3 do
        spin(20)
        coroutine.yield()
    end
end

local outer = os.clock()
toll.start { mode = "sample", hz = 1000 }
check(toll.running(), "it does not run")
check(toll.start { mode = "sample" } == nil, "two recordings at once")
local ok, message = toll.section("part")
check(ok == false and message:find("samples has no sections", 1, true), "a section: " .. tostring(message))
local inner = os.clock()
for _ = 1, 5 do
    heavy()
    light()
end
local turns = coroutine.wrap(body)
turns() turns() turns()
deep(500)
local middle = toll.snapshot()
for _ = 1, 20 do -- a snapshot charges the time up to it, once
    spin(1)
    toll.snapshot()
end
inner = os.clock() - inner
toll.stop()
outer = os.clock() - outer
check(not toll.running(), "it runs after its end")
check(toll.write("sampled.pb.gz"), "it cannot be written")
check(middle:write("middle.pb.gz"), "a snapshot cannot be written")

-- Sampled again and again, while it works, the process lives.
local spun = 0
for _ = 1, 200 do
    toll.start { mode = "sample", hz = 10000 }
    for i = 1, 2000 do spun = spun + i % 7 end
    toll.stop()
end

-- Functions without end: each has its name, however many there were before.
local compile, padding = loadstring or load, ("-"):rep(980)
toll.start { mode = "sample", hz = 10000 }
for i = 1, 1600 do
    compile("--" .. padding .. "\nlocal till = os.clock() + 0.0004 while os.clock() < till do end return " .. i)()
end
toll.stop()
check(not toll.snapshot():report(0):find("(unknown)", 1, true), "functions without a name")

if jit then
    local profile = require "jit.profile"
    profile.start("f", function() end)
    local good, why = pcall(toll.start, { mode = "sample" })
    check(not good and why:find("LuaJIT's profiler is in use", 1, true), "jit.profile runs: " .. tostring(why))
    profile.stop()
    toll.start { mode = "sample" }
    toll.stop()
end
local file = assert(io.open("clock", "w"))
file:write(string.format("%.0f %.0f\n", inner * 1e9, outer * 1e9))
file:close()
os.exit(failed and 1 or 0)
