#!/bin/sh
# pytest_plugin.sh TOLL SOURCE DIR LIB - the plugin for pytest, in the wheel of LIB/python: costs and budgets of tests, in one
# process and in several (pytest-xdist), and the example of examples/budgets.
set -eu
toll=$1
source=$2
dir=$3
lib=$4
here=$source/tests/python
fail() {
    echo "FAILED: $*"
    cat "$dir/log"
    exit 1
}
sh "$here/environment.sh" "$dir" "$lib" "$here/requirements_pytest.txt" || exit $?
export TOLL_LIBRARY="$lib/libtoll.so.0.1" PYTHONDONTWRITEBYTECODE=1 SOURCE_DATE_EPOCH=0 NO_COLOR=1
PATH=$dir/venv/bin:$(dirname "$toll"):$PATH
export PATH
sh "$source/tests/budgets/run.sh" pytest "$toll" "$source" "$lib" "$dir/example"

rm -rf "$dir/suite"
cp -r "$here/suite" "$dir/suite"
cp "$source/tests/cli/data/example.folded" "$dir/suite"
cd "$dir/suite"
run() { # STATUS ARGUMENTS
    wanted=$1
    shift
    status=0
    pytest -p no:cacheprovider "$@" >"$dir/log" 2>&1 || status=$?
    [ $status = "$wanted" ] || fail "pytest $*: status $status, not $wanted"
}
says() { # LINES
    for line in "$@"; do grep -qF -e "$line" "$dir/log" || fail "it does not say: $line"; done
}

# What each test costs, whatever the number of processes.
run 0 -k "not wrong" --toll-out one.pb.gz
says "==== toll ====" "_costs.py::test_parts[a, b]"
run 0 -k "not wrong" -n 3 --toll-out many.pb.gz
cmp one.pb.gz many.pb.gz || fail "xdist: another profile"
"$toll" report --each --by test --json one.pb.gz >one.json
python3 - <<'P' || fail "the labels of tests"
import json
costs = {case["labels"]["test"]: case["value"] for case in json.load(open("one.json"))["cases"]}
wanted = {"test_checked": 160, "test_failing_is_expected": 2, "test_parts[a, b]": 12, "test_parts[c]": 12}
assert costs == {f"test_costs.py::{name}": value for name, value in wanted.items()}, costs
P

# Failures: by mark, by a call, nothing recorded, no fixture, a rule or a file that is none. A test that fails itself is held to nothing.
run 1 -k wrong -n 2
says "toll_budget:1: samples  c: 25, 5 more than <= 20 allows" "  25  main;a;c" "toll.check:1: samples  *: " "nothing was recorded" \
    "test_wrong_no_fixture does not use the fixture toll" "toll_budget:1:" "no operator" "assert 1 == 2" \
    "test_costs.py::test_wrong_file: the content is of no format" "7 failed"
grep -q "During handling" "$dir/log" && fail "a failure shows how it came about"

# A file: made, held to, exceeded, updated by a part of the tests.
run 4 --toll-budget costs.budget
says "--toll-budget: there is no file"
run 0 -k "not wrong" --toll-write-budget costs.budget
says "costs.budget: new, "
cp costs.budget first.budget
run 0 -k "not wrong" -n 2 --toll-budget costs.budget
says " 0 failed, "
run 0 -k "parts" --toll-budget costs.budget
MORE=1 run 1 -k "parts" --toll-budget costs.budget
says 'costs.budget:7: samples         *  where "test=test_costs.py::test_parts[a, b]"' "FAILED test_costs.py::test_parts[a, b]" "1 failed, 1 passed"
MORE=1 run 0 -k "parts" --toll-write-budget costs.budget
says "costs.budget: 1 of "
MORE=1 run 0 -k "parts" --toll-budget costs.budget
[ "$(diff first.budget costs.budget | grep -c '^>')" = 1 ] || fail "another rule was changed"
# A rule about two tests together: each holds it, their sum does not.
echo 'samples  *  where test=test_costs.py::test_checked,test=test_costs.py::test_parts[c]  <= 165' >two.budget
run 1 -k "checked or parts" --toll-budget two.budget
says "172, 7 more than <= 165 allows" "3 passed"
run 4 --toll-budget a --toll-write-budget b
says "one of --toll-budget and --toll-write-budget"

# A file that cannot be written fails; a run without costs says that there is none.
run 1 -k parts --toll-out no/such.pb.gz
says "no/such.pb.gz"
run 0 -k plain --toll-out none.pb.gz
says "none.pb.gz is not written: no test has recorded anything"
echo old >none.pb.gz
run 0 -k plain --toll-out none.pb.gz
says "no test has recorded anything; the old one is removed"
[ ! -e none.pb.gz ] || fail "a file of an older run is left"
echo old >none.pb.gz
run 0 --collect-only --toll-out none.pb.gz
run 5 -k nosuchtest --toll-out none.pb.gz
says "none.pb.gz is not written: no test has recorded anything"
[ -e none.pb.gz ] || fail "a profile is removed although no test has run"
run 0 -k plain --toll-budget two.budget
says "nothing was held to two.budget: no test has recorded anything"
run 0 -k plain
grep -q "= toll =" "$dir/log" && fail "a section without costs"
echo "costs and budgets of tests, in one process and in several"
