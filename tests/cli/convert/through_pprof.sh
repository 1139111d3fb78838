$TOLL convert $DATA/example.folded -o x.pb.gz && $TOLL convert x.pb.gz --to folded -o - && ls
