#!/bin/sh
# run.sh TOLL LUA MODULES - compares `toll run LUA` with LUA by itself: the same output, errors and exit status for the
# scripts in this folder; the tree of tree.lua; signals; heap. Prints differences. Exit 77: no such Lua.
set -u
toll=$1
lua=$2
modules=$3 # lib/lua/5.X/toll.so are under it
. "$(dirname "$0")/begin.sh"
failed=0
fail() {
    echo "FAILED: $lua: $*"
    failed=1
}

# Addresses differ from run to run, with and without us.
plain_addresses() { sed 's/0x[0-9a-f]*/0x/g' "$1" >"$1.clean"; }

compare() { # script, toll's options...
    script=$1
    shift
    echo input | "$lua" "$script" A B >plain.out 2>plain.err
    plain=$?
    rm -f p.pb.gz
    echo input | "$toll" run -q -o p.pb.gz "$@" "$lua" "$script" A B >toll.out 2>toll.err
    status=$?
    for f in plain.out plain.err toll.out toll.err; do plain_addresses $f; done
    [ $status = $plain ] || fail "$script $*: exit status $status, without toll $plain"
    cmp -s plain.out.clean toll.out.clean || fail "$script $*: other output: $(diff plain.out.clean toll.out.clean | head -4)"
    cmp -s plain.err.clean toll.err.clean || fail "$script $*: other errors: $(diff plain.err.clean toll.err.clean | head -4)"
    "$toll" check p.pb.gz >check.out 2>&1 || fail "$script $*: $(cat check.out)"
}

cp "$here"/scripts/*.lua .
cp "$here/tree.lua" .
for script in *.lua; do
    compare "$script"
done
compare misc.lua --heap
LUA_INIT='print(debug.traceback("init"))' compare tree.lua
LUA_INIT='error("boom")' compare misc.lua
echo 'print("from a file", ...)' >init.lua
LUA_INIT=@init.lua compare misc.lua
compare co5.lua --join-threads
compare hook.lua --ticks
compare err.lua --timeline t.trace.json
"$toll" check t.trace.json >/dev/null || fail "the timeline is not sound"

# The tree, to the last call. Names of C functions called through values differ between versions, as
# do those of C functions without a name.
"$toll" run -q -o tree.pb.gz "$lua" "$here/tree.lua" || fail "tree.lua failed"
"$toll" convert -q --value calls tree.pb.gz -o tree.folded
sed -n 's/[^;]*+0x[0-9a-f]* /NATIVE /; s/built-in #[0-9]* /NATIVE /; s/^(lua);//p' tree.folded | grep -v 'coroutine\.\|;error ' | LC_ALL=C sort >tree.calls
cmp -s "$here/tree.expected" tree.calls || fail "another tree: $(diff "$here/tree.expected" tree.calls)"

# LuaJIT's built-in functions have a number where its layout is known.
same_names() { sed -i 's/built-in #[0-9]*/C function/' "$@"; }

# require "toll", by the layout of the interpreter and by the public functions alone.
version=$("$lua" -e 'io.write((_VERSION:gsub("Lua ", "")))')
expect() { # profile, what its calls must be
    "$toll" convert -q --value calls "$1.pb.gz" -o "$1.folded"
    sed 's/^(lua);//' "$1.folded" | LC_ALL=C sort >"$1.calls"
    printf '%s\n' "$2" | cmp -s - "$1.calls" || fail "api.lua $mode: $1 has $(cat "$1.calls")"
}
for mode in layout portable; do
    LUA_CPATH="$modules/$version/?.so" "$lua" "$here/api.lua" $mode >api.out 2>&1 || fail "api.lua $mode: $(cat api.out)"
    expect adopted 'main chunk;middle;inner;leaf 2
main chunk;middle;leaf 1'
    expect before 'api.lua:16;coroutine.yield 2
api.lua:16;leaf 4
main chunk;coroutine.resume 2
main chunk;wrapped 2'
    expect orphan 'api.lua:85;leaf 1
