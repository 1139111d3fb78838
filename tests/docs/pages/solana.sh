. "$pages/common.sh"
make_traces
mkdir -p target/idl
cp "$data/simulated.json" tx.json
cp "$data/simulated.json" block.json
cp "$data/transfer.log" test-run.log
solana() { cat "$data/transfer.log"; } # what the client of a cluster prints
for number in 1 2; do
    toll convert -q "$data/transfer.log" -o cu-$number.pb.gz
done
not_run "*--elf *" "tests/solana runs a program and reads its traces"
not_run "SBF_TRACE_DIR=* cargo *" "tests/crate runs cargo"
toll convert -q --label test=swaps "$data/transfer.log" -o cu.pb.gz
cp cu.pb.gz main.pb.gz
not_run "TOLL_OUT=* cargo *" "tests/crate runs cargo"
not_run "toll bench *" "tests/crate runs cargo"
not_run "cargo install *" "tests/crate runs cargo"
not_run "toll-replay *" "tests/crate runs it"
not_run "SBF_TRACE_DIR=* node *" "tests/solana"
not_run "npm *" "tests/litesvm packs and installs the package"
