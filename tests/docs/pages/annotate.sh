. "$pages/common.sh"
make_wasm work.wasm
for name in before after toll; do
    toll run -q --lines -o $name.pb.gz work.wasm
done
put src/parser.c work.c
put "toll.pb.gz sum" "toll.pb.gz parse"
