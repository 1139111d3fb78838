# A budget whose limits are far above the values fails; rules that people fixed do not.
"$TOLL" convert -q "$DATA/example.folded" -o p.pb.gz
"$TOLL" check --write-budget b p.pb.gz >out
"$TOLL" check -q --budget b --tight 0 p.pb.gz; echo "status $?"
printf 'samples  *     <= 20\nsamples  f     <= 1,000 fixed\nsamples  self h  >= 1\nsamples  gone  <= 5  optional\n' >b
"$TOLL" check --budget b --tight 5% p.pb.gz; echo "status $?"
"$TOLL" check -q --budget b --tight 1000 p.pb.gz; echo "status $?"
"$TOLL" check --tight x --budget b nosuch.pb.gz; echo "status $?"
"$TOLL" check --tight 5% p.pb.gz; echo "status $?"
