#!/bin/sh
# ended.sh HOST MODULE - a signal, or exit, ends a process in which three threads record (ended.c): each thread has its
# profile, no file is half written, and the status is that of the signal.
set -u
host=$1
export LUA_CPATH="$2"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
for way in signal exit; do
    rm -f ./*
    timeout 20 "$host" $way
    status=$?
    case $way$status in
    signal143 | exit0) ;;
    *) echo "FAILED: $way: status $status"; failed=1 ;;
    esac
    grep -q work a.folded && grep -q work b.folded && grep -q work asleep.folded ||
        { echo "FAILED: $way: not all profiles were written"; failed=1; }
    [ "$(ls)" = "$(printf 'a.folded\nasleep.folded\nb.folded')" ] || { echo "FAILED: $way: $(ls)"; failed=1; }
done
exit $failed
