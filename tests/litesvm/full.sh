#!/bin/sh
# full.sh TOLL DIR - what is left of a run when a disk is full: that of the profiles, that of temporary files, that of
# SBF_TRACE_DIR. DIR has the package and the project, as run.sh leaves them. The disks are of 64 KiB, in a name space of
# this script's own, which needs no rights of root where the system grants one; else it prints why and ends with 77.
set -eu
toll=$1
dir=$2
if [ "${3:-}" != inside ]; then
    [ -e "$dir/project/target" ] || { echo "skipped: the test litesvm has left no project"; exit 77; }
    why=$(unshare --user --map-root-user --mount true 2>&1) || { echo "skipped: no disk can be mounted here: $why"; exit 77; }
    exec unshare --user --map-root-user --mount sh "$0" "$toll" "$dir" inside
fi
project=$dir/project
dir=$dir/full
disk=$dir/disk
rm -rf "$dir"
mkdir -p "$disk" "$dir/temporary"
why=$(mount -t tmpfs -o size=64k tmpfs "$disk" 2>&1) || { echo "skipped: no disk can be mounted here: $why"; exit 77; }
cp -r "$project/script.mjs" "$project/world.cjs" "$project/target" "$dir"
TMPDIR=$dir/temporary NO_COLOR=1
export TMPDIR NO_COLOR
cd "$dir"

fail() { echo "FAILED: $1"; cat full.log; ls -lR "$disk"; exit 1; }
fill() { # HOW MUCH is free after it
    dd if=/dev/zero of="$disk/filling" bs=1k >/dev/null 2>&1 || true
    truncate -s "-$1" "$disk/filling"
}
runs() { # STATUS, script: its output is full.log
    status=0
    node "$2" >full.log 2>&1 || status=$?
    [ $status = "$1" ] || fail "status $status instead of $1"
}
says() { grep -qF -- "$1" full.log || fail "does not say: $1"; }
left() { (cd "$disk" && find . -type f ! -name filling -exec cksum {} + | sort -k 3); }
total() { "$toll" report -q --json "$1" | grep -o '"total": *[0-9]*' | head -n 1 | tr -dc 0-9; }

# Profiles: those of the run before stay whole, nothing else is left, and the table is printed all the same.
ln -s "$disk" toll-profiles
runs 0 script.mjs
left >before
[ "$(wc -l <before)" = 4 ] || fail "the files of a run"
for free in 0 4k 8k; do
    fill "$free"
    runs 1 script.mjs
    says "106             1       0  outside of tests"
    says "toll: profiles are not written"
    says "Error: toll-litesvm: cannot write toll-profiles/"
    says "ENOSPC: no space left on device; free some space there, and run the tests again"
    left | cmp - before || fail "other files are left"
    [ ! -e "$disk/.lock" ] || fail "the lock is left"
done
rm -r toll-profiles "$disk"/*

# Temporary files: units by the log alone.
for free in 0 4k; do
    fill "$free"
    TMPDIR=$disk runs 0 script.mjs
    says "note: transactions whose functions are unknown: 1: "
    says "KiB are free in $disk; if that was too little for the traces free some space, or set TMPDIR to another folder"
    [ "$(total toll-profiles/script.mjs.pb.gz)" = 106 ] || fail "the total"
    left | cmp - /dev/null || fail "files are left"
done
TMPDIR=$dir/nowhere runs 1 script.mjs
says "cannot write the register traces into $dir/nowhere (TMPDIR): ENOENT: no such file or directory; see that it can be written"

# The user's own folder of traces: none of a transaction if there is no room for all.
for free in 0 4k; do
    fill "$free"
    SBF_TRACE_DIR=$disk/traces runs 0 script.mjs
    says "note: transactions whose traces are not in SBF_TRACE_DIR: 1: cannot write $disk/traces"
    left | cmp - /dev/null || fail "files are left"
done
rm "$disk/filling"
SBF_TRACE_DIR=$disk/traces runs 0 script.mjs
[ "$(total "$disk/traces")" = 106 ] || fail "the traces that are left"
echo "where a disk is full it is said, and nothing is left half-written"
