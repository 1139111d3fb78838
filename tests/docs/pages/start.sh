. "$pages/common.sh"
make_script script.lua
make_before_and_after
make_wasm app.wasm
cp "$data/simulated.json" tx.json
cp "$data/game.log" game.log
cp "$data/trace.json" trace.json
cp before.pb.gz swap.pb.gz
cp before.pb.gz profile.pb.gz
cp before.pb.gz run1.pb.gz
cp before.pb.gz run2.pb.gz
toll convert -q before.pb.gz -o profile.json --to speedscope
echo "ticks  parse  < 45,000" >swap.budget
mkdir runs && cp before.pb.gz runs
mkdir -p hosts/supcom LOUD/gamedata/lua/lua && cp "$source/hosts/supcom/profiler.lua" hosts/supcom
export BROWSER=true
npx() { [ -s "$2" ]; } # tests/readers opens such files in speedscope
go() { [ -s "${*: -1}" ]; } # tests/readers opens them in pprof
not_run "toll run --kernel *" "tests/kernel runs kernels"
not_run "toll convert traces --elf *" "tests/solana reads traces"
not_run "TOLL_OUT=cu-%p.pb.gz cargo *" "tests/crate runs cargo"
not_run "emcc *" "tests/emscripten builds programs"
not_run "toll diff --by-site BEFORE*" "tests/docs: emscripten.md"
not_run "TOLL_OUT=run.pb.gz ./vm *" "tests/docs: embedding.md has a VM"
