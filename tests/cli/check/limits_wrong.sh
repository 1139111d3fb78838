# A server that is not known, and what --limits cannot be combined with.
"$TOLL" check --limits zipkin "$DATA/example.folded"
echo "$?"
"$TOLL" check --limits pyroscope --budget "$DATA/people.budget" "$DATA/example.folded"
