$TOLL convert $DATA/bad.folded -o out.pb.gz; s=$?; ls; exit $s
