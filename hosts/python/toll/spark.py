"""Profiles added up by Apache Spark, on as many machines as it has. Needs pyspark: pip install 'toll[spark]'.

The machines need this package, libtoll (TOLL_LIBRARY, by spark.executorEnv.TOLL_LIBRARY) and the files, by the same paths.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Iterable, Iterator, Optional, Union

from . import native, profile
from .error import TollError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Part = Union[bytes, TollError]


def _merge_files(paths: Iterator[str]) -> Iterator[Part]:
    """The sum of a partition's files, as a file. What is no profile is a result, too: to try again would not help. Other
    failures are Spark's, which tries again, on another machine if need be."""
    of_partition = list(paths)
    if not of_partition:
        return
    try:
        with profile.merge(of_partition) as merged:
            yield merged.to_bytes()
    except TollError as error:
        if error.status not in native.UNSUITABLE:
            raise
        yield error


def _merge_two(a: Part, b: Part) -> Part:
    if isinstance(a, TollError) or isinstance(b, TollError):
        return min((part for part in (a, b) if isinstance(part, TollError)), key=str)
    with profile.from_bytes(a) as merged, profile.from_bytes(b) as other:
        merged.add(other)
        return merged.to_bytes()


def merge(spark: SparkSession, paths: Iterable[profile.Path], out: profile.Path, *, partitions: Optional[int] = None) -> None:
    """Add up the files and write `out` on the driver's machine: the bytes of `toll merge -o OUT PATHS...`.

        toll.spark.merge(spark, paths, "all.pb.gz")

    partitions  into how many the paths are divided; each is lost, and done again, as a whole; default: four a core

    One file, and the sum so far, are in memory at a time on each core. TollError names a file that is no profile; nothing is
    written then. A master of `local[N]` tries nothing again: use `local[N,4]`, or a cluster.
    """
    of_all = [os.fspath(path) for path in paths]
    if not of_all:
        raise TollError("there are no profiles to merge")
    context = spark.sparkContext
    count = min(len(of_all), partitions or 4 * context.defaultParallelism)
    merged = context.parallelize(of_all, count).mapPartitions(_merge_files).treeReduce(_merge_two)
    if isinstance(merged, TollError):
        raise merged
    with profile.from_bytes(merged) as whole:
        whole.write(out)
