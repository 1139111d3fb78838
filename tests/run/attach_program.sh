# attach_program.sh - for attach.sh and attach_one.sh: programs in Lua that write the file `turns` while they run.
guests=lua
. "$(dirname "$0")/support.sh"
command -v jq >/dev/null 2>&1 || skip "there is no jq"
# begin LUA ARGS: starts the program, and waits until it works: its number is $pid.
begin() {
    rm -f turns
    "$@" &
    pid=$!
    for _ in $(seq 30); do
        [ -s turns ] && return
        sleep 0.1
    done
    fail "$1 does not work"
}
end() {
    kill "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
}
