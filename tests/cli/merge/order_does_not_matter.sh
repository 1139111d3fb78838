$TOLL merge $DATA/example.folded $DATA/after.folded -o a.pb.gz && $TOLL merge $DATA/after.folded $DATA/example.folded -o b.pb.gz && cmp a.pb.gz b.pb.gz && $TOLL convert a.pb.gz --to folded -o -
