# If nothing was compared the files say so: none of an earlier run remains. Each is written whole or not at all.
echo 'samples  f  <= 1000' >some.budget
"$TOLL" check -q --junit j.xml --openmetrics o.txt --code-quality q.json --budget some.budget "$DATA/example.folded" && grep -c '<error' j.xml
"$TOLL" check --junit j.xml --openmetrics o.txt --code-quality q.json --budget some.budget nothere; echo "status $?"
cat j.xml o.txt q.json
printf 'samples  f  <\n' >bad.budget
"$TOLL" check --junit j.xml --budget bad.budget "$DATA/example.folded"; echo "status $?"
grep '<error' j.xml
"$TOLL" check --junit j.xml --budget some.budget --tight x "$DATA/example.folded"; echo "status $?"
grep '<error' j.xml
"$TOLL" check -q --junit j.xml --budget some.budget --repeat 2 -- sh -c 'echo x >>n; echo "f $(wc -l <n)" >{}'; echo "status $?"
grep '<error' j.xml
"$TOLL" check -q --json --budget some.budget --repeat 2 -- sh -c 'echo x >>n; echo "f $(wc -l <n)" >{}' 2>/dev/null; echo "status $?"
rm j.xml n
"$TOLL" check --junit none/j.xml --openmetrics o.txt --budget some.budget "$DATA/example.folded"; echo "status $?"
ls
"$TOLL" check --junit - --budget some.budget "$DATA/example.folded"; echo "status $?"
"$TOLL" check --openmetrics o.txt "$DATA/example.folded"; echo "status $?"
grep -v '^#' o.txt
"$TOLL" check --ctest "$DATA/example.folded"; echo "status $?"
