# Time cannot have an exact budget. The message names a value that can.
"$TOLL" convert -q "$DATA/trace.json" -o t.pb.gz
"$TOLL" diff -q t.pb.gz t.pb.gz --fail-over 1% >/dev/null
echo "status $?"
"$TOLL" diff -q t.pb.gz t.pb.gz --fail-over 1% --value calls >/dev/null
