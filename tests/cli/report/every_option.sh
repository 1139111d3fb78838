. "$(dirname "$DATA")/every.sh"
while read -r options; do
    for input in example.folded recursion.folded bad.folded simulated.json moved_before.speedscope.json trace.json transfer.log \
        game.log sbf lines/before.pb.gz asm/asm.pb.gz; do
        # shellcheck disable=SC2086 # the options are words
        every "$input $options" "$TOLL" report $options "$DATA/$input"
    done
done <<'END'
--tree
--flame --width 60
--json
--markdown
--sort total
--sort calls --tree
--sort name
-n 2
-n 1 --tree
--value calls
--value time
--value ticks --json
--focus ^[a-g]
--ignore main|f
--thread .
--fold-recursion --tree
--max-depth 2 --tree
--prune 10% --tree
--by-site
--mangled
--full-names
--sections
--no-overhead
--strict
--by-transaction
--no-call-lines --tree
--costs fuel
--color always
-q
END
