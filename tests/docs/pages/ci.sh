. "$pages/common.sh"
needs make
make_before_and_after
make_wasm app.wasm
cp before.pb.gz swap.pb.gz
cp before.pb.gz old.pb.gz
toll check -q --write-budget swap.budget swap.pb.gz
awk '/^```make$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$file" >Makefile # as it is printed there
[ -s Makefile ]
