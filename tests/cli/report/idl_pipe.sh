# A pipe in a folder of IDLs is not waited for.
mkdir folder && mkfifo folder/x.json
timeout 20 "$TOLL" report -n 1 --idl folder "$DATA/transfer.log"
