#!/bin/sh
# run.sh TOLL SOURCE DIR LIB [FILES [PROFILES]] - toll.spark adds up FILES profiles (default 2,000) while workers and executors
# are killed (spark_merge.py); DuckDB and chdb ask what toll.export makes of PROFILES (default 10,000); Delta Lake and Iceberg
# keep it (lake.py). With packages of PyPI (1.7 GB installed) in an environment in DIR. Needs Java 17.
set -eu
toll=$1
source=$2
dir=$3
lib=$4
for java in /usr/lib/jvm/java-17-openjdk-*; do
    if [ -e "$java/bin/java" ]; then export JAVA_HOME="$java"; fi
done
[ -n "${JAVA_HOME:-}" ] || command -v java >/dev/null 2>&1 || { echo "skipped: there is no Java 17"; exit 77; }
sh "$source/tests/python/environment.sh" "$dir" "$lib" "$source/tests/spark/requirements.txt" || exit $?
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$source/tests/python:$source/tests/spark"
"$dir/venv/bin/python" -W error "$source/tests/python/export.py" "$toll" "$source" "$lib" "${6:-10000}"
"$dir/venv/bin/python" "$source/tests/spark/lake.py" "$source" "$lib"
"$dir/venv/bin/python" "$source/tests/spark/spark_merge.py" "$toll" "$source" "$lib" "${5:-2000}"
