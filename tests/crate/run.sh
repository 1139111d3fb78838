#!/bin/sh
# run.sh TOLL SOURCE DIR READERS - tests the crate toll-svm, built in DIR (or TOLL_CARGO_TARGET), and
# looks at what it leaves: with toll, and with speedscope in READERS.
set -eu
toll=$1
source=$2
dir=$3
readers=$4
fail() {
    echo "FAILED: $*"
    exit 1
}
for program in cargo clang; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
minor=$(cargo --version | sed -n 's/^cargo 1\.\([0-9]*\)\..*/\1/p')
[ "${minor:-0}" -ge 89 ] || { echo "skipped: $(cargo --version) is older than 1.89"; exit 77; }
mkdir -p "$dir"
rm -f "$dir"/*.speedscope.json
cd "$source/hosts/solana"
if command -v rustfmt >/dev/null 2>&1; then
    cargo fmt --all --check || fail "run cargo fmt --all in hosts/solana"
fi
CARGO_TARGET_DIR=${TOLL_CARGO_TARGET:-$dir/target}
TOLL_OUT=$dir/%p.speedscope.json
RUST_LOG=off
export CARGO_TARGET_DIR TOLL_OUT RUST_LOG
cargo test --locked --ignore-rust-version --workspace >"$dir/log" 2>&1 || { tail -60 "$dir/log"; fail "cargo test"; }
grep '^test ' "$dir/log"

# The recipe for traces is what docs/solana.md says: its line of Rust, its commands. The
# programs here are linked without symbols, so there is no --elf.
recipe() {
    sed -n '/^### In Rust/,/^### In TypeScript/p' "$source/docs/solana.md"
}
line=$(recipe | grep 'println!')
[ -n "$line" ] && grep -qF -- "$line" tests/traces.rs || fail "docs/solana.md: '$line' is not what the tests do"
rm -rf "$dir/recipe"
mkdir "$dir/recipe"
recipe | grep -e '^SBF_TRACE_DIR=' -e '^toll convert' |
    sed -e 's/ --elf [^ ]*//' -e "s|convert traces |convert $dir/recipe/traces |" -e "s|=traces |=$dir/recipe/traces |" \
        -e "s|cargo test|cargo test --locked --ignore-rust-version|" -e "s|run\\.log|$dir/recipe/run.log|" -e "s|cu\\.pb\\.gz|$dir/recipe/cu.pb.gz|" \
        -e "s|^toll|'$toll'|" >"$dir/recipe/commands"
[ "$(wc -l <"$dir/recipe/commands")" = 2 ] || fail "docs/solana.md: the recipe in Rust has other commands than expected"
env -u TOLL_OUT sh -e "$dir/recipe/commands" >"$dir/recipe/log" 2>&1 || { cat "$dir/recipe/commands"; tail -20 "$dir/recipe/log"; fail "the recipe for traces"; }
charged=$(awk '/^Compute Units Consumed: / { sum += $4 } END { print sum }' "$dir/recipe/run.log")
grep -q '^CU log:  2 invoke consumed' "$dir/recipe/run.log" || fail "no sections in the log of a transaction that is traced"
"$toll" report -q --json "$dir/recipe/cu.pb.gz" | grep -q "\"total\": *$charged\b" ||
    fail "the recipe's profile has another total than $charged"

# Its log alone has the sections, and the same total.
"$toll" report -q --json "$dir/recipe/run.log" >"$dir/recipe/log.json"
grep -q "\"total\": *$charged\b" "$dir/recipe/log.json" && grep -q '"name": *"inner","kind": *"section"' "$dir/recipe/log.json" ||
    { cat "$dir/recipe/run.log"; fail "the recipe's log gives another total than $charged, or no sections"; }

