# Snapshots of a heap, in the order of time: what grew in each step comes first, by allocation site and by stack.
snapshot() { # FILE LINES...: bytes, and a block for each 64
    file=$1
    shift
    printf '%s\n' "$@" >all.folded
    while read -r stack value; do echo "$stack $((value * 64))" >>space.folded; done <all.folded
    $TOLL convert -q space.folded --value inuse_space --unit bytes -o space.pb.gz
    $TOLL convert -q all.folded --value inuse_objects --unit count -o objects.pb.gz
    $TOLL merge -q space.pb.gz objects.pb.gz -o "$file"
    rm space.folded
}
snapshot 1.pb.gz 'main;leak;malloc 10' 'main;view;leak;malloc 1' 'main;cache;malloc 3' 'main;pool;malloc 50' 'main 7'
snapshot 2.pb.gz 'main;leak;malloc 11' 'main;view;leak;malloc 4' 'main;cache;malloc 6' 'main;pool;malloc 40' 'main 7'
snapshot 3.pb.gz 'main;leak;malloc 15' 'main;view;leak;malloc 3' 'main;cache;malloc 6' 'main;pool;malloc 60' 'main 7'
snapshot 4.pb.gz 'main;leak;malloc 16' 'main;view;leak;malloc 4' 'main;cache;malloc 6' 'main;pool;malloc 45' 'main 7'
$TOLL diff --value inuse_space [1234].pb.gz
$TOLL diff --leaks [1234].pb.gz
$TOLL diff --leaks --value inuse_space 1.pb.gz 2.pb.gz
$TOLL diff --leaks 4.pb.gz 3.pb.gz 2.pb.gz
$TOLL diff 1.pb.gz 1.pb.gz 1.pb.gz
$TOLL diff -n 1 --json [1234].pb.gz
$TOLL diff -n 1 --markdown [123].pb.gz
echo "== limits and -o are about the first and the last"
$TOLL diff -q --leaks --fail-over 10% -o d.pb.gz [1234].pb.gz >out.txt; echo "status $?"
$TOLL report -q --by-site d.pb.gz
echo "== many steps, no heap, threads"
for n in 1 2 3 4 5 6 7 8 9; do
    printf 'main;f %d\n' "$n" >f.folded
    $TOLL convert -q f.folded --value ticks --unit count --label "job=$((n % 2))" -o "t$n.pb.gz"
done
$TOLL diff t?.pb.gz
$TOLL diff --by job t?.pb.gz -n 2
echo "== not together"
$TOLL diff 1.pb.gz; echo "status $?"
$TOLL diff --each [123].pb.gz; echo "status $?"
$TOLL diff --leaks 1.pb.gz missing.pb.gz; echo "status $?"
$TOLL diff --prune 50% [123].pb.gz; echo "status $?"
