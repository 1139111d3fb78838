"""Shows a profile in a notebook: the page of `toll view` in a frame of its own."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .profile import Profile

# Jupyter's server drops outputs of more than 3 MB (iopub_data_rate_limit), and a notebook's file keeps each output.
MOST_BYTES = 2_500_000
ROWS = 20
HEIGHT = 640  # of the frame, in pixels

# The page's scripts run, in an origin of their own: they reach neither the notebook nor its server, open no window, and
# load nothing, as the page's own Content-Security-Policy forbids that, too.
FRAME = ('<iframe title="{title}" sandbox="allow-scripts" referrerpolicy="no-referrer" srcdoc="{page}" '
         'style="width: 100%; height: {height}px; border: 1px solid #8888"></iframe>')


def bundle(profile: Profile) -> dict[str, str]:
    """The forms of a profile, by their types. Where frames are removed (in notebooks that are not trusted, on GitHub) the
    table remains."""
    table = profile.top(rows=ROWS)
    frame = _frame(profile)
    details = f"<pre>{html.escape(table)}</pre>"
    if len(frame) <= MOST_BYTES:
        shown = f"{frame}<details><summary>As a table</summary>{details}</details>"
    else:
        shown = f"<p>{html.escape(_too_large(len(frame)))}</p>{details}"
        table = f"{table}{_too_large(len(frame))}\n"
    return {"text/plain": table.rstrip("\n"), "text/html": shown}


def _frame(profile: Profile) -> str:
    page = profile.to_bytes("html").decode()
    return FRAME.format(title=html.escape(profile._title), page=html.escape(page), height=HEIGHT)


def _too_large(size: int) -> str:
    return (f"The page of this profile has {size / 1e6:.1f} MB, more than a notebook shows ({MOST_BYTES / 1e6:.1f} MB): write it by "
            'p.write("profile.html"), and open that file.')
