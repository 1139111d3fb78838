. "$pages/common.sh"
make_before_and_after
make_script parse.lua
make_wasm app.wasm
echo 12 >input.txt
cp before.pb.gz swap.pb.gz
cp before.pb.gz old.pb.gz
for commit in a b; do toll convert -q --label commit=$commit before.pb.gz -o $commit.pb.gz; done
toll merge -q a.pb.gz b.pb.gz -o day.pb.gz
rm a.pb.gz b.pb.gz
toll check -q --write-budget parse.budget --repeat 2 --ticks -- parse.lua input.txt
GITHUB_STEP_SUMMARY=$work/summary.md
export GITHUB_STEP_SUMMARY
not_run "toll check --repeat 3 -- env TOLL_OUT={} cargo *" "tests/budgets runs cargo"
echo "$(seq 1203 | tr '\n' ';') 1" | sed 's/; 1$/ 1/' >deep.folded
toll convert -q deep.folded -o deep.pb.gz
put "--limits pyroscope swap.pb.gz" "--limits pyroscope deep.pb.gz"
