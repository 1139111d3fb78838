# Two threads of one name, as traces of several processes have: each keeps its own times.
cat >t.trace.json <<'J'
[{"ph":"X","name":"a","ts":1,"dur":10,"pid":1,"tid":1},{"ph":"X","name":"b","ts":2,"dur":3,"pid":2,"tid":1},
{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"main"}},
{"ph":"M","name":"thread_name","pid":2,"tid":1,"args":{"name":"main"}}]
J
"$TOLL" convert -q t.trace.json -o t.speedscope.json
grep -A2 '"evented"' t.speedscope.json
sed 's/main (2.1)/main/' t.speedscope.json >same.speedscope.json
"$TOLL" convert -q same.speedscope.json --to chrome -o - | grep -v traceEvents
