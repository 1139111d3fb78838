. "$pages/common.sh"
make_wasm app.wasm
cp "$source/fuzz/corpus/component_code/two" hello.component.wasm
echo 1 >data.txt
put "--invoke NAME app.wasm 1 2.5" "--invoke fib app.wasm 10"
not_run "go mod edit *" "tests/wazero builds programs with the module"
not_run "npm install *" "tests/component installs jco"
not_run "toll run app.component.wasm *" "tests/component runs components"
not_run "toll run --invoke NAME hello*" "tests/component runs components"
not_run "toll run --serve *" "tests/component serves"
not_run "JCO_RUN_ARGS=*" "tests/component runs what jco serve makes"
not_run "toll run --kernel *" "tests/kernel runs kernels"
cat >program.mjs <<'END'
import fs from "node:fs";
import { WASI } from "node:wasi";
const wasi = new WASI({ version: "preview1", args: ["app.wasm"] });
const { instance } = await WebAssembly.instantiate(fs.readFileSync("app.wasm"), wasi.getImportObject());
wasi.start(instance);
END
put /usr/share/toll/preload.mjs "$build/lib/preload.mjs"
