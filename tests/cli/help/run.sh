$TOLL run --help
