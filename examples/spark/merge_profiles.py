"""Add up profiles on Apache Spark: the same bytes as `toll merge -o OUT FILES...`.

    find /shared/profiles -name '*.pb.gz' > list
    spark-submit --conf spark.executorEnv.TOLL_LIBRARY=/opt/toll/libtoll.so.0.1 merge_profiles.py all.pb.gz list
    python merge_profiles.py --master 'local[2,4]' all.pb.gz list

LIST has a path a line; all machines read the files by these paths."""

import argparse
import sys

import toll.spark
from pyspark.sql import SparkSession


def main() -> int:
    parser = argparse.ArgumentParser(description="Add up profiles on Apache Spark.")
    parser.add_argument("--master", help="where to run; default: what spark-submit says")
    parser.add_argument("--skip-torn", action="store_true", help="leave out files that are torn, or no profiles")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("list", metavar="LIST", type=argparse.FileType())
    options = parser.parse_args()
    builder = SparkSession.builder.appName("toll")
    spark = (builder.master(options.master) if options.master else builder).getOrCreate()
    try:
        toll.spark.merge(spark, options.list.read().splitlines(), options.out, skip_torn=options.skip_torn)
    except toll.TollError as error:
        print(f"merge_profiles: {error}", file=sys.stderr)
        return 1
    finally:
        spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
