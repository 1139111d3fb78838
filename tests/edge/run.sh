#!/bin/sh
# run.sh TOLL MODULE LIB DIR - examples/edge in workerd (of npm), which runs Cloudflare's workers: what it answers, and the profiles
# of one request and of all, held to those of Node. MODULE is the source of a module.
set -eu
toll=$1
module=$2
lib=$3
dir=$4
source=$(cd "$(dirname "$0")" && pwd)
for program in node npm clang wasm-ld; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
mkdir -p "$dir"
cd "$dir"
sh "$source/../packages/npm.sh" "$source" . install || { echo "skipped: npm cannot install workerd here"; exit 77; }
workerd=$(ls node_modules/@cloudflare/*/bin/workerd)
"$workerd" --version >version 2>&1 || { cat version; echo "skipped: workerd does not run here"; exit 77; }

rm -rf worker
mkdir worker
clang --target=wasm32 -O0 -nostdlib -Wl,--no-entry "$module" -o app.wasm
"$toll" instrument app.wasm -o worker/app.toll.wasm
cp "$source/../../examples/edge/worker.mjs" "$lib"/*.mjs "$lib/toll.wasm" worker
( # the modules are embedded, so the list of them is made last
    cat <<'C'
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  compatibilityDate = "2026-01-01",
  modules = [
C
    cd worker
    echo '    (name = "worker.mjs", esModule = embed "worker.mjs"),'
    for script in *.mjs; do
        [ $script = worker.mjs ] || echo "    (name = \"$script\", esModule = embed \"$script\"),"
    done
    for wasm in *.wasm; do echo "    (name = \"$wasm\", wasm = embed \"$wasm\"),"; done
    printf '  ]\n);\n'
) >config
mv config worker/config.capnp
exec node "$source/check.mjs" "$workerd" "$lib"
