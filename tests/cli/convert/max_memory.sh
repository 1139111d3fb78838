awk "BEGIN { for (i = 0; i < 60000; i++) print \"a;b\" i \" 1\" }" >big.folded; $TOLL convert --max-memory 1M big.folded -o x.pb.gz; s=$?; ls; exit $s
