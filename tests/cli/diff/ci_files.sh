# --junit, --openmetrics and --code-quality of --fail-over: the total, functions, tests.
"$TOLL" diff -q "$DATA/after.folded" "$DATA/example.folded" --fail-over 1% --fail-over +10 --junit j.xml --openmetrics o.txt --code-quality q.json >/dev/null 2>&1
echo "status $?"
cat j.xml o.txt q.json
"$TOLL" diff -q "$DATA/after.folded" "$DATA/example.folded" --fail-over 0% --by-function --junit j.xml >/dev/null 2>&1
echo "status $?"
cat j.xml
"$TOLL" diff -q "$DATA/example.folded" "$DATA/example.folded" --fail-over 0% --by-function --junit j.xml >/dev/null && cat j.xml
suite() { # file, test=cost...: a profile of these tests
    file=$1
    shift
    for t; do
        echo "main;work ${t#*=}" >one.folded
        "$TOLL" convert -q one.folded --value ticks --unit count --label "test=${t%=*}" -o "one-${t%=*}.pb.gz"
    done
    "$TOLL" merge -q one-*.pb.gz -o "$file" && rm one-*.pb.gz
}
suite before.pb.gz a=10 b=20 old=1
suite after.pb.gz a=11 b=20 new=1
"$TOLL" diff -q before.pb.gz after.pb.gz --each --by test --fail-over 0% --junit j.xml --openmetrics o.txt >/dev/null 2>&1
echo "status $?"
cat j.xml && grep -v '^#' o.txt
suite other.pb.gz c=1
"$TOLL" diff -q before.pb.gz other.pb.gz --each --by test --fail-over 0% --junit j.xml >/dev/null
echo "status $?"
grep -A1 '<testcase' j.xml
"$TOLL" diff -q before.pb.gz after.pb.gz --focus nothing --fail-over 0% --junit j.xml >/dev/null
echo "status $?"
grep -A1 '<testcase' j.xml
"$TOLL" diff -q before.pb.gz after.pb.gz after.pb.gz --fail-over 0% --junit j.xml >/dev/null 2>&1; grep '<testcase' j.xml
"$TOLL" diff before.pb.gz after.pb.gz --junit j.xml
echo "status $?"
"$TOLL" diff before.pb.gz nothere --fail-over 1% --junit j.xml
echo "status $?"
grep -A1 '<testcase' j.xml
# Profiles with lines, which are added up for this.
for by in "" --by-function; do
    # shellcheck disable=SC2086 # an option, or none
    "$TOLL" diff -q "$DATA/lines/before.pb.gz" "$DATA/lines/after.pb.gz" $by --fail-over 0% --junit j.xml --openmetrics o.txt >/dev/null 2>&1
    cat j.xml && grep -v '^#' o.txt
done
