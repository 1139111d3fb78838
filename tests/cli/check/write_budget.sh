# A new budget holds; again it changes nothing, to the byte.
"$TOLL" check --write-budget b "$DATA/example.folded"
cat b
cp b b.old
"$TOLL" check --write-budget b "$DATA/example.folded"
cmp b b.old && "$TOLL" check -q --budget b "$DATA/example.folded" && echo holds
# What is no file is not a new one.
"$TOLL" check --write-budget b/new "$DATA/example.folded" 2>err || echo "status $?" # systems say why in their own words
[ ! -e b/new ] && sed "s/cannot .*/cannot .../" err
