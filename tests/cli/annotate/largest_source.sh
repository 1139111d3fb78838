# The largest source that is shown has 8 MiB.
pad() { # bytes of work.c
    rest=$(($1 - $(wc -c <"$DATA/lines/work_c.txt")))
    { cat "$DATA/lines/work_c.txt"; head -c "$rest" /dev/zero | tr '\0' '\n'; } >work.c
    touch -d 2020-01-01 work.c
}
for size in $((8 * 1024 * 1024)) $((8 * 1024 * 1024 + 1)); do
    pad $size
    $TOLL annotate --source-dir . $DATA/lines/before.pb.gz sum
done
