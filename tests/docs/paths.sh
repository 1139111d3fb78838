#!/bin/sh
# paths.sh SOURCE - names in the pages exist: files, folders and tests in docs/design.md and CONTRIBUTING.md, functions
# in all pages.
set -eu
cd "$1"
failed=0
names=$(sed 's/toll_\(NAME\|FUNCTION\)//g' docs/design.md CONTRIBUTING.md | grep -o '`[^` ]*`' | tr -d '`' | sort -u)
for name in $names; do
    case $name in
    *NAME* | *CASE* | *COMMAND* | *\** | *\$* | *=* | --* | .c | .h) continue ;;
    cli/*/*) found=tests/$name.sh ;;
    unit/test_*) found=tests/$name.c ;;
    unit/*) found=tests/$name.sh ;;
    src/* | hosts/* | docs/* | tests/* | include/* | bench/* | scripts/* | examples/* | fuzz/* | cmake/*) found=$name ;;
    */?*)
        for found in tests/$name src/$name include/$name; do
            [ -e "$found" ] && break
        done
        [ -e "$found" ] || found=$(grep -rlw --include=CMakeLists.txt "$name" tests | head -1)
        ;;
    *.c | *.h | *.rs | *.lua | *.mjs | *.js | *.txt | *.sh | *.md)
        found=$(find src hosts include tests docs fuzz examples CMakeLists.txt README.md CHANGELOG.md CONTRIBUTING.md -name "$name" -not -path '*/target/*' | head -1)
        ;;
    *) continue ;;
    esac
    [ -n "$found" ] && [ -e "$found" ] || {
        echo "FAILED: there is no $name"
        failed=1
    }
done
for name in $(cat docs/*.md CONTRIBUTING.md README.md | grep -ow 'toll_\(recorder\|profile\|report\|sections\|timeline\)_[a-z_]*[a-z]' | sort -u); do
    grep -rqw "$name" include/toll src hosts/solana || {
        echo "FAILED: there is no function $name"
        failed=1
    }
done
exit $failed
