# The sizes of a project's programs: at most 64, names of at most 127 characters, in this folder or seven folders up.
bench() { "$TOLL" bench -q --by root "$@" -- sh -c 'echo "main;f 5" >{}' | sed -n '/  program$/,$p' | tr 0 .; }
mkdir -p target/deploy 1/2/3/4/5/6/7/8
long=$(printf '%0124d' 0) # 127 characters with .so
printf 12345 >target/deploy/p.so
printf 1234567 >"target/deploy/$long.so"
printf 1 >"target/deploy/${long}0.so" # one too many
bench -o first.pb.gz
echo "== folders"
(cd 1/2/3/4/5/6/7 && bench -o x.pb.gz | tail -1)
(cd 1/2/3/4/5/6/7/8 && bench -o x.pb.gz | tail -1)
echo "== 64 of the names that come first, and one that is gone"
rm target/deploy/*
for n in $(seq 10 75); do echo "$n" >"target/deploy/b$n.so"; done
bench -o second.pb.gz --before first.pb.gz
rm target/deploy/b1?.so
bench -o third.pb.gz --before second.pb.gz | sed '12,$d'
