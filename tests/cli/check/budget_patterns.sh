# Patterns of budgets: one that matches, and one that patterns do not have, with its line.
printf '%s\n' 'samples /^[[:alpha:]]$|\p{Lu}/ <= 1000000' >good.budget
printf '%s\n' 'samples * >= 1' 'samples /(((((a*)*)*)*)*)*\1z/ <= 5' >hostile.budget
"$TOLL" check --budget good.budget "$DATA/example.folded"
"$TOLL" check --budget hostile.budget "$DATA/example.folded"
