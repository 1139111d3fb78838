#!/bin/sh
# sample_amalgamation.sh TOLL SOURCE WORK LIB - one kind of a release, made of the sources as they are here and tried as release/amalgamation
# does it: the one that a name in two files can break. All others take long (tests/sets.txt).
set -eu
mkdir -p "$3/kind"
rm -rf "$3/dist"
mkdir "$3/dist"
RELEASE_SOURCE=$2 RELEASE_WORK=$3/kind RELEASE_OUT=$3/dist RELEASE_PARTS=$3/parts RELEASE_FETCHED=$3 SOURCE_DATE_EPOCH=0 \
    sh "$2/release/kinds/amalgamation"
(cd "$3/dist" && sha256sum ./* >SHA256SUMS)
exec sh "$2/tests/release/amalgamation.sh" "$1" "$2" "$3/dist" "$3/tried" "$4"
