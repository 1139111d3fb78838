# The command does not wait for a pipe in a folder of IDLs.
mkdir folder && mkfifo folder/x.json
timeout 20 "$TOLL" report -n 1 --idl folder "$DATA/transfer.log"
