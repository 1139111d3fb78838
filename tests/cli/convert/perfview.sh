$TOLL convert $DATA/example.folded --to perfview -o - | tee both.PerfView.json
$TOLL report -q --json both.PerfView.json | grep -o "\"total\":[0-9]*,$"
# PerfView's guide: only what stands in StackSource, and numbers as text.
cat >guide.PerfView.json <<'J'
{ "StackSource" : { "Samples" : [
  { "Time" : "10", "Metric" : "10", "Stack" : [ "Helper", "Func", "Main" ] },
  { "Time" : "20", "Stack" : [ "Func", "Main" ] } ] } }
J
$TOLL convert guide.PerfView.json --to folded -o -
$TOLL report guide.PerfView.json | tail -1
