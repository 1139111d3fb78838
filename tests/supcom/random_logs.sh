#!/bin/sh
# random_logs.sh TOLL SOURCE - random logs, read by toll and by a simple model of the format.
set -eu
command -v python3 >/dev/null 2>&1 || { echo "skipped: there is no python3"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
seed=1
while [ $seed -le 10 ]; do
    python3 "$2/tests/supcom/random_logs.py" $seed
    for lines in call-lines no-call-lines; do
        "$1" convert -q --$lines game.log -o read.folded
        "$1" convert -q --$lines --value calls game.log -o calls.folded
        for what in read calls; do # a profile without values is a comment
            grep -v "^#" $what.folded | LC_ALL=C sort | diff $lines.$what - >difference || {
                echo "seed $seed, --$lines, $what:"
                head -20 difference
                exit 1
            }
        done
    done
    "$1" convert -q --from supcom game.log -o - --to folded | grep -v "^#" | LC_ALL=C sort | cmp call-lines.read -
    "$1" report -q --json -n 1 game.log >report.json
    python3 "$2/tests/supcom/random_logs.py" $seed notes <report.json
    seed=$((seed + 1))
done