api.lua:89 1
api.lua:89;coroutine.yield 1
api.lua:89;leaf 2
main chunk;collect 1
main chunk;collect;collectgarbage 2
main chunk;coroutine.wrap 1
main chunk;leaf 1
main chunk;w 2'
    LUA_CPATH="$modules/$version/?.so" "$lua" "$here/in_coroutine.lua" $mode || fail "in_coroutine.lua $mode"
    case $lua in
    lua5.1) expect in_coroutine 'in_coroutine.lua:4;leaf 1' ;; # 5.1 gives no access to a main thread that was never ours
    *) expect in_coroutine 'in_coroutine.lua:4;leaf 1
main chunk;leaf 1' ;;
    esac
    [ "$lua" = luajit ] || expect hooked 'api.lua:72;leaf 1
main chunk;coroutine.resume 1'
    expect sections 'api.lua:150 1
api.lua:150;inside 1
api.lua:150;inside;coroutine.yield 1
api.lua:150;inside;leaf 1
main chunk;7;assert 1
main chunk;7;in_coroutine 1
main chunk;7;leaf 1
main chunk;assert 2
main chunk;leaf 1
main chunk;left 1
main chunk;opens 1
main chunk;opens;whole 1
main chunk;opens;whole;assert 1
main chunk;opens;whole;leaf 1
main chunk;whole;7 1
main chunk;whole;7;assert 1
main chunk;whole;7;coroutine.wrap 1
main chunk;whole;7;in_coroutine 1
main chunk;whole;7;leaf 1'
    TOLL_RUN_PORTABLE=$mode
    [ $mode = portable ] && export TOLL_RUN_PORTABLE
    "$toll" run -q -o p.pb.gz "$lua" "$here/tree.lua" || fail "$mode: tree.lua failed"
    unset TOLL_RUN_PORTABLE
    "$toll" convert -q --value calls p.pb.gz -o p.folded
    same_names tree.folded p.folded
    cmp -s p.folded tree.folded || fail "$mode: another tree: $(diff tree.folded p.folded)"
done

# Ends of C functions and coroutine switches that are foreseen, by the layout and not.
for mode in layout portable; do
    [ $mode = portable ] && export TOLL_RUN_PORTABLE=1
    "$toll" run -q -o ends.pb.gz "$lua" ends.lua >/dev/null || fail "$mode: ends.lua failed"
    unset TOLL_RUN_PORTABLE
    "$toll" convert -q --value calls ends.pb.gz -o $mode.folded
    grep -q ';' $mode.folded || fail "$mode: ends.lua has no stacks"
done
same_names layout.folded portable.folded
cmp -s layout.folded portable.folded || fail "ends.lua: $(diff layout.folded portable.folded | head -4)"

