# How many operands each form of help takes.
for operands in "" "report" "report diff" "nothing" "--man" "--man report" "--man report diff" "--man nothing" "--completion" "--completion bash" \
    "--completion bash zsh" "--completion csh" "--words" "--words functions" "--words functions $DATA/example.folded" "--words functions a b" "--nothing"; do
    # shellcheck disable=SC2086 # the operands are words
    $TOLL help $operands >out 2>err
    echo "help $operands: $? $(head -n 1 out) $(sed 's/;.*//' err)" | sed "s|$DATA/||; s/[0-9]*\.[0-9]*\.[0-9]*/VERSION/"
done
for operands in "" --help -h help --version -V version report "report --help" "--help report" "-h report" "help report" "report -h" "nothing --help"; do
    # shellcheck disable=SC2086 # the operands are words
    $TOLL $operands >out 2>err
    echo "toll $operands: $? $(head -n 1 out) $(sed 's/;.*//' err)" | sed 's/[0-9]*\.[0-9]*\.[0-9]*/VERSION/'
done
