$TOLL diff $DATA/moved_before.speedscope.json $DATA/moved_after.speedscope.json