# More functions and coroutines than any table has room for at first: each is there, with its calls.
cat >many.lua <<'S'
local text = {}
for i = 1, 3000 do text[i] = ("function f%d() end f%d() f%d()\n"):format(i, i, i) end
for i = 1, 300 do text[#text + 1] = ("function g%d() coroutine.yield() end\n"):format(i) end
assert((loadstring or load)(table.concat(text), "=many"))()
local all = {}
for i = 1, 300 do all[i] = coroutine.create(_G["g" .. i]) end
for _ = 1, 2 do for i = 1, 300 do assert(coroutine.resume(all[i])) end end
S
for mode in layout portable; do
    [ $mode = portable ] && export TOLL_RUN_PORTABLE=1
    "$toll" run -q -o many.pb.gz "$lua" many.lua || fail "$mode: many.lua failed"
    unset TOLL_RUN_PORTABLE
    "$toll" convert -q --value calls many.pb.gz -o many.folded
    [ "$(grep -c ';f[0-9]* 2$' many.folded)" = 3000 ] || fail "$mode: many.lua: not each function is called twice"
    [ "$(grep -cE '(g[0-9]+|many:[0-9]+) 1$' many.folded)" = 300 ] || fail "$mode: many.lua: not each coroutine's function is there"
    "$toll" check many.pb.gz >check.out 2>&1 || fail "$mode: many.lua: $(cat check.out)"
done

# Stacks of any depth, of the program and of a coroutine, also where an error ends them all.
cat >deep.lua <<'S'
function down(n) if n > 0 then return 1 + down(n - 1) end return 0 end
function fall(n) if n > 0 then return 1 + fall(n - 1) end error("end") end
function both(n) down(n) pcall(fall, n) end
for _, n in ipairs { 1, 5, 6, 7, 8, 9, 14, 15, 16, 17, 31, 32, 33, 900 } do
    both(n)
    coroutine.wrap(both)(n)
end
S
for mode in layout portable; do
    [ $mode = portable ] && export TOLL_RUN_PORTABLE=1
    "$toll" run -q -o deep.pb.gz "$lua" deep.lua || fail "$mode: deep.lua failed"
    unset TOLL_RUN_PORTABLE
    "$toll" check deep.pb.gz >check.out 2>&1 || fail "$mode: deep.lua: $(cat check.out)"
    for f in down fall; do
        # How many calls there are, and how many have 1, 8, ... above them: those of a coroutine as well.
        "$toll" convert -q --value calls deep.pb.gz --to folded |
            awk -v f=$f '{ value = $NF; sub(/ [0-9]*$/, ""); n = split($0, frames, ";"); if (frames[n] != f) next
                           sum += value; for (i = 1; frames[i] != f; i++); depth[n - i + 1] += value }
                         END { print sum, depth[1], depth[2], depth[9], depth[17], depth[33], depth[34], depth[901] }' >deep.calls
        echo '2216 28 28 20 12 6 4 2' | cmp -s - deep.calls || fail "$mode: deep.lua: $f has $(cat deep.calls)"
    done
done

# What runs after a call has ended is the caller's, however the call ended: a million instructions each.
cat >after.lua <<'S'
function varargs(...) return select("#", ...) end
function fails() error("x") end
function last() return 1 end
function tail() return last() end
function generator() while true do coroutine.yield(1) end end
meta = setmetatable({}, { __index = function(_, k) return k end })
function after_varargs() varargs(1, 2, 3) for i = 1, 1e6 do end end
function after_no_varargs() varargs() for i = 1, 1e6 do end end
function after_error() pcall(fails) for i = 1, 1e6 do end end
function after_tail() tail() for i = 1, 1e6 do end end
function after_meta() local x = meta.y for i = 1, 1e6 do end end
function after_native() math.floor(1.5) for i = 1, 1e6 do end end
function after_callback() ("a"):gsub("a", last) for i = 1, 1e6 do end end
wrapped = coroutine.wrap(generator)
function after_yield() wrapped() for i = 1, 1e6 do end end
function after_end() coroutine.wrap(last)() for i = 1, 1e6 do end end
function after_resume() coroutine.resume(coroutine.create(last)) for i = 1, 1e6 do end end
local function bad() math.floor({}) end
local function nested() pcall(math.floor, 1) bad() end
function after_bad() pcall(bad) for i = 1, 1e6 do end end
function after_bad_native() pcall(math.floor, {}) for i = 1, 1e6 do end end
function after_nested() pcall(nested) for i = 1, 1e6 do end end
function after_bad_callback() pcall(string.gsub, "a", "a", bad) for i = 1, 1e6 do end end
function after_bad_coroutine() coroutine.resume(coroutine.create(nested)) for i = 1, 1e6 do end end
function after_bad_wrapped() pcall(coroutine.wrap(bad)) for i = 1, 1e6 do end end
function after_bad_inside() coroutine.wrap(function() pcall(coroutine.wrap(nested)) end)() for i = 1, 1e6 do end end
function after_iterator() for v in coroutine.wrap(function() coroutine.yield(1) end) do end for i = 1, 1e6 do end end
function after_second() local w = coroutine.wrap(generator) w() w() for i = 1, 1e6 do end end
function after_dead() local w = coroutine.wrap(last) w() pcall(w) for i = 1, 1e6 do end end
function after_dead_resume() local co = coroutine.create(last) for _ = 1, 2 do coroutine.resume(co) end for i = 1, 1e6 do end end
function after_no_yield() pcall(coroutine.yield) for i = 1, 1e6 do end end
function after_going_on() coroutine.yield() coroutine.yield() for i = 1, 1e6 do end end
function go_on() local w = coroutine.wrap(after_going_on) w() w() w() end
function after_failed() local co = coroutine.create(function() coroutine.yield() coroutine.yield() fails() end)
    for _ = 1, 4 do coroutine.resume(co) end for i = 1, 1e6 do end end
