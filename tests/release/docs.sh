#!/bin/sh
# docs.sh TOLL SOURCE DIST WORK - the release's site of the documentation, unpacked, and opened from disk in Chromium: each page,
# each link of each page, and a search. Nothing may be asked of a network.
. "$(dirname "$0")/common.sh"
needs node npm chromium
set -e
mkdir site
tar xzf "$(file_of "toll-*-docs.tar.gz")" -C site --strip-components=1
sh "$source/tests/packages/npm.sh" "$source/tests/page" .
cp "$source/tests/release/docs.mjs" .
node docs.mjs site
