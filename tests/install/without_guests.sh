#!/bin/sh
# without_guests.sh SOURCE CMAKE - libtoll, the command and toll.wasm without Solana and Supreme Commander: nothing of them is
# left, options and formats say so, and other formats are read.
set -u
source=$1
cmake=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
"$cmake" -S "$source" -B "$work" -DTOLL_SOLANA=OFF -DTOLL_SUPCOM=OFF -DTOLL_TESTS=OFF -DTOLL_BENCH=OFF -DTOLL_WERROR=ON >"$work/log" 2>&1 &&
    "$cmake" --build "$work" -j 2 >>"$work/log" 2>&1 || { grep -A3 -iE "error|undefined" "$work/log"; exit 1; }
toll=$work/bin/toll
data=$source/tests/cli/data
"$toll" --version | grep -q '^Solana: no, left out of this build$' || fail "--version does not say that Solana is left out"
"$toll" --version | grep -q '^Supreme Commander: no' || fail "--version does not say that Supreme Commander is left out"
"$toll" convert --help | grep -v -e --strict | grep -E 'Solana|supcom|games' && fail "--help has their options"
"$toll" report --from solana "$data/transfer.log" 2>&1 | grep -q "no format is called 'solana'" || fail "--from solana"
"$toll" report "$data/transfer.log" 2>/dev/null && fail "a log of Solana is read"
"$toll" report "$data/example.folded" >"$work/report" || fail "a folded file is not read"
grep -q calls "$work/report" || grep -q self "$work/report" || fail "no report"
nm "$work/lib/libtoll.a" 2>/dev/null | grep -E ' T toll_(solana|supcom|svm|sbf_read)' && fail "functions of theirs are in libtoll.a"
exit $failed
