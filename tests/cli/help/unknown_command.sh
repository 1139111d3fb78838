$TOLL reprot x
