#!/bin/sh
# end.sh TOLL LUA MODULES - ends of recordings: a signal while the profile is being written, recordings that are never
# stopped, forks, files that cannot be written. Exit 77: no such Lua.
set -u
toll=$1
lua=$2
modules=$3 # lib/lua/5.X/toll.so are under it
command -v "$lua" >/dev/null 2>&1 || { echo "skipped: there is no $lua"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
version=$("$lua" -e 'io.write((_VERSION:gsub("Lua ", "")))')
export LUA_CPATH="$modules/$version/?.so"
failed=0
fail() {
    echo "FAILED: $lua: $*"
    failed=1
}
wait_for() { # a file that is not empty
    n=0
    while [ ! -s "$1" ] && [ $n -lt 100 ]; do sleep 0.05; n=$((n + 1)); done
}

# SIGTERM at the normal end, while the profile is being written: into a pipe, which waits for a reader.
cat >late.lua <<'S'
local function work() return 1 end
work()
local stat = io.open("/proc/self/stat")
io.stdout:write(stat:read("*l"):match("%d+"), "\n")
io.stdout:flush()
if arg[1] == "exit" then os.exit(0) end
S
mkfifo pipe.folded
for way in return exit; do
    : >pid
    "$toll" run -q --to folded -o pipe.folded "$lua" late.lua $way >pid 2>err &
    run=$!
    wait_for pid
    sleep 0.3
    kill -TERM "$(cat pid)"
    sleep 0.1
    timeout 5 cat pipe.folded >late.folded
    wait $run
    status=$?
    [ $status = 143 ] || fail "$way, SIGTERM while writing: exit status $status"
    grep -q 'main chunk;work' late.folded || fail "$way, SIGTERM while writing: no profile; $(cat err)"
done

# A recording that was not stopped is written to the output of toll.start when the state closes and at os.exit.
cat >kept.lua <<'S'
local toll = require "toll"
local function work() return 1 end
toll.start { output = "kept-%p-%%.folded", clock = "none", ticks = true }
work()
if arg[1] == "stop" then assert(toll.stop()) end
if arg[1] == "fail" then error "x" end
if arg[1] == "exit" then os.exit(0) end
S
for way in return exit fail stop; do
    rm -f kept-*
    "$lua" kept.lua $way 2>err &
    pid=$!
    wait $pid
    grep -q ';work' "kept-$pid-%.folded" 2>/dev/null || fail "$way: no profile: $(ls) $(cat err)"
done
cat >term.lua <<'S'
local toll = require "toll"
toll.start { output = "term.folded" }
local function work() return 1 end
for _ = 1, 1e5 do work() end
io.stdout:write("go\n") io.stdout:flush()
while true do work() end
S
"$lua" term.lua >go &
pid=$!
wait_for go
kill -TERM $pid
wait $pid
[ $? = 143 ] && grep -q ';work' term.folded || fail "SIGTERM: no profile of toll.start"

# The same under toll run: both files are written.
cat >both.lua <<'S'
package.cpath = os.getenv("LUA_CPATH")
local toll = require "toll"
assert(toll.running())
toll.stop()
toll.start { output = "script.folded", ticks = true }
for _ = 1, 10 do tostring(1) end
S
"$toll" run -q -o both.pb.gz "$lua" both.lua || fail "toll.start under toll run"
[ -s script.folded ] && "$toll" check both.pb.gz >/dev/null || fail "toll.start under toll run: $(ls)"

# A fork has a file of its own, with what it did itself. (Only LuaJIT has a fork without another module.)
cat >fork.lua <<'S'
local ffi, toll = require "ffi", require "toll"
ffi.cdef "int fork(void); int waitpid(int pid, int *status, int options);"
local function before() end
local function in_child() end
local function in_parent() end
toll.start { output = arg[1], clock = arg[2], timeline = arg[3] }
local function forks()
    before()
    local pid = ffi.C.fork()
    if pid == 0 then
        for _ = 1, 20000 do in_child() end
        os.exit(0)
    end
    ffi.C.waitpid(pid, nil, 0)
    for _ = 1, 20000 do in_parent() end
    io.write(pid)
end
forks()
S
calls() { "$toll" convert -q --value calls "$1" --to folded -o - | grep -o '[a-z_]* [0-9]*$' | LC_ALL=C sort | tr '\n' ' '; }
if [ "$lua" = luajit ]; then
    for clock in wall cpu; do
        "$lua" fork.lua fork-%p.pb.gz $clock fork.trace.json >pid &
        parent=$!
        wait $parent
        child=$(cat pid)
        case $(calls "fork-$parent.pb.gz") in
        *'before 1 '*'in_parent 20000 '*) ;;
        *) fail "fork: the parent has $(calls "fork-$parent.pb.gz")" ;;
        esac
        case $(calls "fork-$child.pb.gz") in
        *before* | *in_parent*) fail "fork: the child has its parent's: $(calls "fork-$child.pb.gz")" ;;
        *'in_child 20000 '*) ;;
        *) fail "fork: the child has $(calls "fork-$child.pb.gz")" ;;
        esac
        for file in fork-$parent.pb.gz fork-$child.pb.gz fork.trace.json; do
            "$toll" check $file >check.out 2>&1 || fail "fork: $(cat check.out)"
        done
        grep -q in_child fork.trace.json && fail "fork: the child wrote into the parent's timeline"
        "$lua" fork.lua fork.pb.gz $clock >pid
        case $(calls fork.pb.gz) in
        *'before 1 '*'in_parent 20000 '*) ;;
        *) fail "fork: one file has $(calls fork.pb.gz)" ;;
        esac
    done
