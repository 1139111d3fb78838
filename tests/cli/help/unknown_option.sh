$TOLL report --focsu x
