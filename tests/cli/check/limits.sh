# Parts that Pyroscope would cut off: a stack of 1,203 frames and a name of 65,540 bytes, with the shares of their
# values.
awk 'BEGIN { for (i = 0; i < 1200; i++) printf "f%d;", i; print "g;h;i 30"; print "f0;f1 10"
             for (i = 0; i < 65540; i++) printf "n"; print ";f1 20"; print "main 60" }' >deep.folded
"$TOLL" check --limits pyroscope deep.folded
