"""When a run began, as its profile says it: toll_start_time of toll/profile.h, for Python."""

from __future__ import annotations

import os
import time

from .error import TollError

MOST_SECONDS = 9223372036  # more nanoseconds do not fit a profile


def start_time() -> int:
    """Nanoseconds since 1970: now, or the time that SOURCE_DATE_EPOCH says."""
    text = os.environ.get("SOURCE_DATE_EPOCH")
    if not text:
        return time.time_ns()
    is_number = text.isascii() and text.isdigit() and len(text) <= 20
    if not is_number or int(text) > MOST_SECONDS:
        raise TollError(f"SOURCE_DATE_EPOCH={text[:60]}: it has to be a whole number of seconds since 1970, "
                        f"up to {MOST_SECONDS}, such as the output of date +%s")
    return int(text) * 1000000000
