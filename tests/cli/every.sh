# every.sh - for cases that try each option on inputs of each kind. The output is too large to keep, so only its
# checksums are compared. Sourced with $TOLL and $DATA.
mkdir work

# every NAME COMMAND...: the exit status, and the sums of what is printed and complained.
every() {
    name=$1
    shift
    "$@" >work/out 2>work/err
    status=$?
    sed "s|$DATA/||g" work/out >work/out.clean
    sed "s|$DATA/||g" work/err >work/err.clean
    echo "$name: $status $(cksum <work/out.clean | cut -d' ' -f1) $(cksum <work/err.clean | cut -d' ' -f1)"
}
