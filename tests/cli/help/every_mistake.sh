# Each option, in the first command that has it: without a value, with a value of the wrong kind, with a value too many,
# and given twice.
try() {
    message=$("$TOLL" "$@" 2>&1 >/dev/null </dev/null | head -1 | cut -c1-150 | sed "s|$DATA/||g")
    shift
    echo "$command $* | $message"
}
cp "$DATA/example.folded" in.folded
tried=" --help "
for command in report diff convert merge check annotate instrument view; do
    for option in $("$TOLL" "$command" --help | sed -n 's/^ *\(-[a-z], \)\?\(--[a-z-]*\).*/\2/p'); do
        case $tried in *" $option "*) continue ;; esac
        tried="$tried$option "
        for value in "" -1 x 1x 0.5 100% 99999999999999999999 ,= é; do
            case $command in
            diff) try "$command" "$option=$value" in.folded in.folded ;;
            convert | merge | instrument | view) try "$command" "$option=$value" in.folded -o out.folded ;;
            *) try "$command" "$option=$value" in.folded ;;
            esac
        done
        try "$command" "$option"
        try "$command" "${option}x"
        try "$command" "${option%?}"
    done
    try "$command" in.folded in.folded in.folded in.folded
    try "$command" nosuch
done
