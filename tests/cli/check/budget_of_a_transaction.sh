# Each transaction is a root, which a rule can be limited to.
"$TOLL" check --write-budget b --by-transaction -n 2 "$DATA/simulated.json" && cat b
printf 'compute units  Token*  in "transaction 1"  < 4,645 CU\n' >b
"$TOLL" check --budget b --by-transaction "$DATA/simulated.json"
