$TOLL check nowhere.pb.gz
