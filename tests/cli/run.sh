#!/bin/sh
# run.sh TOLL CASE.sh [--update] - runs one command test in an empty folder, and compares its output, its messages and
# its exit status with the files beside it (.stdout, .stderr, .exit). A missing file means no output, or exit status 0.
# --update writes the files anew.
set -u
TOLL=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
case=$(cd "$(dirname "$2")" && pwd)/$(basename "$2" .sh)
DATA=$(cd "$(dirname "$0")" && pwd)/data
export TOLL DATA LC_ALL=C NO_COLOR=1 TERM=dumb
unset GITHUB_ACTIONS GITHUB_WORKSPACE GITHUB_STEP_SUMMARY CI_PROJECT_DIR WORKSPACE # where these tests run themselves
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir in && cd in || exit 1
sh "$case.sh" >../stdout 2>../stderr </dev/null
echo $? >../exit
cd ..
sed "s|$DATA/||g" stderr >stderr.clean && mv stderr.clean stderr
failed=0
for what in stdout stderr exit; do
    : >usual
    [ $what != exit ] || echo 0 >usual
    if [ "${3:-}" = --update ]; then
        rm -f "$case.$what"
        cmp -s usual $what || cp $what "$case.$what"
        continue
    fi
    [ ! -e "$case.$what" ] || cp "$case.$what" usual
    cmp -s usual $what || { diff usual $what; failed=1; }
done
exit $failed
