# Without --value a limit is held to what both profiles show: not to another value that both happen to have.
echo 'work 100' >t.folded
echo 'work 5' >u.folded
for name in t u; do [ $name = t ] && value=ticks || value=units; "$TOLL" convert -q --value $value --unit count -o $name.pb.gz $name.folded; done
"$TOLL" merge -q -o both.pb.gz t.pb.gz u.pb.gz
"$TOLL" diff -q --fail-over 1% both.pb.gz u.pb.gz; echo "status $?"
"$TOLL" diff -q --fail-over 1% u.pb.gz both.pb.gz; echo "status $?"
"$TOLL" diff -q --fail-over 1% --value units both.pb.gz u.pb.gz; echo "status $?"
