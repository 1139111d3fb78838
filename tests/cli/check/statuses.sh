# Each exit status of the table in docs/gates.md, and what it means there; and no other.
"$TOLL" convert -q "$DATA/example.folded" -o p.pb.gz
"$TOLL" convert -q "$DATA/trace.json" -o time.pb.gz
sed 's/$/0/' "$DATA/example.folded" >more.folded
seen=
is() { # is STATUS WHAT COMMAND...
    expected=$1 what=$2
    shift 2
    "$TOLL" "$@" >out 2>&1
    status=$?
    seen="$seen $status"
    [ $status = "$expected" ] && echo "$status $what" || echo "FAILED: $status, not $expected: $what: $(cat out)"
}
budget() { printf '%s\n' "$1" >budget; }
is 0 "no limit was given" diff p.pb.gz more.folded
is 0 "a limit holds" diff p.pb.gz p.pb.gz --fail-over 0%
budget 'samples * <= 1000'
is 0 "all rules hold" check --budget budget p.pb.gz
is 1 "a file cannot be read" diff p.pb.gz nosuch.pb.gz --fail-over 0%
echo 'no profile' >none.pb.gz
is 1 "no profile" check none.pb.gz
is 1 "no budget is there" check --budget nosuch p.pb.gz
budget 'samples * = 5'
is 1 "no budget: a rule is wrong" check --budget budget p.pb.gz
budget 'samples /(/ <= 5'
is 1 "no budget: a pattern is wrong" check --budget budget p.pb.gz
budget '# nothing'
is 1 "no budget: it has no rules" check --budget budget p.pb.gz
budget 'time * <= 5'
is 1 "a rule is about time" check --budget budget time.pb.gz
budget 'samples * <= 5 kB'
is 1 "a rule is in another unit" check --budget budget p.pb.gz
is 1 "the same when it is written" check --write-budget budget p.pb.gz
is 2 "the command line is wrong" diff p.pb.gz p.pb.gz --fail-over x
is 2 "two options exclude each other" check --budget b --write-budget b p.pb.gz
is 2 "the profile has no such value" diff p.pb.gz p.pb.gz --fail-over 0% --value nosuch
is 2 "the value has no exact limit" diff time.pb.gz time.pb.gz --fail-over 0% --value time
is 3 "a limit is exceeded" diff p.pb.gz more.folded --fail-over 0%
budget 'samples * <= 1'
is 3 "a rule fails" check --budget budget p.pb.gz
budget 'samples nosuch <= 1'
is 3 "a rule matches nothing" check --budget budget p.pb.gz
budget 'nosuch * <= 1'
is 3 "a rule's value was not recorded" check --budget budget p.pb.gz
budget 'samples * <= 1000'
is 3 "a rule allows too much" check --budget budget --tight 1% p.pb.gz
seq 1203 | tr '\n' ';' | sed 's/;$/ 1/' >deep.folded
is 3 "a server would lose something" check --limits pyroscope deep.folded
is 3 "the chosen functions are in neither" diff p.pb.gz more.folded --fail-over 0% --focus nosuch
is 3 "the chosen labels are in neither" diff p.pb.gz more.folded --fail-over 0% --where a=b
for status in $(sed -n 's/^| \([0-9]\) | .*/\1/p' "$DATA/../../../docs/gates.md"); do
    case " $seen " in *" $status "*) ;; *) echo "FAILED: status $status was not seen" ;; esac
    table="$table $status"
done
for status in $seen; do
    case " $table " in *" $status "*) ;; *) echo "FAILED: the table has no status $status" ;; esac
done