fi

# Neither clock nor ticks: calls are what there is to show.
cat >calls.lua <<'S'
local toll = require "toll"
toll.start { clock = "none" }
local function work() end
for _ = 1, 5 do work() end
toll.stop()
assert(toll.snapshot():report(5):find("calls: 5 in", 1, true), toll.snapshot():report(5))
toll.write("calls.folded")
toll.write("calls.pb.gz")
S
"$lua" calls.lua && grep -q ';work 5$' calls.folded || fail "clock = none: $(cat calls.folded)"
"$toll" report calls.pb.gz | grep -q '^calls: 5' || fail "clock = none: $("$toll" report calls.pb.gz)"

# A finalizer that ends the process, while only the profiler could have collected garbage: it must not, since in
# the middle of an event no file can be written.
cat >finalizer.lua <<'S'
local toll = require "toll"
local functions, grown = {}, {}
for i = 1, 300 do functions[i] = (loadstring or load)("return function() end", "=chunk " .. i)() end
collectgarbage()
collectgarbage("stop")
local function exit() os.exit(7) end
if newproxy then getmetatable(newproxy(true)).__gc = exit else setmetatable({}, { __gc = exit }) end
toll.start { output = "finalizer.folded" }
collectgarbage("restart")
for k = 1, 1e5 do grown[k] = k end -- memory without a collection, which the next one who allocates makes
grown = nil
for k = 1, #functions do functions[k]() end
toll.stop()
S
"$lua" finalizer.lua
status=$?
[ $status = 7 ] && [ -s finalizer.folded ] || fail "finalizer: exit status $status, $(ls finalizer.folded 2>&1)"

# What cannot be written: nil and a message, as Lua's io library has it. What is no name of a format: an error.
cat >fails.lua <<'S'
local toll = require "toll"
toll.start()
local ok, message = toll.write("no_such_folder/x.pb.gz")
assert(ok == nil and message:find("no_such_folder", 1, true), message)
ok, message = toll.snapshot():write("no_such_folder/x.pb.gz")
assert(ok == nil and message:find("no_such_folder", 1, true), message)
assert(toll.write("x.pb.gz") == true)
assert(toll.snapshot():write("x.pb.gz") == true)
assert(toll.stop() == true)
local function raises(text, f, ...)
    ok, message = pcall(f, ...)
    assert(not ok and message:find(text, 1, true), message)
end
raises("format", toll.write, "x.unknown")
raises("format", toll.write, "x.pb.gz", "unknown")
raises("string", toll.write)
raises("format", toll.start, { output = "x.unknown" })
raises("no_such_folder", toll.start, { output = "no_such_folder/x.pb.gz" })
raises("string", toll.start, { output = {} })
assert(not toll.running())
S
"$lua" fails.lua || fail "fails.lua"
exit $failed
