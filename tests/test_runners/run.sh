#!/bin/sh
# run.sh RUNNER TOLL SOURCE LIB DIR - tests by node:test or Vitest: what each costs, in one profile of all files; budgets by
# `check` and by a file, which hold, are exceeded, and are updated.
set -eu
runner=$1
toll=$2
source=$3
lib=$4
dir=$5
here=$source/tests/test_runners
for program in node wat2wasm; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
[ "$(node -p 'process.versions.node.split(".")[0] >= 20')" = true ] || { echo "skipped: $(node --version) is older than 20"; exit 77; }
mkdir -p "$dir"
cd "$dir"
[ "$runner" = node ] || sh "$source/tests/packages/npm.sh" "$here" . install || exit $?
rm -rf suite temporary
mkdir temporary
TMPDIR=$dir/temporary
export TMPDIR
cp -r "$here/suite" suite
mkdir -p suite/node_modules
ln -s "$lib" suite/node_modules/toll-wasm
[ "$runner" = node ] || ln -s ../../node_modules/vitest suite/node_modules/vitest
cd suite
wat2wasm --debug-names "$source/examples/budgets/pytest/checksum.wat" -o checksum.wasm
case $runner in node) module=node:test ;; *) module=vitest ;; esac
tests() { # FILE FUNCTION
    printf 'import * as runner from "%s";\nimport { check } from "toll-wasm/test";\nimport { %s } from "./costs.mjs";\nawait %s(runner, check);\n' \
        "$module" "$2" "$2" >"$1.test.mjs"
}
tests a define
tests b define
tests wrong defineWrong
# The configuration of a user.
printf 'import { toll } from "toll-wasm/vitest";\nexport default { plugins: [toll()] };\n' >vitest.config.mjs

fail() {
    echo "FAILED: $runner: $*"
    cat "$dir/log"
    exit 1
}
run() { # STATUS FILES
    wanted=$1
    shift
    status=0
    NO_COLOR=1 CI=1 SOURCE_DATE_EPOCH=0
    export NO_COLOR CI SOURCE_DATE_EPOCH
    case $runner in
    node) node --test --test-reporter=toll-wasm/reporter "$@" ;;
    *) node_modules/vitest/vitest.mjs run --pool="$runner" "$@" ;;
    esac >"$dir/log" 2>&1 || status=$?
    [ $status = "$wanted" ] || fail "$*: status $status, not $wanted"
}
says() { # LINES
    for line in "$@"; do grep -qF -e "$line" "$dir/log" || fail "it does not say: $line"; done
}

good="a.test.mjs b.test.mjs"
# shellcheck disable=SC2086 # two arguments
{
    TOLL_OUT=out.pb.gz run 0 $good
    says "a.test.mjs > group > two, three"
    "$toll" report --each --by test --json out.pb.gz >out.json
    node "$here/check.mjs" out.json || fail "what the tests cost"

    run 1 wrong.test.mjs
    says "toll.check:2: calls  step: 10, 1 more than <= 9 allows" "  10  sum;step" "wrong.test.mjs > nothing has run no WebAssembly" "no operator"
    grep -q "toll.check:1: ticks" "$dir/log" && fail "a rule that holds is said to fail"

    TOLL_WRITE_BUDGET=tests.budget run 0 $good
    says "tests.budget: new"
    TOLL_BUDGET=tests.budget run 0 $good
    says " 0 failed, "
    TOLL_BUDGET=tests.budget run 0 a.test.mjs
    MORE=1 TOLL_BUDGET=tests.budget run 1 $good
    says 'where "test=a.test.mjs > group > two, three": 298, 14 more than <= 284 allows' "  126  sum;step" " 2 failed, "
    # A rule about several tests together: each holds it, their sum does not.
    echo 'ticks  *  where host=here  <= 300' >several.budget
    TOLL_LABELS=host=here TOLL_BUDGET=several.budget run 1 $good
    says " more than <= 300 allows" "1 rule, 1 failed"
    MORE=1 TOLL_WRITE_BUDGET=tests.budget run 0 a.test.mjs
    says "tests.budget: 1 of "
    MORE=1 TOLL_BUDGET=tests.budget run 0 a.test.mjs
}

if [ "$runner" = node ]; then # of tests within a test, only the innermost is charged
    cat >nested.test.mjs <<'S'
import fs from "node:fs";
import { test } from "node:test";
const { instance } = await WebAssembly.instantiate(fs.readFileSync("checksum.wasm")), { sum } = instance.exports;
test("outer", async t => {
  sum(3);
  await t.test("inner", () => { sum(4); });
  sum(5);
});
S
    TOLL_OUT=nested.pb.gz run 0 nested.test.mjs
    printf 'ticks  *  where "test=nested.test.mjs > outer%s\n' '"  == 120' ' > inner"  == 60' | "$toll" check --budget - nested.pb.gz >"$dir/log" 2>&1 ||
        fail "tests within a test"
fi
printf 'import { test } from "%s";\ntest("nothing", () => {});\n' "$module" >none.test.mjs
run 0 none.test.mjs # a suite without WebAssembly
echo old >none.pb.gz
TOLL_OUT=none.pb.gz run 0 none.test.mjs
says "none.pb.gz is not written: no test has run WebAssembly; the old one is removed"
[ ! -e none.pb.gz ] || fail "a file of an older run is left"
TOLL_BUDGET=tests.budget run 0 none.test.mjs
says "nothing was held to tests.budget: no test has run WebAssembly"
printf 'import fs from "node:fs";\nimport { test } from "%s";\ntest("two\\nlines", async () => { await WebAssembly.instantiate(fs.readFileSync("checksum.wasm")).then(({ instance }) => instance.exports.sum(3)); });\n' \
    "$module" >lines.test.mjs
TOLL_OUT=lines.pb.gz run 0 lines.test.mjs
says "lines.test.mjs > two lines"
TOLL_BUDGET=no.budget run 1 a.test.mjs
says "there is no file no.budget; TOLL_WRITE_BUDGET makes one"
[ -z "$(find "$TMPDIR" -name 'toll-*')" ] || fail "folders are left in $TMPDIR"
echo "$runner: costs and budgets of tests"
