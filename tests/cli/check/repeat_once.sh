# Once is a number of runs, and 0 is none.
for times in 0 1; do
    "$TOLL" check --repeat $times -- ./no.such.program
done
