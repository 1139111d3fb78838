# A new budget holds; again it changes nothing, to the byte.
"$TOLL" check --write-budget b "$DATA/example.folded"
cat b
cp b b.old
"$TOLL" check --write-budget b "$DATA/example.folded"
cmp b b.old && "$TOLL" check -q --budget b "$DATA/example.folded" && echo holds
# What is no file is not a new one.
"$TOLL" check --write-budget b/new "$DATA/example.folded" 2>err || echo "status $?" # systems say why in their own words
[ ! -e b/new ] && sed "s/cannot .*/cannot .../" err
# A name has one rule, also if it is that of several functions: the costliest one first, or a later one.
printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"g","file":"a.lua"},{"name":"f","file":"a.lua"},{"name":"g","file":"b.lua"},{"name":"f","file":"c.lua"}]},"profiles":[{"type":"sampled","name":"","unit":"none","startValue":0,"endValue":14,"samples":[[0],[1],[2],[3]],"weights":[5,4,3,2]}]}' >names.speedscope.json
"$TOLL" check --write-budget names.budget names.speedscope.json && cat names.budget
