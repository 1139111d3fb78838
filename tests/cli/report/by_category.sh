# A table for each folder of sources, less what an empty function costs, with links; as those who measure a library
# with a program that calls each of its functions print them.
A=Acct1111111111111111111111111111111111111111
{
    echo "Program $A invoke [1]"
    n=1
    section() { # id, units
        printf 'CU log:  %d %s consumed  %d CU (net    %d CU)\n' $n "$1" "$2" "$2"
        n=$((n + 1))
    }
    section "empty src/lib.rs:12" 20
    section "empty src/lib.rs:12" 21
    section "dear src/lib.rs:40" 90
    section "load src/account/load.rs:7" 120
    section "load src/account/load.rs:7" 130
    section "check src/account/check it.rs:3" 15
    section "push program/src/array_vec/push.rs:30" 61
    section "clock src/sysvar.rs:9" 150
    section "far /root/.cargo/src/x/far.rs:9" 33
    section "up src/../up/up.rs:1" 34
    section "twice src//account/twice.rs:2" 50
    section "no_place" 44
    echo "Program $A consumed 1000 of 200000 compute units"
    echo "Program $A success"
} >bench.log
"$TOLL" report -q --by-category --links https://example.org/o/r/blob/main/ bench.log | sed '/<details>/,$d'
"$TOLL" report -q --by-category -n 1 bench.log | sed '/<details>/,$d'
# The baseline may cost nothing.
sed 's/consumed  2[01] CU (net    2[01] CU)/consumed  0 CU (net    0 CU)/' bench.log >free.log
"$TOLL" report -q --by-category free.log | sed '/<details>/,$d' | head -8
# Nothing in src/lib.rs, and no calls.
echo 'main;f 3' | "$TOLL" report -q --by-category | sed '/<details>/,$d'
"$TOLL" report -q --by-category --links 'ftp://x/' bench.log
"$TOLL" report -q --by-category --links 'https://x/)[' bench.log
"$TOLL" report -q --links https://x/ bench.log
"$TOLL" report -q --by-category --json bench.log
