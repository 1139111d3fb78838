head -6 $DATA/sbf.logs >cut.logs
echo 'Log truncated' >>cut.logs
$TOLL report --logs cut.logs $DATA/sbf
echo '{"jsonrpc":"2.0","error":{"code":-32015,"message":"Transaction version (0) is not supported"},"id":1}' >error.json
$TOLL report --logs error.json $DATA/sbf
$TOLL report --logs $DATA/simulated.json $DATA/sbf
head -6 $DATA/sbf.logs >torn.logs # a terminal's last lines are missing
$TOLL report --logs torn.logs $DATA/sbf
$TOLL report torn.logs
