#!/bin/sh
# command_lines.sh TOLL LIB [--update] - what toll run starts: the arguments of Node, the variables of Lua, and which
# Lua, by programs of these names that print what they get. Compares with command_lines.expected; --update writes it anew.
update=${3:-}
. "$(dirname "$0")/support.sh"
mkdir programs lua_only none
cat >programs/node <<'S'
#!/bin/sh
PATH=/usr/bin:/bin
printf '    %s:' "${0##*/}"
[ $# = 0 ] || printf ' <%s>' "$@"
echo
[ -z "${TOLL_LABELS:-}" ] || printf '    labels: %s\n' "$(echo "$TOLL_LABELS" | tr '\n' ';')"
if [ "${0##*/}" = node ]; then
    sed 's/^/    3: /' <&3
else
    printf '    init: %s\n' "$(printf %s "${LUA_INIT-none}" | tr '\n' ' ' | sed 's/^do local.* f(.toll run.) end/the profiler/')"
    env | sed -n '/^TOLL_RUN_REPORT/d; s/^TOLL_\(RUN\|KEPT\)_/\1_/p' | sort | tr '\n' ' ' | sed 's/^/    /; s/$/\n/'
    printf %s "${REPORT-LW}" >"/proc/self/fd/$TOLL_RUN_REPORT"
fi
exit "${STATUS:-0}"
S
chmod +x programs/node
for name in lua lua5.1 lua5.2 lua5.3 lua5.4 luajit; do cp programs/node programs/$name; done
tools=$PATH

# started ARGUMENTS...: what toll run with them starts and says. Places of this machine have names in capitals.
started() {
    echo "\$ toll run $*"
    PATH=${programs:-$work/programs}:$tools "$toll" run "$@" >started.out 2>&1
    status=$?
    sed "${stack-s/<--stack-size=[0-9]*> //}" started.out
    [ $status = 0 ] || echo "exit $status"
    find . -name '*.pb.gz' -o -name '*.folded' -o -name '*.html' -o -name '*.json' | xargs rm -f
}
tiny=app.wasm
cp "$here/../cli/data/asm/tiny.wasm" app.wasm
printf 'return 1\n' >plain.lua
mkdir sub

all() {
    started $tiny 1 -x
    for options in -q "-q --only x --skip y" "-q --no-ticks" "-q --no-calls --lines" "-q --invoke run" "-q --dir sub::guest --dir sub" \
        "-q --env A=1 --env B" "-q --frame-limit 5" "-q --costs fuel" "-q --value calls" "-q --fold-recursion" "-q --max-depth 7" \
        "-q --max-depth 0" "-q --keep-all" "-q --tree" "-n 5" "-n 0" "-q --clock none" "-q --clock wall" "-q --clock each" "-q --clock sampled" \
        "-q --heap" "-q --call-lines" "-q --call-kinds" "-q --lines" "-q --lines --inlines" "-q --label a=b --label c=d" \
        "-q -o x.folded" "-q -o x.folded --flamechart" "-q -o x.speedscope.json" "-q -o x.html" "-q -o x.trace.json" "-q --timeline t.trace.json" \
        "-q -o x.folded --lines" "-q -o x.callgrind --lines" "-q -o x.html --lines" "-q --no-ticks --clock none" \
        "--kernel --inbox i --preimages p --preimage-endpoint u --dal-pages-dir d --installer-config c --rollup r --pvm-version v --show store --show /a" \
        "--no-calls" "--no-calls --lines --call-lines" "--no-calls --lines --call-kinds" "--no-calls --lines --heap" "--no-calls --lines --no-ticks" \
        "--no-calls --lines --kernel" "--no-calls --lines --timeline t.trace.json" "--no-calls --lines -o x.trace.json" "--clock cpu" \
        "--clock sampled --timeline t.trace.json" "--clock sampled -o x.trace.json" "--no-ticks --clock none --timeline t.trace.json" "--inlines" "--skip-line-zero"; do
        # shellcheck disable=SC2086 # the options are words
        started $options $tiny
    done
    started missing.wasm
    STATUS=3 started -q $tiny

    started plain.lua 1 -x
    LUA_INIT='x = 1' started -q plain.lua
    LUA_INIT=@x.lua LUA_INIT_5_3='y = 2' started -q plain.lua
    for options in "-q --ticks" "-q --heap" "-q --join-threads" "-q --lines" "-q --call-lines" "-q --max-depth 7" "-n 5" "-q --clock cpu" "-q --clock none" \
        "-q --value calls" "-q --timeline t.trace.json" "-q --label a=b" "-q -o x.folded" "-q -o x.trace.json"; do
        # shellcheck disable=SC2086 # the options are words
        started $options plain.lua
    done
    for options in "--only x" "--skip x" "--no-ticks" "--no-calls" "--invoke x" "--dir sub" "--env A" "--kernel" "--inbox x" "--preimages x" "--preimage-endpoint x" \
        "--dal-pages-dir x" "--installer-config x" "--rollup x" "--pvm-version x" "--show store" "--costs fuel" "--fold-recursion" "--keep-all" "--flamechart" \
        "--tree" "--call-kinds" "--inlines" "--skip-line-zero"; do
        # shellcheck disable=SC2086 # the options are words
        started -o x.folded $options plain.lua
    done
    started missing.lua
    started lua5.2 -e 1
    STATUS=3 started -q plain.lua
    for report in '' L W F LF; do
        REPORT=$report started -q plain.lua
    done

    # Which Lua: that of the first line, else the first one that there is.
    n=0
    for first in "#!$work/programs/lua5.1" '#!/usr/bin/env lua5.2' '#!/usr/bin/env  luajit -O' '#! /opt/lua/bin/lua5.3' '#!/bin/sh' '#!lua' '#!/usr/bin/env' '#!' 'lua5.1' '# !/usr/bin/lua5.1'; do
        n=$((n + 1))
        printf '%s\n' "$first" >first.lua
        started -q first.lua
        [ $n -gt 3 ] || { cp first.lua first && started -q first; }
    done
    for name in lua lua5.4 lua5.3 lua5.2 lua5.1 luajit; do
        rm -f lua_only/*
        cp programs/node lua_only/$name
        programs=$work/lua_only tools=/none started -q plain.lua
    done
    programs=$work/none tools=/none started -q plain.lua
    programs=$work/none tools=/none started -q $tiny

    # Half of the stack that the process may have is the engine's.
    for kilobytes in 4095 4096 20000 65536 65540; do
        echo "$kilobytes KB:"
        (ulimit -Ss 4000 && ulimit -Hs $kilobytes && stack='' started -q $tiny)
    done
}
PATH=$PATH all 2>&1 | sed "s|$work/|WORK/|g; s|[^] =<[]*/lib/|LIB/|g; s|/[0-9]*\.pb|/N.pb|; s|\.[0-9]*\.pb\.gz|.N.pb.gz|" >found
if [ "$update" = --update ]; then
    cp found "$here/command_lines.expected"
else
    cmp -s found "$here/command_lines.expected" || fail "$(diff "$here/command_lines.expected" found)"
fi
finish
