#!/bin/sh
# breakout.sh TOLL DATA - all attempts of breakout.c fail in a confined command. With --no-confine they succeed, which
# shows that they are real. Attempts that fail on this machine in any case are named: these are not tested.
set -u
toll=$1
data=$2
case $("$toll" --version 2>/dev/null | sed -n 's/^confined: //p') in
"Landlock "[3-9]*", seccomp" | "Landlock "[1-9][0-9]*", seccomp") ;;
*)
    echo "skipped: here the command is confined by: $("$toll" --version | sed -n 's/^confined: //p')"
    exit 77
    ;;
esac
work=$(cd "$(mktemp -d)" && pwd -P)
sleep 1000 &
victim=$!
trap 'kill $victim; rm -rf "$work"' EXIT
failed=0

# prepare INPUT: in/ has the input and a program, outside/ what nobody has named, out/ is for outputs.
prepare() {
    rm -rf "$work/box"
    mkdir -p "$work/box/in" "$work/box/out" "$work/box/outside/empty"
    cp -r "$1" "$work/box/in/input"
    cp "$(command -v env)" "$work/box/in/program" # prints nothing where there is no environment
    for name in secret other third; do echo SECRET >"$work/box/outside/$name"; done
    ln -s ../outside/secret "$work/box/out/link"
}

# try INPUT ARGUMENTS: into $work/confined and $work/free.
try() {
    input=$1
    shift
    for way in confined free; do
        prepare "$input"
        option=
        [ $way = free ] && option=--no-confine
        command=$1
        shift
        (TOLL_BREAKOUT=$work/box TOLL_BREAKOUT_VICTIM=$victim \
            exec "$toll" "$command" $option "$@" >"$work/said" 2>&1 </dev/null)
        status=$?
        set -- "$command" "$@"
        cp "$work/box/results" "$work/$way"
        if [ $status != 42 ] || ! grep -q '^end done' "$work/$way"; then
            echo "FAILED: toll $* ($way) ended with $status, not where an input is opened"
            cat "$work/said"
            failed=1
        fi
    done
    sed -i '/^end /d' "$work/confined" "$work/free"
    if grep ' done' "$work/confined" >"$work/escaped"; then
        echo "FAILED: toll $*: not refused:"
        cat "$work/escaped"
        failed=1
    fi
    if grep ' works' "$work/free" | grep -vxFf "$work/confined" >"$work/missed"; then
        echo "FAILED: toll $*: refused, though the command needs it:"
        cat "$work/missed"
        failed=1
    fi
    cut -d" " -f1 "$work/confined" >"$work/names"
    if ! cut -d" " -f1 "$work/free" | cmp -s - "$work/names"; then
        echo "FAILED: toll $*: other attempts than without confinement"
        failed=1
    fi
    cat "$work/free" >>"$work/all"
}

try "$data/example.folded" report in/input
try "$data/example.folded" view --no-source in/input -o out/page.html
try "$data/example.folded" view --no-source in/input
try "$data/example.folded" annotate --no-source in/input
try "$data/example.folded" diff in/input in/input -o out/diff.pb.gz
try "$data/example.folded" merge -j 3 in/input in/input -o out/sum.pb.gz
try "$data/example.folded" convert in/input -o out/other.pb.gz
try "$data/example.folded" check in/input
try "$data/example.folded" check --write-budget out/new.budget in/input
try "$data/example.folded" instrument in/input -o out/module.wasm

# What was never done without confinement shows nothing when it is refused.
grep ' done' "$work/all" | sort -u >"$work/possible"
grep ' refused' "$work/all" | sort -u | while read -r name _ error; do
    grep -q "^$name done" "$work/possible" || echo "not tested here: $name ($error)"
done
echo "$(grep -c . "$work/possible") ways out are closed, for 10 command lines"
[ "$(grep -c . "$work/possible")" -ge 40 ] || { echo "FAILED: too few attempts work here to show anything"; failed=1; }
exit $failed
