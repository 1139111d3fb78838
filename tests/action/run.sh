#!/bin/sh
# run.sh TOLL SOURCE DIR - tests the action with act (https://github.com/nektos/act), which runs workflows like GitHub,
# directly on this machine.
set -eu
toll=$1
source=$2
dir=$3
VERSION=v0.2.89
for program in go node git jq unzip curl python3 lua5.3 lua5.4; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
mkdir -p "$dir/bin"
cd "$dir"
[ -x bin/act ] && bin/act --version | grep -q "${VERSION#v}" ||
    GOBIN=$dir/bin go install "github.com/nektos/act@$VERSION" >go.log 2>&1 || { tail -5 go.log; echo "skipped: act cannot be built here"; exit 77; }
ln -sf "$toll" bin/toll
rm -rf toll && mkdir toll && cp -r "$source/action" toll/ # what a workflow fetches
PATH=$dir/bin:$PATH
export PATH
exec node "$source/tests/action/action.mjs" "$dir/bin/act" "$dir/toll" "$source/tests/action"
