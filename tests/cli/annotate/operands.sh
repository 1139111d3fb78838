# The second operand is a profile if its name ends as one's, or it is a folder, or compressed; else a function or a source.
try() {
    $TOLL annotate -q --no-source $DATA/lines/before.pb.gz sum 2>&1 | head -3
    rm -rf sum
}
try
cp "$DATA/lines/after.pb.gz" sum && try
printf '\037\213' >sum && try
printf '\037\213x' >sum && try
printf '\037' >sum && try
printf '\037x' >sum && try
printf 'x\213' >sum && try
printf '' >sum && try
mkdir sum && try
cp "$DATA/example.folded" sum && try
$TOLL annotate -q $DATA/lines/before.pb.gz missing.folded
$TOLL annotate -q $DATA/lines/before.pb.gz $DATA/lines/after.pb.gz sum 2>&1 | head -3
$TOLL annotate -q $DATA/lines/before.pb.gz sum $DATA/lines/after.pb.gz
$TOLL annotate -q $DATA/lines/before.pb.gz sum square
