# Inlined functions, and which lines belong to none, are found in the program that was profiled; the first profile has some.
"$TOLL" annotate --inlines --skip-line-zero "$DATA/lines/before.pb.gz" >/dev/null
"$TOLL" convert --inlines "$DATA/example.folded" -o none.pb.gz
