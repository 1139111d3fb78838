# Labels: a report lists the existing ones, and says which requested ones are missing.
echo 'main;f 1' >a.folded
echo 'main;g 2' >b.folded
$TOLL convert a.folded --label commit=1 --label host=a -o a.pb.gz
$TOLL convert b.folded --label commit=1 --label host=b --label test=t -o b.pb.gz
$TOLL merge a.pb.gz b.pb.gz -o ab.pb.gz
$TOLL merge ab.pb.gz a.folded -o abc.pb.gz
$TOLL report ab.pb.gz
$TOLL report --tree abc.pb.gz
$TOLL report --flame abc.pb.gz
$TOLL report --markdown ab.pb.gz | tail -2
$TOLL report --by ' host' abc.pb.gz
$TOLL report --by host --flame abc.pb.gz
$TOLL report --by nosuch,host,thread ab.pb.gz
$TOLL report --by nosuch a.folded
$TOLL report --by , ab.pb.gz
$TOLL report --where host=c ab.pb.gz
$TOLL report --where host=c a.folded
# Keys that only some threads have, in no order.
echo 'main;h 3' >c.folded
$TOLL convert c.folded --label arch=x --label day=1 --label zone=z -o c.pb.gz
$TOLL merge b.pb.gz c.pb.gz a.pb.gz -o keys.pb.gz
$TOLL report keys.pb.gz | tail -1
# Many labels, and long ones.
set -- $(seq -f "--label k%02g=v" 1 17)
$TOLL convert a.folded "$@" -o many.pb.gz
$TOLL report many.pb.gz | tail -1
long=$(printf '%0100d' 0)
$TOLL convert a.folded --label $long=v --label z$long=v --label "short=$long" -o long.pb.gz
$TOLL report long.pb.gz | tail -1
# A trace has threads without labels.
$TOLL convert "$DATA/trace.json" --label commit=1 -o order.speedscope.json