# Labels: of the environment, also in what the process leaves at its end. What is no list of labels costs nothing but these.
labelled() { # VARIABLE=VALUE...
    env TOLL_OUT="$dir/labels.pb.gz" "$@" cargo test --locked --ignore-rust-version --test labels >"$dir/log" 2>&1 ||
        { tail -20 "$dir/log"; fail "labels with $*"; }
}
labels() { # TOLL_LABELS LABELS
    labelled "TOLL_LABELS=$1"
    "$toll" report -q --json "$dir/labels.pb.gz" | grep -qxF "\"labels\":[{$2}]," || fail "TOLL_LABELS=$1: labels are not $2"
}
labels commit=1,host=a '"commit":["3"],"host":["a"],"name":["a, b"],"zone":["x"]'
labels host '"commit":["3"],"name":["a, b"],"zone":["x"]'
grep -qx "toll: warning: TOLL_LABELS is left out: a label is KEY=VALUE, and not 'host'" "$dir/log" ||
    { cat "$dir/log"; fail "nothing was said of TOLL_LABELS=host"; }

# What TOLL_BY keeps apart adds up to what there is without it.
total() { # OPTION...
    "$toll" report -q --json "$@" "$dir/labels.pb.gz" | sed -n '1s/.*"total":\([0-9]*\).*/\1/p'
}
each=$(($(total) / 3))
[ $each -gt 0 ] && [ "$(total)" = $((3 * each)) ] || fail "three airdrops cost $(total)"
labelled TOLL_BY=test
"$toll" report --info "$dir/labels.pb.gz" | grep -q 'costs=Solana [0-9a-f]\{16\}; engine=Solana runtime; toll=' || fail "by which table of costs: $("$toll" report --info "$dir/labels.pb.gz")"
[ "$(total)" = $((3 * each)) ] && [ "$(total --where test=another_test_of_two_transactions)" = $((2 * each)) ] &&
    [ "$(total --where test=labels_of_the_environment_and_of_the_program)" = $each ] || fail "units by test"
labelled TOLL_BY=transaction,tests
[ "$("$toll" report -q --json "$dir/labels.pb.gz" | grep -o '"transaction":\["[1-9A-HJ-NP-Za-km-z]*"\]' | sort -u | wc -l)" = 3 ] &&
    [ "$(total)" = $((3 * each)) ] || fail "units by transaction"
grep -qx "toll: warning: TOLL_BY: 'tests' is not known here; there are test and transaction" "$dir/log" || fail "nothing was said of TOLL_BY=tests"

# Functions: what is recorded is what was charged, whether or not the runtime keeps its traces for others.
functions() { # FILE [VARIABLE=VALUE...]
    file=$1
    shift
    env "$@" TOLL_OUT="$file" cargo test --locked --ignore-rust-version --test functions -- --nocapture --skip version_3 >"$dir/functions.log" 2>&1 ||
        { tail -40 "$dir/functions.log"; fail "functions"; }
    charged=$(awk '/^Compute Units Consumed: / { sum += $4 } END { print sum }' "$dir/functions.log")
    "$toll" report -q --json "$file" >"$dir/functions.json"
    grep -q "\"total\": *$charged\b" "$dir/functions.json" || fail "functions cost $(sed -n '1s/.*"total"/"total"/p' "$dir/functions.json"), and $charged were charged"
    ! grep -q 'explains\|in no invocation\|loaded again' "$dir/functions.json" || fail "notes: $(tail -5 "$dir/functions.json")"
}
functions "$dir/functions.pb.gz"
for name in 'Token: Transfer (failed)' 'Associated Token: Create' '(rest of the budget)' '(heap frame)' sol_invoke_signed_rust fn@44 memcpy core::fmt::write; do
    grep -qF "\"name\":\"$name\"" "$dir/functions.json" || fail "there is no $name among the functions"
done
functions "$dir/kept.pb.gz" SBF_TRACE_DIR="$dir/kept"
"$toll" diff -q --fail-over 0 "$dir/functions.pb.gz" "$dir/kept.pb.gz" >"$dir/log" || fail "with traces the functions cost something else"

