# A replaced file keeps its mode; a link is followed; no temporary file is left.
echo 'old 1' >m.folded
chmod 640 m.folded
ln -s m.folded link.folded
"$TOLL" convert "$DATA/example.folded" -o link.folded
ls -l | awk 'NR > 1 { print $1, $9, $10, $11 }'
cat m.folded
