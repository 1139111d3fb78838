$TOLL diff $DATA/example.folded $DATA/after.folded -o d.pb.gz >/dev/null && $TOLL convert d.pb.gz --to folded -o -