# toll bench: the same sum; the most that a transaction cost is what one was charged; a second run has no change.
bench() { # OPTION...
    "$toll" bench -q -o "$dir/bench.pb.gz" "$@" -- cargo test --locked --ignore-rust-version --test functions -- --nocapture --skip version_3
}
rm -f "$dir/bench.pb.gz"
bench --json >"$dir/bench.json" || fail "toll bench"
grep -q "\"all\":{\"value\":$charged," "$dir/bench.json" || fail "toll bench: $(head -c 200 "$dir/bench.json"), and $charged were charged"
grep -q '"test":"tokens","root":"Token: Transfer"' "$dir/bench.json" || fail "toll bench: no instruction in a test"
grep -o '"most":[0-9]*,"limit' "$dir/bench.json" | grep -o '[0-9]*' | sort -u >"$dir/most"
sed -n 's/^Compute Units Consumed: //p' "$dir/functions.log" | sort -u >"$dir/each"
[ "$(wc -l <"$dir/most")" -ge 10 ] && [ -z "$(comm -23 "$dir/most" "$dir/each")" ] ||
    fail "toll bench: transactions that cost $(comm -23 "$dir/most" "$dir/each" | tr '\n' ' '): none was charged that"
bench --fail-over 0 >"$dir/log" || { cat "$dir/log"; fail "toll bench: a second run"; }

# A transaction that runs twice in a test is two: the most that one cost is what was charged.
"$toll" bench -o "$dir/twice.pb.gz" --by test --json -- cargo test --locked --ignore-rust-version --test litesvm simulated_and_sent -- --nocapture >"$dir/twice.json" 2>"$dir/log" ||
    { tail -20 "$dir/log"; fail "toll bench: a test"; }
each=$(sed -n 's/ CU each$//p' "$dir/log")
grep -q "\"count\":2,\"most\":$each," "$dir/twice.json" || { cat "$dir/twice.json"; fail "toll bench: two runs of one transaction, of $each CU"; }
rm "$dir/twice.pb.gz"

