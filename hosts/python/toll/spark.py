"""Adds up profiles with Apache Spark, on all of its machines. Needs pyspark: pip install pyspark.

The machines need this package, libtoll (set spark.executorEnv.TOLL_LIBRARY), and the files under the same paths.
"""

from __future__ import annotations

import functools
import os
import warnings
from typing import TYPE_CHECKING, Iterable, Iterator, Optional, Tuple, Union

from . import native, profile
from .error import TollError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Sum = Tuple[Optional[bytes], int]  # the bytes of a profile, if there is any; how many files were omitted
Part = Union[Sum, TollError]


def _merge_files(paths: Iterator[str], skip_torn: bool, chosen: profile.Choice) -> Iterator[Part]:
    """The sum of a partition's files. A file that is not a profile makes the result an error, since a retry would not help.
    Other failures are raised, so that Spark tries again, perhaps on another machine."""
    try:
        merged, left_out = profile.add_up(paths, skip_torn, chosen)
        if merged:
            with merged:
                yield merged.to_bytes(), left_out
        else:
            yield None, left_out
    except TollError as error:
        if error.status not in native.UNSUITABLE:
            raise
        yield error


def _merge_two(a: Part, b: Part) -> Part:
    if isinstance(a, TollError) or isinstance(b, TollError):
        return min((part for part in (a, b) if isinstance(part, TollError)), key=str)
    left_out = a[1] + b[1]
    if a[0] is None or b[0] is None:
        return a[0] or b[0], left_out
    with profile.from_bytes(a[0]) as merged, profile.from_bytes(b[0]) as other:
        merged.add(other)
        return merged.to_bytes(), left_out


def _absolute(path: str) -> str:
    """The absolute path, since workers of a cluster run in other folders."""
    return path if os.path.isabs(path) else os.path.join(os.getcwd(), path)


def merge(spark: SparkSession, paths: Iterable[profile.Path], out: profile.Path, *, where: Optional[profile.Labels] = None,
          by: Optional[profile.Keys] = None, label: Optional[profile.Labels] = None, partitions: Optional[int] = None,
          skip_torn: bool = False) -> None:
    """Add up the files and write `out` on the driver's machine: the bytes of `toll merge -o OUT PATHS...`.

        toll.spark.merge(spark, paths, "all.pb.gz")
        toll.spark.merge(spark, paths, "hosts.pb.gz", where={"zone": ["eu", "us"]}, by="host,commit", label={"day": "2026-11-23"})

    where       only threads with these labels are added up, as by --where: of several values of a key any, of several keys each
    by          only the labels of these keys are kept, as by --by
    label       labels that all of the sum gets, as by --label
    partitions  into how many parts the paths are divided; if a part fails, all of it is done again; default: four per core
    skip_torn   omit files that are cut off, damaged or not profiles; a warning, and a note in the result, have their number

    Each core has one file and the sum so far in memory at a time. If a file is not a profile, TollError names it, and nothing
    is written. A master of `local[N]` never tries again: use `local[N,4]`, or a cluster.
    """
    chosen = profile.choice(where, by)
    with profile.from_bytes(b"f 1\n") as example:  # what is no label fails here, before any file is read
        example.with_labels(label or {}).close()
    of_all = [_absolute(os.fspath(path)) for path in paths]
    if not of_all:
        raise TollError("there are no profiles to merge")
    context = spark.sparkContext
    count = min(len(of_all), partitions or 4 * context.defaultParallelism)
    of_files = functools.partial(_merge_files, skip_torn=skip_torn, chosen=chosen)
    merged = context.parallelize(of_all, count).mapPartitions(of_files).treeReduce(_merge_two)
    if isinstance(merged, TollError):
        raise merged
    data, left_out = merged
    if data is not None and left_out:
        warnings.warn(f"left out {left_out} of {len(of_all)} files, which are torn, or no profiles", stacklevel=2)
    whole = profile.from_bytes(data) if data is not None else None
    with profile.finish_sum(whole, left_out, chosen, label) as finished:
        finished.write(out)
