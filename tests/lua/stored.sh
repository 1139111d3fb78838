#!/bin/sh
# stored.sh TOLL LUA MODULES [--update] - the names of the functions of stored.lua, with their calls, are those of
# stored.expected, for every Lua, by the layout of the interpreter and without; --update writes it anew. Exit 77: no such Lua.
set -u
toll=$1
lua=$2
update=${4:-}
. "$(dirname "$0")/begin.sh"
cp "$here/stored.lua" .
failed=0
for mode in layout portable; do
    [ $mode = portable ] && export TOLL_RUN_PORTABLE=1
    "$toll" run -q -o $mode.pb.gz "$lua" stored.lua || { echo "FAILED: $lua, $mode: stored.lua failed"; exit 1; }
    # What is called by pcall or by the chunks "calls". A place of C's differs between versions.
    "$toll" convert -q --value calls $mode.pb.gz --to folded | sed -n 's/.*;pcall;\([^;]*\)$/\1/p; s/.*main chunk (calls);\([^;]*\)$/\1/p' |
        sed 's/^[^ ]*+0x[0-9a-f]* /PLACE /; s/^built-in #[0-9]* /PLACE /; s/^C function /PLACE /' | LC_ALL=C sort >$mode
    [ "$update" != --update ] || cp $mode "$here/stored.expected"
    diff "$here/stored.expected" $mode || { echo "FAILED: $lua, $mode"; failed=1; }
done

# The whole name of a source, of which Lua itself keeps 60 characters.
folder=$(printf 'long%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)
mkdir "$folder"
echo 'pcall(function() end)' >"$folder/script.lua"
"$toll" run -q -o long.pb.gz "$lua" "$folder/script.lua"
"$toll" convert -q long.pb.gz --to callgrind | grep -q "=([0-9]*) $folder/script.lua\$" || { echo "FAILED: $lua: the source has another name"; failed=1; }
exit $failed