# toll-replay: its own tests; and transactions of a cluster, with their accounts, which the crate svmscope has.
replay() {
    env -u TOLL_OUT cargo "$@" --locked --ignore-rust-version --features replay
}
replay test --test replay >"$dir/log" 2>&1 || { tail -40 "$dir/log"; fail "toll-replay"; }
grep '^test ' "$dir/log"
replay build --bin toll-replay >"$dir/log" 2>&1 || { tail -40 "$dir/log"; fail "toll-replay does not compile"; }
if (cd / && cargo info svmscope@0.6.0) >"$dir/log" 2>&1; then
    fixtures=$(ls -d "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/svmscope-0.6.0/tests/fixtures)
    for name in counter_increment vesting_precliff_revert; do
        (cd / && env -u TOLL_OUT "$CARGO_TARGET_DIR/debug/toll-replay" -o "$dir/replay.pb.gz" "$fixtures/$name.json") >"$dir/log" 2>&1 &&
            grep -q ' CU, as on the cluster$' "$dir/log" || { cat "$dir/log"; fail "toll-replay $name"; }
        "$toll" report --json -n 0 "$dir/replay.pb.gz" | grep -q '"fn@[0-9]* ~\(IncrementCounter\|ClaimVested\)"' || fail "toll-replay $name: no function by what it logs"
        charged=$(sed -n 's/.*: \([0-9,]*\) CU, as on the cluster$/\1/p' "$dir/log")
        "$toll" report -q "$dir/replay.pb.gz" | head -1 | grep -q "^compute units: $charged CU in" || fail "toll-replay $name: another sum than $charged"
        grep -q "\"compute_units\": $(echo "$charged" | tr -d ,)," "$fixtures/$name.json" || fail "toll-replay $name: the fixture has another figure than $charged"
    done
else
    echo "not tried: transactions of a cluster, since Cargo cannot get svmscope 0.6.0 here"
fi

# Names of the file in target that has the program's code, although the loader has written addresses into it: here the files of LiteSVM,
# which have no names but that of the entry point.
litesvm=$(cargo metadata --locked --format-version 1 --offline | grep -o '"manifest_path":"[^"]*/litesvm-[0-9.]*/Cargo.toml"' | cut -d'"' -f4 | xargs dirname)
rm -rf "$dir/project"
mkdir -p "$dir/project/target/deploy"
cp "$litesvm"/src/programs/elf/*.so "$dir/project/target/deploy/"
program=$(ls -t "$CARGO_TARGET_DIR"/debug/deps/functions-* | grep -v '\.d$' | head -1)
(cd "$dir/project" && TOLL_OUT="$dir/named.folded" "$program" --exact tokens >"$dir/log" 2>&1) || fail "functions, in another folder"
grep -q '^Associated Token: Create.*;entrypoint ' "$dir/named.folded" || { cut -c1-200 "$dir/named.folded" | head -20; fail "no name by the file in target/deploy"; }

# One file for all test programs of one run, in the folder in which Cargo was started; of the next run only its own, also if another program
# named cargo-... has started both.
cp "$(command -v sh)" "$dir/cargo-watch"
mkdir -p "$CARGO_TARGET_DIR/toll"
echo mine >"$CARGO_TARGET_DIR/toll/cu-2024-06-11.pb.gz" # of the user
echo old >"$CARGO_TARGET_DIR/toll/0123456789abcdef-99999999-1-$(readlink /proc/self/ns/pid | tr -cd 0-9).pb.gz" # of a run that has ended
tests="cargo test --locked --ignore-rust-version --manifest-path '$source/hosts/solana/Cargo.toml'"
(cd "$dir" && TOLL_OUT=sum.pb.gz ./cargo-watch -c "$tests && $tests; true") >"$dir/log" 2>&1 || { tail -40 "$dir/log"; fail "cargo test"; }
[ -e "$CARGO_TARGET_DIR/toll/cu-2024-06-11.pb.gz" ] || fail "a file of the user is gone"
rm "$CARGO_TARGET_DIR/toll/cu-2024-06-11.pb.gz"
! grep -qsx old "$CARGO_TARGET_DIR"/toll/*.pb.gz || fail "the sum of a run that has ended is still there"
"$toll" merge -q -o "$dir/each.pb.gz" "$dir"/*.speedscope.json
[ "$("$toll" report -q --json "$dir/sum.pb.gz" | sed -n '1s/.*"total":\([0-9]*\).*/\1/p')" = \
    "$("$toll" report -q --json "$dir/each.pb.gz" | sed -n '1s/.*"total":\([0-9]*\).*/\1/p')" ] || fail "the sum of the test programs is another"

rm "$(grep -l '"name":"main {' "$dir"/*.speedscope.json)" # that test's, which has threads of its own
files=$(ls "$dir"/*.speedscope.json | wc -l)
[ "$files" = 5 ] || fail "$files profiles, not one of each test program"
for file in "$dir"/*.speedscope.json; do
    "$toll" check -q "$file" || fail "toll check $file"
done
"$toll" merge -q -o "$readers/solana.speedscope.json" "$dir"/*.speedscope.json
for section in outer mid inner x y again invoke grows guarded; do
    "$toll" report --tree -n 0 "$readers/solana.speedscope.json" | grep -q "  $section\$" || fail "no section $section in the tree"
done
sh "$source/tests/crate/prices.sh" "$toll" "$source" "$dir/prices" || fail "prices of system calls"
command -v chromium >/dev/null 2>&1 || { echo "not shown to speedscope: there is no chromium"; exit 0; }
cd "$readers"
node speedscope.mjs "$toll" solana.speedscope.json
