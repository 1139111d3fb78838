#!/bin/sh
# run.sh TOLL PACKAGE DIR - packs the package toll-litesvm and installs it in DIR, where the runners are; has each run tests
# (project/, examples/litesvm), and holds what they leave to what LiteSVM charged (check.mjs).
set -eu
toll=$1
package=$2
dir=$3
source=$(cd "$(dirname "$0")" && pwd)
for program in node npm; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
[ "$(node -p 'process.versions.node.split(".")[0] >= 20')" = true ] ||
    { echo "skipped: litesvm needs node 20, this is $(node --version)"; exit 77; }
mkdir -p "$dir"
cd "$dir"
sh "$source/../packages/npm.sh" "$source" . install || { echo "skipped: npm cannot install litesvm here"; exit 77; }
node -e 'require("litesvm")' >litesvm.log 2>&1 || { cat litesvm.log; echo "skipped: litesvm does not load on $(uname -sm)"; exit 77; }

rm -rf node_modules/toll-litesvm ./*.tgz project example temporary labels bench
npm pack --silent "$package" >packed 2>npm.log || { cat npm.log; exit 1; }
mkdir node_modules/toll-litesvm project temporary
tar xzf "$(cat packed)" --strip-components 1 -C node_modules/toll-litesvm
cp -r "$source"/project/* "$source/../solana/program.mjs" project
cp -r "$source/../../examples/litesvm" example

TMPDIR=$dir/temporary NO_COLOR=1
export TMPDIR NO_COLOR
runs() { # name, command...: its output is NAME.log
    name=$1
    shift
    "$@" >"$dir/$name.log" 2>&1 || { cat "$dir/$name.log"; echo "FAILED: $name"; exit 1; }
}
cd project
node build.mjs
runs node node --test tests/node.test.mjs
runs cut node --test tests/cut.mjs
runs script node script.mjs
cp -r . ../labels
rm -r ../labels/toll-profiles
(cd ../labels && TOLL_LABELS=commit=1,host=a && export TOLL_LABELS && runs labels node script.mjs)
(cd ../labels && mv toll-profiles first && TOLL_BY=test,transaction,host && export TOLL_BY && runs by node --test tests/node.test.mjs)
(cd ../labels && mv toll-profiles by && TOLL_LABELS=host && export TOLL_LABELS && runs no_labels node script.mjs)
cp -r . ../bench
rm -r ../bench/toll-profiles
(cd ../bench && runs bench "$toll" bench --json -- node --test tests/node.test.mjs)
(cd ../bench && runs again "$toll" bench --fail-over 0 -- node --test tests/node.test.mjs)
(cd ../bench && runs refused sh -c '! TOLL_OUT=x.nosuch node --test tests/node.test.mjs')
(cd ../bench && runs folded env TOLL_OUT=out.folded node --test tests/node.test.mjs)
runs vitest ../node_modules/.bin/vitest run --testTimeout 60000
runs threads ../node_modules/.bin/vitest run --testTimeout 60000 --pool=threads --dir threads
runs jest ../node_modules/.bin/jest --testTimeout 60000 --rootDir . __tests__
runs mocha ../node_modules/.bin/mocha --timeout 60000 tests/mocha.cjs
cd ../example
runs types ../node_modules/.bin/tsc
runs example ../node_modules/.bin/vitest run --testTimeout 60000
cd ..
node "$source/check.mjs" "$toll" .
! ls temporary | grep toll || { echo "FAILED: files are left in the folder for temporary ones"; exit 1; }
