mkdir empty
for arguments in "--from sbf-trace empty" "empty" "--from sbf-trace $DATA/example.folded" \
    "--elf nonsense $DATA/sbf" "--elf TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA=$DATA/example.folded $DATA/sbf" \
    "--logs $DATA/example.folded $DATA/sbf" "--logs $DATA/sbf.logs $DATA/example.folded"; do
    $TOLL convert $arguments -o x.pb.gz
    echo $?
done
