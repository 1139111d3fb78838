# A rule whose name no function has: the function of the profile that contains it is named, also the first and the last one there is.
printf 'outermost;inner 5\nonly 3\n' >p.folded
for name in outer onl nn none; do
    printf 'samples  %s  < 5\n' "$name" >b.budget
    "$TOLL" check --budget b.budget p.folded
done
