#!/bin/sh
# ci.sh TOLL DIR - the files for CI systems, held to what is published: JUnit to Jenkins' schema (in pytest's sources) and to
# a reader (junitparser), OpenMetrics to Prometheus' own parser, code quality to what GitLab asks for.
set -u
toll=$1
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2/ci"
cd "$2/ci" || exit 1
command -v xmllint >/dev/null 2>&1 || { echo "skipped: there is no xmllint (Debian's libxml2-utils)"; exit 77; }
if [ ! -e venv/ready ]; then
    { python3 -m venv venv && venv/bin/pip -q install junitparser==5.0.3 prometheus_client==0.23.1 &&
        venv/bin/pip -q download --no-deps --no-binary pytest -d sources pytest==8.3.4 &&
        tar -xzf sources/pytest-8.3.4.tar.gz -C sources; } >log 2>&1 ||
        { echo "skipped: no Python packages junitparser, prometheus_client, pytest: $(tail -1 log)"; exit 77; }
    touch venv/ready
fi
schema=sources/pytest-8.3.4/testing/example_scripts/junit-10.xsd
failed=0
export GITHUB_WORKSPACE=/w/repo
unset CI_PROJECT_DIR WORKSPACE GITHUB_ACTIONS

# written NAME STATUS COMMAND... - it writes the three files, ends with STATUS, and ci_reports.py has no objection to them.
written() {
    name=$1 expected=$2
    shift 2
    rm -f "$name".xml "$name".metrics "$name".quality
    "$toll" "$@" --junit "$name".xml --openmetrics "$name".metrics --code-quality "$name".quality >"$name.json" 2>"$name.log"
    status=$?
    [ $status = "$expected" ] || { echo "FAILED: $name: status $status: $(cat "$name.log")"; failed=1; }
    xmllint --noout --schema "$schema" "$name".xml 2>"$name.lint" || { cat "$name.lint"; failed=1; }
    venv/bin/python "$here/ci_reports.py" "$name" "$expected" || failed=1
}

venv/bin/python "$here/ci_reports.py" --make || exit 1
printf '<testsuites><testsuite name="x"/></testsuites>' >bad.xml
xmllint --noout --schema "$schema" bad.xml 2>/dev/null && { echo "FAILED: the schema takes anything"; failed=1; }
rm -f names.budget
"$toll" check -q -n 100 --write-budget names.budget before.speedscope.json >/dev/null || exit 1
written holds 0 check --json --budget names.budget before.speedscope.json
written rules 3 check --json --budget names.budget --before before.speedscope.json after.speedscope.json
written functions 3 diff -q --json before.speedscope.json after.speedscope.json --fail-over 0% --by-function
written total 3 diff -q --json before.speedscope.json after.speedscope.json --fail-over +1
written within 0 diff -q --json before.speedscope.json after.speedscope.json --fail-over 1000%
written missing 1 check --json --budget names.budget nothere.pb.gz
written unlike 2 diff -q --json before.speedscope.json after.speedscope.json --value nothing --fail-over 1%
for test in one two three; do
    echo "main;work $((${#test} * 10))" >test.folded
    "$toll" convert -q test.folded --label "test=$test \"<&>\" a=b, c" -o $test.pb.gz || exit 1
done
"$toll" merge -q one.pb.gz two.pb.gz -o suite_before.pb.gz && echo "main;work 31" >test.folded &&
    "$toll" convert -q test.folded --label 'test=two "<&>" a=b, c' -o two.pb.gz &&
    "$toll" merge -q one.pb.gz two.pb.gz three.pb.gz -o suite_after.pb.gz || exit 1
written tests 3 diff -q --json suite_before.pb.gz suite_after.pb.gz --each --by test --fail-over 0%
exit $failed
