. "$pages/common.sh"
make_profile app.pb.gz
make_profile old.pb.gz
make_profile new.pb.gz
for snapshot in 1 2 3 4; do make_profile $snapshot.pb.gz; done
make_script a.lua
make_wasm app.wasm
export BROWSER=true
