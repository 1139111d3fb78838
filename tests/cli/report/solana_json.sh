$TOLL report --names $DATA/programs --tree $DATA/simulated.json
$TOLL report --names $DATA/bad.names $DATA/simulated.json
