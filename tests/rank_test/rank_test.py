"""rank_test.py TOLL DIR - programs whose profiles have given values, run by toll compare: its p, intervals and ratios are
those of SciPy; exact ones of up to 50 values, with and without equal ones, and approximate ones of more."""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

import numpy as np
from scipy import stats

toll, place = sys.argv[1], pathlib.Path(sys.argv[2])
# Each run of the program takes the next line of a file as what f costs.
PROGRAM = 'read -r line <"$0.next"; sed 1d "$0.next" >"$0.rest"; mv "$0.rest" "$0.next"; echo "f $line" >{}'
failures: list[str] = []


def compare(a: list[int], b: list[int]) -> dict:
    command = [toll, "compare", "-q", "--json", "--warmup", "0", "--runs", str(len(a))]
    for name, values in (("a", a), ("b", b)):
        (place / f"{name}.next").write_text("".join(f"{v}\n" for v in values))
        command += ["--", "sh", "-c", PROGRAM, name]
    ended = subprocess.run(command, cwd=place, capture_output=True, check=True, text=True)
    found = json.loads(ended.stdout)
    return next(v for v in found["values"] if v["of"] == "profile")


def expected_p(a: list[int], b: list[int]) -> float:
    if len(a) + len(b) > 50:
        return stats.mannwhitneyu(a, b, method="asymptotic").pvalue
    if len(set(a + b)) == len(a + b):
        return stats.mannwhitneyu(a, b, method="exact").pvalue
    every = stats.PermutationMethod(n_resamples=np.inf)
    return stats.mannwhitneyu(a, b, method=every).pvalue


def interval(values: list[int]) -> tuple[int, int] | None:
    """Of the median: order statistics that enclose it with 95%."""
    n, k = len(values), 0
    while 2 * stats.binom.cdf(k, n, 0.5) <= 0.05:
        k += 1
    return (sorted(values)[k - 1], sorted(values)[n - k]) if k else None


def ratio_interval(a: list[int], b: list[int]) -> tuple[float, float] | None:
    """The factors by which b may be multiplied before the test sees a difference; a and b have no equal values."""
    ratios = sorted(x / y for x in a for y in b)
    method = "asymptotic" if len(a) + len(b) > 50 else "exact"

    def sees(factor: float) -> bool:
        return stats.mannwhitneyu(a, [y * factor for y in b], method=method).pvalue <= 0.05

    if not sees(ratios[0] / 2):
        return None
    between = [ratios[0] / 2] + [(x + y) / 2 for x, y in zip(ratios, ratios[1:])] + [ratios[-1] * 2]
    first = next(i for i, factor in enumerate(between) if not sees(factor))
    last = next(i for i, factor in reversed(list(enumerate(between))) if not sees(factor))
    return ratios[first - 1], ratios[last]


def check(a: list[int], b: list[int]) -> None:
    found = compare(a, b)

    def is_near(what: str, value: float | None, expected: float | None) -> None:
        if (value is None) != (expected is None) or (value is not None and abs(value - expected) > 1e-6):
            failures.append(f"{what} is {value}, not {expected}: {a} {b}")

    is_near("p", found["p"], expected_p(a, b))
    is_near("ratio", found["ratio"], float(np.median(np.divide.outer(a, b))))
    for name, values in (("a", a), ("b", b)):
        low, high = interval(values) or (None, None)
        is_near("median", found[name]["median"], int(np.floor(np.median(values))))
        is_near("low", found[name].get("low"), low)
        is_near("high", found[name].get("high"), high)
    if len(set(a + b)) == len(a + b) and len(a) < 30:
        low, high = ratio_interval(a, b) or (None, None)
        is_near("ratio_low", found.get("ratio_low"), low)
        is_near("ratio_high", found.get("ratio_high"), high)


def main() -> None:
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    chosen = random.Random(1)
    count = 0
    for n, most in [(2, 9), (3, 5), (4, 9), (5, 6), (6, 9), (7, 12), (8, 9)] * 2 + [(26, 20), (30, 9), (40, 1000)]:  # equal values
        a, b = ([chosen.randint(1 + by, most + by) for _ in range(n)] for by in (0, chosen.randint(0, 2)))
        if len(set(a)) > 1:
            check(a, b)
            count += 1
    for n in [2, 3, 4, 5, 6, 8, 10, 13, 17, 20, 25, 26, 29, 40]:
        values = chosen.sample(range(1000, 9000), 2 * n)
        check([v + chosen.choice([0, 10000]) for v in values[:n]], values[n:])
        count += 1
    print(f"{count} comparisons, {len(failures)} differ")
    for failure in failures[:20]:
        print(failure)
    sys.exit(bool(failures))


main()
