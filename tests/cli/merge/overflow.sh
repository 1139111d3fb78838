# A sum that no report could read is not written; the largest one that fits is.
echo 'a 9000000000000000000' >a.folded
echo 'b 223372036854775808' >b.folded
echo 'b 223372036854775807' >c.folded
"$TOLL" merge a.folded b.folded -o sum.pb.gz; echo "status $?"
[ ! -e sum.pb.gz ] || echo "it was written"
"$TOLL" merge a.folded a.folded -o sum.pb.gz; echo "status $?"
"$TOLL" merge a.folded c.folded -o sum.pb.gz; echo "status $?"
"$TOLL" report sum.pb.gz
