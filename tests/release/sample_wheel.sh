#!/bin/sh
# sample_wheel.sh TOLL SOURCE WORK MODULE LIBRARY - a sample of a release for each run of scripts/check: PyPI's wheel, of the
# command and libtoll as they were built here. It is packed as a release's are, and installed and tried as release/wheel does
# it. release/wheel also compiles it for each system.
set -eu
toll=$1 source=$2 work=$3 module=$4 library=$5
for tool in readelf python3; do
    command -v $tool >/dev/null 2>&1 || { echo "skipped: there is no $tool"; exit 77; }
done
rm -rf "$work"
mkdir -p "$work/dist" "$work/licences"
cp "$source/LICENSE" "$source/NOTICE" "$work/licences"
export SOURCE_DATE_EPOCH=0
name=$(python3 "$source/release/wheel.py" "$module" "$toll" "$library" "$work/licences" "$work/files")
python3 "$source/release/pack.py" "$work/files" "$work/dist/$name"
(cd "$work/dist" && sha256sum ./* >SHA256SUMS)

set +e # common.sh counts what fails
set -- "$toll" "$source" "$work/dist" "$work/tried"
. "$source/tests/release/common.sh"
python3 "$source/tests/release/wheel_files.py" "$dist"/*.whl || fail "the wheel's files"
. "$source/tests/release/installed_wheel.sh"
exit $failed
