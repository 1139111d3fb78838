# A name with .gz after a format's extension is that format, compressed; the file can be read again.
for name in x.speedscope.json x.folded x.perfview.json x.pb; do
    $TOLL convert -q "$DATA/example.folded" -o $name.gz &&
        gzip -t $name.gz &&
        $TOLL convert -q $name.gz -o $name &&
        $TOLL convert -q --to folded "$name" | cksum
done
$TOLL convert -q "$DATA/trace.json" -o x.trace.json.gz && $TOLL check x.trace.json.gz
$TOLL convert -q "$DATA/example.folded" -o callgrind.out.7.gz && gzip -dc callgrind.out.7.gz | head -1
$TOLL convert -q "$DATA/example.folded" -o x.gz
