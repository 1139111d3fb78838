. "$pages/common.sh"
make_before_and_after
not_run "emcc *" "tests/emscripten builds programs and opens them in browsers"
not_run "cp share/*" "tests/emscripten"
for name in BEFORE AFTER; do
    toll run -q --heap -o $name.speedscope.json lua5.4 script.lua
    toll run -q --heap -o $name.pb.gz lua5.4 script.lua
done
put BEFORE.speedscope.json BEFORE.pb.gz
put AFTER.speedscope.json AFTER.pb.gz
