# Functions and lines are found first, and then selected by their names.
for options in "" "--focus twice" "--focus tiny.c" "--ignore twice" "--focus nothing" "--inlines --focus square" "--inlines --ignore square" "--max-depth 1" \
    "--thread nothing" "--fold-recursion"; do
    echo "$options:"
    # shellcheck disable=SC2086 # the options are words
    $TOLL convert -q --value ticks --debug $DATA/asm/tiny.wasm $options $DATA/asm/asm.pb.gz --to folded 2>&1
done
