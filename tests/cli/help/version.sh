# The runtime whose prices system calls of register traces have is the same in the version and in a note of each profile.
runtime=$("$TOLL" --version | sed -n "s/^prices of Solana's system calls: //p")
echo "$runtime"
$TOLL report -q --json $DATA/sbf | grep -o "system calls with the prices of $runtime"
