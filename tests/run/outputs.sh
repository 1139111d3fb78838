#!/bin/sh
# outputs.sh TOLL LIB - an output that cannot be written is refused before the program starts, if this can be known. A
# later failure causes one message and an exit status. The messages are the same for Lua and WebAssembly.
. "$(dirname "$0")/support.sh"

mkdir folder.trace.json
ln -s /dev/full full.trace.json
ln -s /dev/full full.folded
[ "$(id -u)" = 0 ] || { mkdir closed && chmod a-w closed; }

for guest in ok.lua tiny.wasm; do
    run 1 -o /nonexist/x.pb.gz $guest
    never_ran "-o in a folder that is not there, $guest"
    said "toll: /nonexist/x.pb.gz: cannot create: No such file or directory; name another file with -o"

    run 1 --timeline nonexist/x.trace.json $guest
    never_ran "--timeline in a folder that is not there, $guest"
    said "toll: $work/nonexist/x.trace.json: cannot create: No such file or directory; name another file with --timeline"

    run 1 --timeline folder.trace.json $guest
    never_ran "--timeline is a folder, $guest"
    said "toll: $work/folder.trace.json: is a folder; name a file in it with --timeline"

    run 1 -o . --to folded $guest
    never_ran "-o is a folder, $guest"
    said "toll: $work/.: is a folder; name a file in it with -o"

    run 2 --timeline t.xyz $guest
    never_ran "--timeline of no format, $guest"
    said "toll: run: 't.xyz' can hold no order in time; end it in .toll-timeline, .speedscope.json or .trace.json"

    run 2 --timeline t.html $guest
    never_ran "--timeline is a page, $guest"
    said "toll: run: a page has the order in time together with the profile: say -o t.html --timeline NAME.toll-timeline"

    run 2 --timeline t.trace.json -o t.trace.json $guest
    never_ran "two files of one name, $guest"

    if [ -d closed ]; then
        run 1 -o closed/x.folded $guest
        never_ran "-o in a folder that is not writable, $guest"
        said "toll: $work/closed/x.folded: cannot create: Permission denied; name another file with -o"
    fi

    run 1 -q -o full.folded $guest
    ran "full disk, $guest"
    said "toll: $work/full.folded: cannot write: No space left on device"

    run 1 -q --timeline full.trace.json $guest
    ran "full disk for the timeline, $guest"
    said "toll: $work/full.trace.json: cannot write: No space left on device"

    # Too large a file: a disk that is full after some bytes.
    (
        trap '' XFSZ
        ulimit -f 0
        "$toll" run -q -o late.folded $guest
        echo "status $?"
    ) 2>&1 | cat >err # a pipe has no size
    said "ran
toll: $work/late.folded: cannot write: File too large
status 1"
    [ ! -e late.folded ] || fail "too large, $guest: a file was left"
done

run 2 -o x.trace.json ok.lua # this format contains only the order in time
never_ran "-o x.trace.json"

# The program's own status goes before.
printf '#!/usr/bin/env lua5.4\nos.exit(7)\n' >seven.lua
run 7 -q -o full.folded seven.lua
printf '#!/usr/bin/env lua5.4\nerror("own")\n' >error.lua
run 1 -q -o full.folded error.lua
grep -q 'No space left' err || fail "an error of the program's hides ours: $(cat err)"

# Failures leave nothing behind.
left=$(find . -name '*.tmp')
[ -z "$left" ] || fail "left behind: $left"

# A timeline whose temporary file cannot be created: one message, and no crash.
TMPDIR=/nonexistent run 1 --timeline t.trace.json ok.lua
never_ran "TMPDIR is not there"
grep -q 'cannot create: No such file or directory; set TMPDIR to a folder with room' err || fail "TMPDIR: $(cat err)"
grep -q 'no profile was written' err && fail "TMPDIR: $(cat err)"

# A program that changes its folder (Lua has no chdir: its shell does).
mkdir elsewhere
run 0 -q -o here.folded --timeline here.trace.json sh -c 'cd elsewhere && exec lua5.4 ../ok.lua'
[ -f here.folded ] && [ -f here.trace.json ] || fail "relative names: $(find . -name 'here*')"

# Programs that let the profiler do nothing more, and those that have none.
cat >killed.lua <<'S'
os.execute("kill -9 $PPID")
S
run 137 -q lua5.4 killed.lua
grep -qxF "toll: no profile was written: lua5.4 was killed (Killed); with --timeline NAME.toll-timeline what is called until shortly before is kept" err || fail "killed: $(cat err)"
rm -f killed.toll-timeline
run 137 -q --timeline killed.toll-timeline lua5.4 killed.lua
grep -qxF "toll: no profile was written: lua5.4 was killed (Killed); killed.toll-timeline has what was called until shortly before" err || fail "killed: $(cat err)"
"$toll" report --tree killed.toll-timeline | grep -q execute || fail "the timeline of what was killed: $("$toll" report killed.toll-timeline 2>&1)"
run 137 -q --timeline killed.trace.json lua5.4 killed.lua
grep -qxF "toll: no profile was written: lua5.4 was killed (Killed); with --timeline NAME.toll-timeline what is called until shortly before is kept" err || fail "killed: $(cat err)"
run 1 true
grep -q '^toll: no profile was written: true did not load the profiler' err || fail "true: $(cat err)"
run 127 ./none
said "toll: cannot run ./none: No such file or directory"
finish
