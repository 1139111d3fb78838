"$TOLL" help --man | head -60
for command in $("$TOLL" --help | sed -n 's/^  toll \([a-z]*\) .*/\1/p'); do
    "$TOLL" help --man "$command" >page.1
    man -l --warnings page.1 2>&1 >page.txt | sed "s/^/$command: /"
    sed -n '/^NAME/{n;p}; /^EXAMPLES/,/^$/{/^  *toll/p}' page.txt
done
"$TOLL" help --man nothing
"$TOLL" help --completion bash | bash -n && echo "bash: sound"
"$TOLL" help --completion csh
