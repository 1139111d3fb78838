printf 'samples  *  == 160\n' >b
"$TOLL" check --budget b "$DATA/example.folded" && echo holds
# Several profiles are added up.
"$TOLL" check -q --budget b "$DATA/example.folded" "$DATA/after.folded"
