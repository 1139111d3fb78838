. "$pages/common.sh"
cp "$source/examples/nqueens.lua" .
make_script app.lua
echo 3f2a1c >COMMIT
yesterday=$(date -d yesterday +%F)
mkdir -p "profiles/$yesterday" runs
for commit in 3f2a1c 9be07d; do
    TOLL_LABELS=commit=$commit,host=a toll run -q --ticks --clock none --label test=queens -o "profiles/$yesterday/$commit.pb.gz" lua5.4 nqueens.lua 6
    cp "profiles/$yesterday/$commit.pb.gz" "runs/$commit.pb.gz"
done
toll merge -q --label commit=9be0 runs -o 9be0.pb.gz
touch -d yesterday yesterday
put /var/profiles profiles
