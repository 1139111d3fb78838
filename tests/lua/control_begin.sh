# control_begin.sh - for control.sh and socket.sh, which begin with it, with the arguments TOLL LUA MODULES HOST MODULE.
toll=$1
lua=$2
modules=$3
host=$4
module=$5
. "$(dirname "$0")/begin.sh"
failed=0
fail() { echo "FAILED: $lua: $*"; failed=1; }
case $lua in luajit) version=5.1 ;; *) version=${lua#lua} ;; esac

# calls FUNCTION FILE: how often it was called.
calls() { "$toll" report -q --rows 0 --json --value calls "$2" | jq "[.functions[] | select(.name == \"$1\") | .calls] | add // 0"; }
