# Files that are not profiles: the message fits the kind of file.
report() {
    cat >"$1"
    "$TOLL" report "$1"
}
printf '{"notes":[],\n"allocationSites":[\n],\n"heapGrowthEvents":[\n]}\n' | report sites.json
echo '{"jsonrpc":"2.0","result":null,"id":1}' | report answer.json
echo '{"jsonrpc":"2.0", "id":1, "result" : null}' | report answer.log
echo '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid param"},"id":1}' | report error.json
echo '{"rows":[1,2]}' | report other.json
printf 'info: Supreme Commander\ninfo: hello\n' | report game.log
printf 'info: Supreme Commander\ninfo: hello\n' | report game.sclog
printf 'f;g x\n' | report stacks.txt
printf '<html>\n<head><title>429 Too Many Requests</title></head>\n</html>\n' | report refused.json
echo '{"logs":[],"unitsConsumed":450}' | report unlogged.json
