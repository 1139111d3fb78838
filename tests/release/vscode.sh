#!/bin/sh
# vscode.sh TOLL SOURCE DIST WORK - the release's extension for VS Code. vsce, which checks what VS Code's marketplace takes (of
# npm), lists its files and packs the same; and with a stub of VS Code's interface it shows the page that TOLL makes.
. "$(dirname "$0")/common.sh"
needs node npm python3 lua5.4
vsix=$(file_of "tollprof-$version.vsix")
mkdir -p ours theirs
python3 -m zipfile -e "$vsix" ours || fail "$vsix"
node "$source/tests/release/vscode.mjs" "$native" "$work/ours/extension" "$data" || fail "the extension"

sh "$source/tests/packages/npm.sh" "$source/tests/release/vsce" vsce || exit $?
(cd ours/extension && ../../vsce/node_modules/.bin/vsce ls --no-dependencies >"$work/listed" 2>"$work/log") || fail "vsce ls: $(cat log)"
(cd ours/extension && find . -type f | sed 's|^\./||' | sort) >there
sort listed | diff - there || fail "vsce would pack other files"
(cd ours/extension && ../../vsce/node_modules/.bin/vsce package --no-dependencies -o "$work/theirs.vsix" >"$work/log" 2>&1) || fail "vsce package: $(cat log)"
python3 -m zipfile -e theirs.vsix theirs
diff -r ours/extension theirs/extension || fail "vsce packs other files"
# What our manifest says, vsce's says, too.
properties() { grep -oE '<(Identity|Property|Asset|DisplayName|InstallationTarget|License)[^>]*>' "$1/extension.vsixmanifest" | sed 's| */>|>|' | sort; }
properties ours >our.properties
properties theirs >their.properties
[ "$(wc -l <our.properties)" -gt 10 ] || fail "the manifest is $(cat our.properties)"
comm -23 our.properties their.properties >added
[ ! -s added ] || fail "vsce's manifest lacks: $(cat added)"
for which in ours theirs; do tr '>' '\n' <"$which/[Content_Types].xml" | grep Extension | sort >$which.types; done
diff ours.types theirs.types || fail "vsce has other types"
echo "the extension has $(wc -l <there) files, as vsce packs it; not run in VS Code itself"
exit $failed
