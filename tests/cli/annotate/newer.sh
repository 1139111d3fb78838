cp "$DATA/lines/before.pb.gz" . && cp "$DATA/lines/work_c.txt" work.c && cp "$DATA/lines/work_h.txt" work.h
touch -d 2020-01-01 before.pb.gz work.h
touch -d 2020-01-02 work.c
$TOLL annotate --source-dir . before.pb.gz sum >/dev/null
$TOLL annotate --source-dir . before.pb.gz square >/dev/null
printf '/* short */\n' >work.c
$TOLL annotate -q --source-dir . before.pb.gz sum
# A profile that has its times: newer is what was changed after the end. Fields 9 and 10 are the start, and 2 seconds.
cp "$DATA/lines/work_c.txt" work.c
gzip -dc "$DATA/lines/before.pb.gz" >timed.pb
python3 -c 'import sys
def varint(value):
    return bytes([value]) if value < 128 else bytes([value % 128 + 128]) + varint(value // 128)
sys.stdout.buffer.write(b"\x48" + varint(1700000000 * 10**9) + b"\x50" + varint(2 * 10**9))' >>timed.pb
for time in 1700000002 1700000003; do
    touch -d @$time work.c
    echo "changed at $time:" >&2
    $TOLL annotate --source-dir . timed.pb sum >/dev/null
done
