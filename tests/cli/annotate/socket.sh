# What is there but cannot be opened, and is no folder, is the name of a function.
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("sum")'
$TOLL annotate -q $DATA/lines/before.pb.gz sum | head -3
