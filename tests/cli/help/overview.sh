$TOLL --help
