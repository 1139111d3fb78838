-- arguments.lua - prints what the functions of toll return or raise, for arguments that are right and wrong. arguments.sh
-- compares it with arguments.expected, which is the same for every Lua.
local toll = require "toll"
local function shown(v)
    if type(v) == "userdata" then return "userdata" end
    -- Names of functions in messages, and their places, differ between versions.
    return (tostring(v):gsub("bad argument #(%d) to '[^']*'", "bad argument #%1"):gsub("calling '[^']*' on bad self", "bad argument #1")
        :gsub("^[^ ]*arguments.lua:%d+: ", ""):gsub(", got no value", ", got nil"):gsub(" expected, got .*%)", " expected)"))
end
local function try(name, f, ...)
    local results = { pcall(f, ...) }
    for i = 1, 4 do if results[i] ~= nil then results[i] = shown(results[i]) elseif i < 3 and results[i + 1] ~= nil then results[i] = "nil" end end
    print(name .. ": " .. table.concat(results, " | "))
end
-- The stacks below `recorded`, which do not differ between versions.
local function stacks(name)
    local file = io.open(name)
    if not file then return "    no file" end
    local text, lines = file:read "*a", {}
    file:close()
    for line in text:gmatch "recorded[^\n]*" do lines[#lines + 1] = line end
    table.sort(lines)
    return "    " .. table.concat(lines, ", ")
end
function leaf() end
function deep(n) if n > 0 then deep(n - 1) return end leaf() end
function fails() error "ends" end
function inner() leaf() coroutine.yield() deep(0) end
function body()
    leaf()
    local co = coroutine.create(inner)
    coroutine.resume(co)
    coroutine.yield()
    coroutine.resume(co)
    leaf()
end
function recorded(what)
    leaf()
    if what == "deep" then deep(3) end
    if what ~= "coroutines" then return end
    local co = coroutine.create(body)
    coroutine.resume(co)
    leaf()
    coroutine.resume(co)
    coroutine.resume(coroutine.create(deep), 1)
    coroutine.resume(coroutine.create(fails))
    leaf()
end
local function record(name, options, what)
    options.clock = options.clock or "none"
    try("start " .. name, toll.start, options)
    if not toll.running() then return end
    recorded(what)
    try("stop " .. name, toll.stop)
    if options.ticks then return end
    toll.write "of.folded"
    print(stacks "of.folded")
end

print("running", toll.running())
try("stop", toll.stop)
try("snapshot", toll.snapshot)
try("write", toll.write, "x.folded")
try("section", toll.section, "a")
try("finish", toll.finish, "a")
for _, wrong in ipairs { 5, "x", true } do try("start " .. tostring(wrong), toll.start, wrong) end
for _, case in ipairs {
    { "max_depth", "x" }, { "max_depth", "3" }, { "max_depth", -1 }, { "max_depth", 1000000001 }, { "max_depth", true },
    { "timeline", {} }, { "timeline", 5 }, { "timeline", "x.txt" }, { "timeline", true }, { "output", {} }, { "output", "x.txt" },
    { "output", "none/x.folded" }, { "output", "/none/x.folded" }, { "output", "none.folded/" }, { "output", false }, { "clock", {} }, { "clock", "moon" }, { "clock", "" },
} do
    local options = { clock = "none" }
    options[case[1]] = case[2]
    try(("start %s = %s"):format(case[1], tostring(case[2]):gsub("0x%x+", "")), toll.start, options)
    if toll.running() then toll.stop() end
end
try("start twice", function() toll.start { clock = "none" } return toll.start() end)
print("running", toll.running())
try("stop", toll.stop)
try("stop again", toll.stop)
print("running", toll.running())

for _, depth in ipairs { 0, 1, 2, 3, 4, 1000000000 } do record("max_depth " .. depth, { max_depth = depth }, "deep") end
record("join_threads", { join_threads = true }, "coroutines")
record("no join_threads", { join_threads = false }, "coroutines")
record("ticks", { ticks = true })
for _, clock in ipairs { "wall", "cpu", "none" } do
    toll.start { clock = clock }
    leaf()
    toll.stop()
    print("clock " .. clock .. ": " .. toll.snapshot():report(1):match "^[^:]*")
end
record("output", { output = "kept.folded" }, "deep")
print(stacks "kept.folded")
record("output below", { output = "./below.folded" })
print(stacks "below.folded")
record("output in a folder", { output = os.getenv "PWD" .. "/folder.folded" })
print(stacks "folder.folded")
for _, name in ipairs { "t.toll-timeline", "t.trace.json", "t.speedscope.json" } do
    record("timeline " .. name, { timeline = name, ticks = true })
    print("    " .. (io.open(name) and "written" or "no file"))
    record("no timeline", {}) -- after one
end

toll.start { clock = "none" }
leaf()
local half = toll.snapshot()
leaf()
toll.stop()
for _, rows in ipairs { 0, 1, 20 } do
    local text = half:report(rows)
    print("report " .. rows, text:match "^[^\n]*", select(2, text:gsub("\n", "")))
end
try("report", function() return (half:report():match "^[^\n]*") end)
try("report x", half.report, half, "x")
try("report of nothing", half.report)
try("report of a file", half.report, io.stdout)
for _, arguments in ipairs { {}, { "x.unknown" }, { "x", "unknown" }, { "x", "folded" }, { "y.folded" }, { "z.pb.gz", "folded" }, { "none/x.folded" }, { {} }, { "x", {} }, { "t.trace.json" } } do
    try("write " .. tostring(arguments[1]):gsub("0x%x+", "") .. " " .. tostring(arguments[2]):gsub("0x%x+", ""), toll.write, arguments[1], arguments[2])
    try("    of the half", half.write, half, arguments[1], arguments[2])
end
print(io.open("x"):read "*a" == io.open("y.folded"):read "*a", io.open("z.pb.gz"):read(1) == "\31")
try("write of nothing", half.write, 5, "x.folded")
getmetatable(half).__gc(half)
try("report after the end", half.report, half)
try("write after the end", half.write, half, "x.folded")
getmetatable(half).__gc(half)

toll.start { clock = "none" }
for _, id in ipairs { "a", 7, "a", "" } do try("section " .. tostring(id), toll.section, id) end
for _, id in ipairs { "b", 7, "a", "a", "a", "" } do try("finish " .. tostring(id), toll.finish, id) end
for _, f in ipairs { "section", "finish" } do
    try(f .. " of nothing", toll[f])
    try(f .. " of a table", toll[f], {})
end
toll.stop()
try("section", toll.section, "late")
try("finish", toll.finish, "late")
