. "$(dirname "$DATA")/every.sh"
while read -r options; do
    for pair in "example.folded after.folded" "after.folded example.folded" "example.folded recursion.folded" \
        "moved_before.speedscope.json moved_after.speedscope.json" "lines/before.pb.gz lines/after.pb.gz" "sbf transfer.log"; do
        # shellcheck disable=SC2086 # the options are words
        every "$pair $options" "$TOLL" diff $options "$DATA/${pair% *}" "$DATA/${pair#* }"
    done
done <<'END'
--json
--markdown
-n 1
--value calls
--value ticks
--focus ^[a-g]
--ignore main
--fold-recursion
--max-depth 2
--prune 10%
--by-site
--fail-over 1%
--fail-over +3
--fail-over 1% --by-function
--fail-over 0 --annotations
--fail-over 5% --markdown
--color always
--full-names
-q
--to folded -o -
--to pprof -o /dev/null
END
