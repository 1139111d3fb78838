. "$(dirname "$DATA")/every.sh"
cp "$DATA/lines/work_c.txt" work.c && cp "$DATA/lines/work_h.txt" work.h && touch -d 2020-01-01 work.c work.h
while read -r options; do
    for input in lines/before.pb.gz lines/words.pb.gz asm/asm.pb.gz example.folded sbf; do
        # shellcheck disable=SC2086 # the options are words
        every "$input $options" "$TOLL" annotate --source-dir . $options "$DATA/$input"
    done
    # shellcheck disable=SC2086 # the options are words
    every "both $options" "$TOLL" annotate --source-dir . $options "$DATA/lines/before.pb.gz" "$DATA/lines/after.pb.gz"
done <<'END'
--json
--full
--top 3
--top 3 --json
--threshold 5%
--threshold 0 --full
--asm
--asm --json
-n 1
--value ticks
--value time
--focus sum
--no-source
--inlines
--skip-line-zero
--prefix-map src=.
--mangled
--full-names
--color always
-q
END
