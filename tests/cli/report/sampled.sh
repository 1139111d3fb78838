# Values that are made of samples are printed as exactly as they are known. cpu.pb: 100 samples of 10 ms, as of Go's profiler;
# v8.pb: 1,000 samples of 165 us, a profile of WebAssembly.
cpu=$DATA/sampled/cpu.pb
"$TOLL" report -q "$cpu"
"$TOLL" report -q --tree "$cpu"
"$TOLL" report -q --markdown "$cpu" | sed -n 1,7p
"$TOLL" report -q --json "$cpu" | grep '"columns"'
"$TOLL" report -q --focus few "$cpu"
"$TOLL" convert -q "$cpu" -o cpu.svg && grep -o '<title>few[^/]*' cpu.svg
"$TOLL" report -q --value time "$DATA/sampled/v8.pb"
# A difference has no samples.
"$TOLL" merge -q "$cpu" "$cpu" -o twice.pb.gz
"$TOLL" diff -q twice.pb.gz "$cpu" -o less.pb.gz >/dev/null
"$TOLL" report -q --value cpu less.pb.gz
