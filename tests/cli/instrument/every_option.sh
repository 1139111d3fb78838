. "$(dirname "$DATA")/every.sh"
cp "$(dirname "$DATA")"/../../fuzz/corpus/wasm/*.wasm .
while read -r options; do
    for input in calls exceptions tail allocators every recursion; do
        # shellcheck disable=SC2086 # the options are words
        every "$input $options" "$TOLL" instrument $options "$input.wasm" -o -
    done
done <<'END'
-q
--only ^[a-f]
--skip ^[a-f]
--no-ticks
--clock none
--lines
--lines --no-calls
--costs fuel
--depth 3
--heap
--call-lines
--call-kinds
--heap --lines --call-lines
END
