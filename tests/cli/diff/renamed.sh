# A function that is gone and a new one of the same cost, file and line are offered as one that was renamed; what is alike
# in all of that is not guessed.
frames='{"name":"attacked","file":"game.lua","line":3},{"name":"idle","file":"game.lua","line":9},{"name":"a","file":"x.lua","line":1},{"name":"b","file":"x.lua","line":2}'
profile() { printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[%s]},"profiles":[{"type":"sampled","name":"","unit":"none","startValue":0,"endValue":26,"samples":[[0],[1],[2],[3]],"weights":[12,6,4,4]}]}' "$1"; }
profile "$frames" >before.speedscope.json
profile "$(echo "$frames" | sed 's/attacked/menaced/; s/"a","file":"x.lua","line":1/"c","file":"x.lua","line":7/; s/"b","file":"x.lua","line":2/"d","file":"x.lua","line":8/')" >after.speedscope.json
"$TOLL" diff before.speedscope.json after.speedscope.json
"$TOLL" diff --json before.speedscope.json after.speedscope.json | grep -A0 renamed
"$TOLL" diff --markdown before.speedscope.json after.speedscope.json | grep Renamed
