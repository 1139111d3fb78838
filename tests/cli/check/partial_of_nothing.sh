# --partial: if all rules are about labels, and the profile has none of these, it is held to nothing, which is no success.
echo 'work 100' >w.folded
"$TOLL" merge -q --label test=y -o y.pb.gz w.folded
printf 'samples  work  where test=x  <= 1\nsamples  *  where test=z,host=a  <= 1\n' >b
"$TOLL" check --partial --budget b --junit j.xml w.folded; echo "status $?"
grep -c '<error' j.xml
"$TOLL" check --partial --budget b y.pb.gz; echo "status $?" # another test ran
