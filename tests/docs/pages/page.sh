. "$pages/common.sh"
make_profile app.pb.gz
make_profile old.pb.gz
make_profile new.pb.gz
make_script a.lua
make_wasm app.wasm
export BROWSER=true
