# --junit, --openmetrics, --code-quality and --ctest: of rules that hold, fail, are absent, and of the same name.
cat >some.budget <<'END'
samples  f  <= 100
samples  f  >= 1
samples  "f"  <= 200  # another name
samples  gone  <= 4  optional
samples  missing  <= 4
END
"$TOLL" check --junit j.xml --openmetrics o.txt --code-quality q.json --ctest --budget some.budget --before "$DATA/after.folded" "$DATA/example.folded" 2>/dev/null
echo "status $?"
cat j.xml o.txt q.json
cp j.xml first.xml
"$TOLL" check -q --junit j.xml --budget some.budget --before "$DATA/after.folded" "$DATA/example.folded" 2>/dev/null
cmp j.xml first.xml && echo "the same bytes"
# All hold.
echo 'samples  *  >= 1' >some.budget
"$TOLL" check --junit j.xml --code-quality q.json --budget some.budget "$DATA/example.folded" && cat j.xml q.json
# Paths: within the repository; a rule's own place where the function's file is outside of it.
printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"f","file":"/w/repo/a.lua","line":3},{"name":"g","file":"/else/b.lua","line":4}]},"profiles":[{"type":"sampled","name":"","unit":"none","startValue":0,"endValue":9,"samples":[[0],[1]],"weights":[5,4]}]}' >p.speedscope.json
printf 'samples  f  < 5\nsamples  g  < 4\n' >some.budget
CI_PROJECT_DIR=/w/repo/ "$TOLL" check -q --code-quality q.json --budget some.budget p.speedscope.json 2>/dev/null || cat q.json
