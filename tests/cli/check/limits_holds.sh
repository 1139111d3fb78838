# Nothing would be lost.
cd "$DATA" && "$TOLL" check --limits pyroscope example.folded
