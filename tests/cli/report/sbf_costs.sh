echo '{ "runtime": "mine 3", "costs": { "invoke_units": 1000 } }' >costs.json
$TOLL report --costs costs.json $DATA/sbf
echo '{ "runtime": "mine 3", "costs": { "invoke_unit": 1000 } }' >wrong.json
$TOLL report --costs wrong.json $DATA/sbf
$TOLL report --costs none.json $DATA/sbf