for _, f in ipairs { after_varargs, after_no_varargs, after_error, after_tail, after_meta, after_native,
                     after_callback, after_yield, after_end, after_resume, after_iterator,
                     after_bad, after_bad_native, after_nested, after_bad_callback, after_bad_coroutine,
                     after_bad_wrapped, after_bad_inside, after_second, after_dead, after_dead_resume,
                     after_no_yield, go_on, after_failed } do f() end
S
after() { # value, least and most of each function's self, options of toll run...
    value=$1
    least=$2
    most=$3
    shift 3
    "$toll" run -q "$@" -o after.pb.gz "$lua" after.lua || fail "after.lua failed"
    "$toll" report --value "$value" --json after.pb.gz >after.json
    after=$(sed -n 's/.*"name":"\(after_[a-z_]*\)".*"self":\([0-9]*\).*/\1 \2/p' after.json)
    [ "$(echo "$after" | awk -v least="$least" -v most="$most" '$2 >= least && $2 < most' | wc -l)" = 24 ] ||
        fail "after.lua, $value: $after"
    grep -q 'returns without a call' after.json && fail "after.lua, $value: returns without a call"
}
after ticks 1000000 1000100 --ticks
# In time, where instructions are not counted: no Lua runs a million of them in 0.1 ms.
after cpu 100000 1e30 --clock cpu

# A signal: the profile is there, and the status is the signal's.
cat >spin.lua <<'S'
local function spin() local x = 0 for i = 1, 1e5 do x = x + i % 7 end return x end
io.stdout:write("go\n") io.stdout:flush()
while true do spin() end
S
wait_for_go() {
    n=0
    while ! grep -q go spin.out 2>/dev/null && [ $n -lt 100 ]; do sleep 0.05; n=$((n + 1)); done
    sleep 0.2
}
rm -f s.pb.gz
"$toll" run -q -o s.pb.gz "$lua" spin.lua >spin.out 2>/dev/null &
pid=$!
wait_for_go
kill -TERM $pid
wait $pid
status=$?
[ $status = 143 ] || fail "SIGTERM: exit status $status"
"$toll" check s.pb.gz >/dev/null 2>&1 || fail "SIGTERM: no sound profile"

# SIGINT to the command alone reaches the program. (Background jobs of a shell ignore it by default.)
: >spin.out
perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$toll" run -q -o i.pb.gz "$lua" spin.lua >spin.out 2>/dev/null &
pid=$!
wait_for_go
kill -INT $pid
wait $pid
status=$?
[ $status != 0 ] || fail "SIGINT was not passed on"
"$toll" check i.pb.gz >/dev/null 2>&1 || fail "SIGINT: no sound profile"

# Heap: what is kept is in use, what is dropped is not.
cat >heap.lua <<'S'
kept = {}
function keep() for i = 1, 100 do kept[i] = ("k"):rep(10000) .. i end end
function drop() for i = 1, 100 do local s = ("d"):rep(10000) .. i end end
keep() drop() collectgarbage() collectgarbage()
os.exit(0)
S
"$toll" run -q --heap -o h.pb.gz "$lua" heap.lua || fail "heap.lua failed"
value() { "$toll" report --value "$1" --json h.pb.gz | sed -n "s/.*\"name\":\"$2\".*\"total\":\([-0-9]*\).*/\1/p"; }
[ "$(value inuse_space keep)" -gt 1000000 ] || fail "heap: keep has $(value inuse_space keep) bytes in use"
[ "$(value inuse_space drop)" -lt 100000 ] || fail "heap: drop has $(value inuse_space drop) bytes in use"
[ "$(value alloc_space drop)" -gt 1000000 ] || fail "heap: drop allocated $(value alloc_space drop) bytes"
exit $failed
