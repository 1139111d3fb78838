#!/bin/sh
# overhead.sh TOLL LIB - what the profiler itself took of the time of a Lua script: the summary and the profile say how much, and
# report --no-overhead subtracts it, as integers. With ticks it is not known, which is said.
guests=lua
. "$(dirname "$0")/support.sh"
command -v jq >/dev/null 2>&1 || skip "there is no jq"
cat >calls.lua <<'S'
local type = type
local function leaf() end
local function calls(n)
    for i = 1, n do
        leaf()
        type(i)
    end
end
calls(100000)
S
total() { "$toll" report -q --json --rows 0 "$@" toll.pb.gz | jq "$query"; }
for lua in lua5.1 lua5.4 luajit; do
    command -v $lua >/dev/null 2>&1 || { echo "not tried: there is no $lua"; continue; }
    for options in "" --lines --call-lines "--clock wall"; do
        what="$lua $options"
        run 0 $options $lua calls.lua
        grep -q "^note: about [0-9.]* [mµ]*s of the time is the profiler's own; " err || fail "$what: the summary says: $(tail -5 err)"
        query='[.notes[].text | select(startswith("nanoseconds of the time, about, that recording took: "))]'
        case $options in
        --*lines) total >notes && grep -q ' lines"' notes || fail "$what: no note of lines: $(cat notes)" ;; # a call adds little
        *) query="$query | length" && [ "$(total)" = 4 ] || fail "$what: $(total) notes, not 4" ;;
        esac
        query='.notes[] | select(.text == "nanoseconds that the profiler took, about; not in the time") | .count > 0'
        [ "$(total)" = true ] || fail "$what: no note of the time that is left out"
        query=.total
        whole=$(total) without=$(total --no-overhead)
        query='.notes[] | select(.text == "nanoseconds of recording, taken off the time") | .count'
        off=$(total --no-overhead)
        [ "$whole" = $((without + off)) ] || fail "$what: $without and $off are not $whole"
        [ "$off" -gt 0 ] || fail "$what: nothing was subtracted"
        query='.functions[] | select(.name == "leaf") | .calls'
        [ "$(total)" = "$(total --no-overhead)" ] || fail "$what: other calls"
    done
done
run 0 --ticks lua5.4 calls.lua
grep "the profiler's own" err && fail "--ticks: the summary says: $(cat err)"
"$toll" report --no-overhead toll.pb.gz >out 2>err && fail "--ticks: --no-overhead is not refused"
said "toll: what the profiler itself took cannot be subtracted: the profile does not say how much that was"
finish
