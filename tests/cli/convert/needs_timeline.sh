$TOLL convert $DATA/example.folded -o x.trace.json; s=$?; ls; exit $s
