#!/bin/sh
# run.sh RUNNER TOLL SOURCE LIB DIR - the project of that test runner in examples/budgets passes; with one unit too many
# it fails, and the message says where the unit came from.
set -eu
runner=$1
toll=$2
source=$3
lib=$4
dir=$5
fail() {
    echo "FAILED: $*"
    cat "$dir/log"
    exit 1
}
needs() {
    for program in "$@"; do
        command -v "$program" >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
    done
}
rm -rf "$dir"
mkdir -p "$dir/bin"
ln -s "$toll" "$dir/bin/toll"
PATH=$dir/bin:$PATH
export PATH
if [ "$runner" = cargo ]; then # which is built where it is: it names the crate beside it
    cd "$source/examples/budgets/cargo"
else
    cp -r "$source/examples/budgets/$runner" "$dir/project"
    cd "$dir/project"
fi

with() { # CHANGE COMMAND...: without a change there is no such variable
    if [ "$1" ]; then export CHANGE="$1"; else unset CHANGE; fi
    shift
    "$@"
}

tests() { # CHANGE: what the runner says, in log
    case $runner in
    ctest)
        rm -rf build
        cmake -B build -DCHANGE="$1" -DToll_DIR="$(dirname "$lib")" && cmake --build build &&
            ctest --test-dir build --output-on-failure -T Test
        ;;
    cargo) RUST_LOG=off with "$1" cargo test --locked --ignore-rust-version ;;
    node) with "$1" npm test ;;
    busted) with "$1" busted ;;
    pytest) with "$1" pytest -p no:cacheprovider ;;
    esac >"$dir/log" 2>&1
}

# The budgets are of what that clang makes.
needs_clang14() {
    needs clang wasm-ld
    clang --version | grep -q 'clang version 14\.' || { echo "skipped: $(clang --version | head -1) is not clang 14"; exit 77; }
}

passes() { tests "" || fail "$runner: it does not pass as it is"; }

fails() { # CHANGE, LINE OF THE MESSAGE...
    ! tests "$1" || fail "$runner: it passes with the change $1"
    shift
    for line in "$@"; do
        grep -qF -e "$line" "$dir/log" || fail "$runner: its message does not say: $line"
    done
}

case $runner in
ctest)
    needs cmake node
    needs_clang14
    [ -e /usr/lib/wasm32-wasi/libc.a ] || { echo "skipped: there is no wasi-libc"; exit 77; }
    ;;
cargo)
    needs cargo clang
    minor=$(cargo --version | sed -n 's/^cargo 1\.\([0-9]*\)\..*/\1/p')
    [ "${minor:-0}" -ge 89 ] || { echo "skipped: $(cargo --version) is older than 1.89"; exit 77; }
    ;;
node)
    needs node npm
    needs_clang14
    [ -e "$lib/toll.wasm" ] || { echo "skipped: toll.wasm was not built"; exit 77; }
    mkdir node_modules
    ln -s "$lib" node_modules/toll-wasm
    ;;
busted)
    needs busted lua5.4
    [ -e "$lib/lua/5.4/toll.so" ] || { echo "skipped: there is no host for Lua 5.4"; exit 77; }
    LUA_CPATH="$lib/lua/5.4/?.so;;"
    LUA_PATH="$lib/lua/5.4/?.lua;;"
    export LUA_CPATH LUA_PATH
    ;;
pytest) needs pytest ;; # and the wheel: tests/python/pytest_plugin.sh
esac
passes
case $runner in
ctest)
    fails tick "words.budget:2: ticks          *: 1,383,674, 1 more than <= 1,383,673 allows" \
        "words.budget:4: ticks          self free_all: 1,874, 1 more than"
    # What CTest gives to a dashboard has the values.
    tests "" || fail "ctest: it does not pass again"
    results=$(cat build/Testing/*/Test.xml)
    case $results in
    *'name="inuse_space *"'*) ;;
    *) echo "$results" >"$dir/log" && fail "ctest: no measurement inuse_space" ;;
    esac
    echo "$results" | tr -d '\n' | grep -q 'name="ticks self free_all">[[:space:]]*<Value>1873</Value>' ||
        { echo "$results" >"$dir/log" && fail "ctest: no measurement of ticks"; }
    fails leak "words.budget:6: inuse_space    *: 20 B, 20 B more than == 0 allows" ";add;calloc"
    ;;
cargo) fails 1 "swap.budget:4: compute units  pay: 7 CU, 1 CU more than <= 6 CU allows" ";pay" ;;
node) fails 1 "toll.check:3: calls  step: 1,001, 1 more than == 1_000 allows" "sum;step" ;;
busted) fails 1 "budget:2: ticks  self parse.field: 3,200, 800 more than <= 2_400 allows" "parse.line;parse.field" ;;
pytest) fails 1 "toll_budget:1: calls  step: 1,001, 1 more than == 1000 allows" "sum;step" "toll_budget:2: ticks  self step: 6,006, 6 more" ;;
esac
