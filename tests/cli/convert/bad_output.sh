# The error comes before the input is read, and nothing is written.
"$TOLL" convert no_such_file.folded -o x.docx
echo "exit $?"
"$TOLL" convert --from callgrind "$DATA/example.folded" -o x.pb.gz
echo "exit $?"
"$TOLL" merge no_such_file.folded
echo "exit $?"
ls
