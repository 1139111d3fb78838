. "$pages/common.sh"
not_run "emcc *" "tests/emscripten builds programs and opens them in browsers"
not_run "cp share/*" "tests/emscripten"
make_script script.lua
for name in BEFORE AFTER 1 2 3 4; do # as toll-heap.mjs saves them: the whole heap by the place of allocation
    toll run -q --heap -o $name.pb.gz lua5.4 script.lua
    toll convert -q --value inuse_space $name.pb.gz -o $name.speedscope.json
done
toll run -q --heap --label snapshot=1 -o LAST.pb.gz lua5.4 script.lua
