#!/bin/sh
# rock_sources.sh SOURCE WORK - all headers that the sources of the rock include are in it. release/rock compiles it.
set -eu
source=$1
work=$2
include=$(pkg-config --cflags-only-I lua5.4 2>/dev/null) || { echo "skipped: there are no headers of Lua 5.4"; exit 77; }
for tool in cmake gcc python3; do
    command -v $tool >/dev/null 2>&1 || { echo "skipped: there is no $tool"; exit 77; }
done
rm -rf "$work"
mkdir -p "$work/kind" "$work/dist"
RELEASE_SOURCE=$source RELEASE_WORK=$work/kind RELEASE_OUT=$work/dist RELEASE_PARTS=$work/parts RELEASE_FETCHED=$work SOURCE_DATE_EPOCH=0 \
    sh "$source/release/kinds/rock"
cd "$work"
tar xzf dist/toll-*-lua.tar.gz --strip-components 1
# One file that includes all of them, each once: preprocessed in a moment.
find src hosts -name '*.c' | sed 's/.*/#include "&"/' >all.c
# shellcheck disable=SC2086 # words
gcc -MM -D_GNU_SOURCE -DTOLL_HAVE_ZLIB=1 -DTOLL_HAVE_PAGE=1 -DTOLL_HAVE_SOLANA=0 -DTOLL_HAVE_SUPCOM=0 -Iinclude -Isrc -Ihosts/lua $include \
    all.c >headers || { echo "FAILED: the rock lacks headers: release/kinds/rock lists its rooms"; exit 1; }
echo "$(wc -l <all.c) files of the rock have their headers"
