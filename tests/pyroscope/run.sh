#!/bin/sh
# run.sh TOLL SOURCE DIR READERS - makes profiles in DIR and pushes them as docs/pyroscope.md says; READERS has npm packages.
set -eu
for program in node curl; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
curl --help all | grep -q -e --url-query || { echo "skipped: this curl has no --url-query, which 7.87 brought"; exit 77; }
data=$2/tests/cli/data
rm -rf "$3"
mkdir -p "$3"
cd "$3"
"$1" merge -q "$data/example.folded" "$data/trace.json" "$data/transfer.log" -o columns.pb.gz # several columns, several threads
printf 'main;f 4600000000000000000\nmain;g 4600000000000000001\nmain 3\n' >large.folded
"$1" convert -q large.folded -o large.pb.gz
awk 'BEGIN { for (i = 0; i < 50000; i++) print "main;f" i * 7919 % 50000 " " i }' >many.folded # more than curl sends at once
"$1" convert -q many.folded -o many.pb.gz
exec node "$2/tests/pyroscope/push.mjs" "$1" "$2/docs/pyroscope.md" "$4"
