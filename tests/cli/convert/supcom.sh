$TOLL convert $DATA/game.log --to folded -o -
$TOLL convert -q --no-call-lines --value calls $DATA/game.log --to folded -o - 2>/dev/null
$TOLL convert --call-lines $DATA/game.log -o x.pb.gz 2>/dev/null && $TOLL report --tree x.pb.gz
$TOLL convert $DATA/game.log -o x.speedscope.json 2>/dev/null && $TOLL convert -q x.speedscope.json --to folded -o -
grep -v prof: $DATA/game.log >silent.log
$TOLL report silent.log
$TOLL report --from supcom $DATA/example.folded
$TOLL convert --strict $DATA/game.log -o strict.folded
