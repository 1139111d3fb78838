# With --before, a rule whose function is gone names the new one that has its cost, file and line.
profile() { # NAME NAME COLUMN: of the functions attacked and idle
    printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"%s","file":"game.lua","line":3},{"name":"%s","file":"game.lua","line":9}]},"profiles":[{"type":"sampled","name":"","unit":"none","startValue":0,"endValue":18,"samples":[[0],[1]],"weights":[12,6]}]}' "$1" "$2"
}
profile attacked idle >before.speedscope.json
profile menaced idle >after.speedscope.json
cat >game.budget <<'B'
samples  attacked  <= 12
samples  idle      <= 6
samples  attakked  <= 12
samples  att*      <= 12
B
check() { $TOLL check --budget game.budget "$@" after.speedscope.json; echo "status $?"; }
check
check --before before.speedscope.json
check --before after.speedscope.json
printf 'attacked 12\n' >bytes.folded
$TOLL convert -q bytes.folded --value inuse_space --unit bytes -o bytes.pb.gz
check --before bytes.pb.gz
