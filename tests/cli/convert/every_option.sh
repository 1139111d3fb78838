. "$(dirname "$DATA")/every.sh"
while read -r options; do
    for input in example.folded recursion.folded simulated.json moved_before.speedscope.json trace.json transfer.log game.log \
        sbf lines/before.pb.gz; do
        # shellcheck disable=SC2086 # the options are words
        every "$input $options" "$TOLL" convert $options "$DATA/$input" -o -
    done
done <<'END'
--to folded
--to folded --flamechart
--to folded --value calls
--to folded --fold-recursion
--to folded --max-depth 2
--to folded --prune 5%
--to folded --label commit=1 --by commit
--to folded --focus ^[a-g]
--to folded --keep-all
--to folded --lines
--to folded --by-site
--to speedscope
--to perfview
--to chrome
--to perfetto
--to callgrind
--to svg
--to timeline
--to json
--from folded --to folded
--from pprof --to folded
--from solana --to folded
--from supcom --to folded
--from speedscope --to folded
END
