# The version and a note in each profile name the same runtime, whose prices are used for system calls of register
# traces.
runtime=$("$TOLL" --version | sed -n "s/^prices of Solana's system calls: //p")
echo "$runtime"
$TOLL report -q --json $DATA/sbf | grep -o "system calls with the prices of $runtime"
