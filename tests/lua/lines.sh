#!/bin/sh
# lines.sh TOLL LUA MODULES - the executions and instructions of each line are those that a hook in plain Lua counts
# (lines_judge.lua), and the costs of a run are the same with lines as without. Exit 77: no such Lua.
set -u
toll=$1
lua=$2
modules=$3
. "$(dirname "$0")/begin.sh"
cp "$here/lines.lua" "$here/tree.lua" "$here/adopted.lua" .
failed=0
fail() {
    echo "FAILED: $lua: $*"
    failed=1
}

# lines PROFILE SCRIPT: rows "LINE INSTRUCTIONS EXECUTIONS" of the script's lines, over all stacks.
lines() {
    "$toll" convert -q "$1" --to callgrind -o - | awk -v script="$2" '
        /^fl=/ { if (match($0, /^fl=\([0-9]+\) /)) names[substr($0, 4, RLENGTH - 4)] = substr($0, RLENGTH + 1)
                 match($0, /\([0-9]+\)/); file = names[substr($0, RSTART, RLENGTH)] }
        /^cfi=/ { if (match($0, /^cfi=\([0-9]+\) /)) names[substr($0, 5, RLENGTH - 5)] = substr($0, RLENGTH + 1) }
        /^calls=/ { skip = 1; next }
        /^[0-9]/ && skip { skip = 0; next }
        /^[0-9]/ && file == script && $3 { ticks[$1] += $2; executions[$1] += $3; if ($1 > last) last = $1 + 0 }
        END { for (i = 1; i <= last; i++) if (i in executions) print i "\t" ticks[i] "\t" executions[i] }'
}

# Frames that are open when recording starts are at their lines, which is no execution; they cost nothing without
# a line. LuaJIT reports a line again after each Lua function that returns into it.
LUA_CPATH="$modules/$("$lua" -e 'io.write((_VERSION:gsub("Lua ", "")))')/?.so"
export LUA_CPATH
again() { [ "$lua" = luajit ] && echo "$1" || echo 0; }
cat >expected <<END
adopted.lua:10 11 5 $(again 2)
adopted.lua:10 12 1 1
inner 18 3 1
main 26 1 $(again 1)
main 27 5 1
main 28 2 1
outer 22 8 $(again 3)
outer 23 1 1
END
for options in lines call_lines; do
    "$lua" adopted.lua $options adopted.pb.gz || fail "adopted.lua $options"
    "$toll" annotate -q --json adopted.pb.gz | tr -d '"{},' | awk -F'[: ]' '
        sub(/^name:/, "") { name = $0; sub(/(file:| chunk).*/, "", name); next }
        /line:/ { gsub(/[a-z]+:/, " "); split($0, n, " "); if (n[2] && name != "spin") print name, n[1], n[2], n[4] }' | sort >found
    diff expected found >difference || fail "adopted.lua, $options: $(cat difference)"
done

for script in lines.lua tree.lua; do
    "$lua" "$here/lines_judge.lua" $script >judge || fail "the judge fails on $script"
    for mode in layout portable; do
        [ $mode = portable ] && export TOLL_RUN_PORTABLE=1
        for options in "--call-lines --ticks --clock none" "--lines --ticks --clock none" "--lines --clock wall"; do
            "$toll" run -q $options -o of.pb.gz "$lua" $script || fail "$mode: $script $options"
            fields=1-3
            [ "$options" = "--lines --clock wall" ] && fields=1,3 # time, in place of instructions
            lines of.pb.gz $script | cut -f $fields >found
            cut -f $fields judge | diff - found >difference ||
                fail "$mode: $options: $script: not what a hook counts: $(cat difference)"
            "$toll" check of.pb.gz >/dev/null || fail "$mode: $options: toll check"
            case $options in --lines*ticks*) mv of.pb.gz with.pb.gz ;; esac
        done
        # The sum over a function's places = what it costs without lines, in each stack.
        "$toll" run -q --ticks --clock none -o without.pb.gz "$lua" $script
        for value in ticks calls; do
            "$toll" convert -q --value $value with.pb.gz -o with.folded
            "$toll" convert -q --value $value without.pb.gz -o without.folded
            diff with.folded without.folded >difference ||
                fail "$mode: $script: $value is different without lines: $(cat difference)"
        done
        # The script's own hooks see what they see without the profiler; except that LuaJIT reports
        # a line to them again after a C function, as it does wherever there is a hook for calls.
        "$toll" run -q --lines -o hooked.pb.gz "$lua" "$here/lines_judge.lua" $script >hooked
        [ "$lua" = luajit ] || diff judge hooked >difference || fail "$mode: $script: other hooks: $(cat difference)"
        unset TOLL_RUN_PORTABLE
    done
done
exit $failed
