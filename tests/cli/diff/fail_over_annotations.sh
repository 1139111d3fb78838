# Annotations of GitHub: at the function that grew, by a path within the checkout; names are data.
printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"f,100%%\\n::error::","file":"/w/repo/a:b.lua","line":3}]},"profiles":[{"type":"sampled","name":"","unit":"none","startValue":0,"endValue":5,"samples":[[0]],"weights":[5]}]}' >before.speedscope.json
sed 's/"weights":\[5\]/"weights":[6]/; s/"endValue":5/"endValue":6/' before.speedscope.json >after.speedscope.json
GITHUB_ACTIONS=true GITHUB_WORKSPACE=/w/repo "$TOLL" diff -q before.speedscope.json after.speedscope.json --fail-over 1% --by-function
