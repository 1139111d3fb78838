#!/bin/sh
# run.sh TOLL DIR - installs the npm packages into DIR, runs token programs there with their registers
# traced (trace.mjs), and holds what Toll makes of the traces to the logs (check.mjs); runs programs that
# end in every way (ends.mjs), and holds totals to what the machine charged (check_ends.mjs); each system call's
# price (prices.mjs, check_prices.mjs); names instructions as the programs' clients do (names.mjs).
set -eu
toll=$1
source=$(cd "$(dirname "$0")" && pwd)
dir=$2
for program in node npm; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
[ "$(node -p 'process.versions.node.split(".")[0] >= 20')" = true ] ||
    { echo "skipped: litesvm needs node 20, this is $(node --version)"; exit 77; }
mkdir -p "$dir"
cd "$dir"
# Not npm ci: the lock file knows one platform's addon, install finds that of this machine.
sh "$source/../packages/npm.sh" "$source" . install || { echo "skipped: npm cannot install litesvm here"; exit 77; }
cp "$source"/*.mjs .
node -e 'require("litesvm")' >litesvm.log 2>&1 ||
    { cat litesvm.log; echo "skipped: litesvm does not load on $(uname -sm)"; exit 77; }

rm -rf runs
mkdir runs
SBF_TRACE_DIR=$dir/runs/traces node trace.mjs "$dir/runs"
node check.mjs "$toll" "$dir/runs"
rm -rf ends
mkdir ends
SBF_TRACE_DIR=$dir/ends/traces node ends.mjs "$dir/ends"
node check_ends.mjs "$toll" "$dir/ends"
rm -rf names
node names.mjs "$toll" "$dir/names"

rm -rf prices
mkdir prices
SBF_TRACE_DIR=$dir/prices/traces node prices.mjs "$dir/prices"
node check_prices.mjs "$toll" "$dir/prices"

# Logs that the machine cuts off.
rm -rf cut
mkdir cut
SBF_TRACE_DIR=$dir/cut/traces node cut.mjs "$toll" "$dir/cut"

# Real programs, mixed; one with symbols, where clang can compile for BPF.
rm -rf mixed
mkdir mixed
vault=
if clang --print-targets 2>/dev/null | grep -q bpfel; then
    vault=vault.o
    clang --target=bpfel -g -O1 -c "$source/vault.c" -o vault.o
else
    echo "no share of units under names of functions: there is no clang for BPF"
fi
SBF_TRACE_DIR=$dir/mixed/traces node mixed.mjs "$toll" "$dir/mixed" $vault

# Lines of a program in Rust; of one in C, where clang can compile for BPF.
rm -rf ledger
mkdir ledger
SBF_TRACE_DIR=$dir/ledger/traces node ledger.mjs "$toll" "$source" "$dir/ledger"
if clang --print-targets 2>/dev/null | grep -q bpfel; then
    rm -rf lines
    mkdir lines
    clang --target=bpfel -g -O1 -c "$source/lines.c" -o lines/lines.o
    SBF_TRACE_DIR=$dir/lines/traces node lines.mjs "$toll" "$source/lines.c" lines/lines.o "$dir/lines"
else
    echo "no costs by line: there is no clang for BPF"
fi

# Names of stripped programs.
rm -rf shapes
mkdir shapes
SBF_TRACE_DIR=$dir/shapes/traces node shapes.mjs "$toll" "$source" "$dir/shapes"

# The recipe of the docs, word for word.
rm -rf recipe
mkdir recipe
node recipe.mjs "$source/../../docs/solana.md" "$dir/recipe"
cd recipe
TOLL=$toll sh -e ./commands
"$toll" report -q --tree cu.pb.gz >report
grep -q '5 CU 100.0%' report && grep -q entrypoint report && grep -q helper report ||
    { echo "FAILED: the recipe for traces gives"; cat report; exit 1; }

# Without an ID the file is found by its code; of a stripped one, its unstripped twin beside it.
mkdir -p target/deploy target/sbpf-solana-solana/release
cp stripped.so target/deploy/program.so
cp program.so target/sbpf-solana-solana/release/program.so
"$toll" report -q --tree traces --elf target/deploy/program.so --logs run.json >beside
grep -q helper beside || { echo "FAILED: the twin of a stripped program is not found"; cat beside; exit 1; }
cp other.so target/sbpf-solana-solana/release/program.so
"$toll" report --tree traces --elf target/deploy/program.so --logs run.json >alone 2>told
grep -q entrypoint alone && ! grep -q helper alone && grep -q 'is another build; 0 of its 2 functions have the same code' told ||
    { echo "FAILED: a stripped program gives"; cat alone told; exit 1; }
