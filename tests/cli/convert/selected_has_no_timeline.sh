$TOLL convert --focus b $DATA/trace.json -o x.trace.json; s=$?; ls; exit $s
