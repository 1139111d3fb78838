# The order in time goes from one format to another, and back to the same bytes.
"$TOLL" convert -q "$DATA/trace.json" -o a.speedscope.json
"$TOLL" convert -q a.speedscope.json -o b.speedscope.json
cmp a.speedscope.json b.speedscope.json
"$TOLL" convert -q a.speedscope.json -o c.trace.json
"$TOLL" convert -q c.trace.json -o d.speedscope.json
cmp a.speedscope.json d.speedscope.json
cat a.speedscope.json
"$TOLL" convert -q --flamechart --to folded a.speedscope.json -o -
# Frames that stand behind the profiles: the values are read all the same.
cat >late.speedscope.json <<'J'
{"profiles":[{"type":"evented","name":"t","unit":"none","startValue":0,"endValue":9,
"events":[{"type":"O","frame":0,"at":1},{"type":"C","frame":0,"at":9}]}],"shared":{"frames":[{"name":"f"}]}}
J
"$TOLL" convert late.speedscope.json --to folded -o -
