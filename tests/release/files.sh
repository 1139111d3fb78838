#!/bin/sh
# files.sh SOURCE DIST - makes a whole release (scripts/release makes it twice, and compares), which the other tests of this
# folder use. It must be signed and described: each file is in the sums and in both descriptions, with what is compiled into
# it, and an archive that contains code of others has its licences. A signature that fails must end scripts/release.
set -u
source=$1
dist=$2
skip() {
    echo "skipped: $1"
    exit 77
}
fail() {
    echo "FAILED: $*"
    exit 1
}
git -C "$source" rev-parse -q --verify HEAD >/dev/null 2>&1 || skip "this is no clone of the repository"
[ "$(uname -sm)" = "Linux x86_64" ] || skip "the compiler of release/pins.txt is for Linux on x86-64"
for tool in apt-get cargo clang cmake dh dpkg-buildpackage node npm readelf wasm-ld; do
    command -v $tool >/dev/null 2>&1 || skip "there is no $tool"
done
# shellcheck source=/dev/null
[ "$(. /etc/os-release && echo "$ID $VERSION_ID")" = "debian 12" ] || skip "the packages for Debian are made on Debian 12"
python3 -c 'import tomllib, venv, ensurepip' 2>/dev/null || skip "there is no Python from 3.11 on with venv and ensurepip"

rm -rf "$dist"
log=$dist.log
mkdir -p "$(dirname "$dist")"
RELEASE_DIST=$dist.failed TOLL_SIGN=false "$source/scripts/release" archive >"$log" 2>&1 && fail "it works, though the signer fails"
grep -q 'SHA256SUMS could not be signed' "$log" || fail "it does not say that the signer failed: $(cat "$log")"
rm -rf "$dist.failed"
printf '#!/bin/sh\ncp "$1" "$1.sig"\n' >"$dist.signer"
RELEASE_DIST=$dist TOLL_SIGN="sh $dist.signer" "$source/scripts/release" >"$log" 2>&1 || { cat "$log"; exit 1; }
tail -1 "$log"

cd "$dist" || exit 1
sha256sum --check --quiet SHA256SUMS || fail "SHA256SUMS"
for file in SHA256SUMS toll.spdx.json toll.intoto.json; do
    cmp $file $file.sig || fail "$file is not signed"
done
python3 "$source/tests/release/described.py" "$dist" "$(ls "$source/release/kinds")"
