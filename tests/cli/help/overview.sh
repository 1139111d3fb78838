$TOLL --help
# A long option is followed by a blank, too.
"$TOLL" diff --help | grep -e --where-before
