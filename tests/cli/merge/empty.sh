# nothing to merge
mkdir empty
: >list
$TOLL merge -o x.pb.gz
$TOLL merge empty -o x.pb.gz
$TOLL merge --files-from list -o x.pb.gz
printf '\n\n' | $TOLL merge -j 4 --files-from - -o x.pb.gz
$TOLL merge "" -o x.pb.gz
: >empty/torn.pb.gz
$TOLL merge --skip-torn empty empty/torn.pb.gz -o x.pb.gz; s=$?
ls; exit $s
