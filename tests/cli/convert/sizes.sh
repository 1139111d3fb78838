# What is a size: digits, then k, M, G or T, then B or iB.
for size in 1 1k 2m 2M 2MB 2MiB 1G 1TiB 16777215T 18446744073709551615 16777216T 18446744073709551616 17179869184G \
    '' 0x10 -1 ' 5' 5B 5iB 5Mi 5MBB 5MiBx 5Mx 5kk 5P '5 M' 1.5G; do
    "$TOLL" convert -q --max-memory "$size" "$DATA/example.folded" -o x.pb.gz 2>message
    echo "$? '$size'$(grep -o ' is not a size.*' message)"
done
