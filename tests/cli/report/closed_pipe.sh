# The reader of the pipe has gone: no command prints a message, and each ends by SIGPIPE, even if the parent ignores
# that signal.
mkfifo pipe
read_nothing() {
    : <pipe &
    exec 3>pipe
    wait $!
    "$@" >&3
    echo "$2: $?"
    exec 3>&-
}
try_all() {
    read_nothing "$TOLL" report "$DATA/example.folded"
    read_nothing "$TOLL" report --tree "$DATA/example.folded"
    read_nothing "$TOLL" report --json "$DATA/example.folded"
    read_nothing "$TOLL" check "$DATA/example.folded"
    read_nothing "$TOLL" diff "$DATA/example.folded" "$DATA/after.folded"
    read_nothing "$TOLL" convert --to pprof "$DATA/example.folded"
    read_nothing "$TOLL" merge --to folded "$DATA/example.folded" "$DATA/after.folded"
    read_nothing "$TOLL" help report
    read_nothing "$TOLL" --version
}
try_all
trap '' PIPE
try_all
