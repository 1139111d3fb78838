# A file of --junit and the like has a name of its own: it would replace the budget, a profile, or another such file.
echo 'work 100' >w.folded
echo 'samples  work  <= 100' >b
for others in "--junit b" "--openmetrics w.folded" "--code-quality ./b" "--junit x --openmetrics x" "--junit old.folded"; do
    cp w.folded old.folded
    "$TOLL" check -q --budget b --before old.folded $others w.folded; echo "status $?"
done
"$TOLL" diff -q --fail-over 1% --junit old.folded old.folded w.folded; echo "status $?"
cat b w.folded old.folded
ls
