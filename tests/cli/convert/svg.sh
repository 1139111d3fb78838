# The picture is small, and says what it omits. It cannot be read as a profile.
printf 'main;"a<b>&c";</script><img src=x onerror=alert(1)> 5000\nmain;b 2\n' >in.folded
$TOLL convert in.folded -o graph.svg && cat graph.svg
$TOLL convert --value calls $DATA/lines/before.pb.gz --to svg -o - | grep all
$TOLL report graph.svg
