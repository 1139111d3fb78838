"""What one test costs: the profiles that it hands over, labelled with its name, and the budgets that they are held to."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Optional, Union

from . import command
from .error import TollError
from .profile import Profile, from_bytes

if TYPE_CHECKING:
    import wasmtime

    from .wasm import Recorder

__all__ = ["Costs"]

OVER = 3  # the exit status of `toll check` where a rule fails


class Costs:
    """The fixture `toll` of pytest.

        def test_parse(toll):
            with toll.recorder(engine, Path("parse.wasm")) as r:
                r.instantiate(store, linker).exports(store)["run"](store, 10)
            toll.check("ticks  parse  <= 1_204_331", "calls  /^alloc/  <= 40")
    """

    def __init__(self, test: str):
        self.test = test  # its label
        self._parts: list[bytes] = []

    @contextlib.contextmanager
    def recorder(self, engine: wasmtime.Engine, module: bytes | os.PathLike[str], **options: Any) -> Iterator[Recorder]:
        """A toll.wasm.Recorder, with its options. What it has recorded at the end of `with` is the test's."""
        from .wasm import Recorder  # needs wasmtime
        with Recorder(engine, module, **options) as recorder:
            try:
                yield recorder
            except BaseException:
                with contextlib.suppress(TollError):  # the guest may never have been instantiated
                    self.add(recorder.profile())
                raise
            self.add(recorder.profile())

    def add(self, part: Union[Profile, bytes, str, os.PathLike[str]]) -> None:
        """Add a profile, in any format that Toll reads: the bytes of a file, or its path."""
        if not isinstance(part, (Profile, bytes)):
            part = Path(part).read_bytes()
        self._parts.append(part if isinstance(part, bytes) else part.to_bytes())

    @property
    def is_recorded(self) -> bool:
        return bool(self._parts)

    def profile(self) -> Optional[Profile]:
        """The sum so far, with the label `test`; None: nothing was recorded."""
        total = None
        for part in self._parts:
            if total is None:
                total = from_bytes(part, self.test)
            else:
                with from_bytes(part, self.test) as more:
                    total.add(more)
        return total and total.with_labels({"test": self.test})

    def check(self, *rules: str, name: str = "toll.check") -> None:
        """Hold what was recorded so far to rules of a budget, as docs/gates.md has them. AssertionError says which one fails,
        and in which stacks the cost is."""
        with self._written() as file:
            file.with_name(name).write_text("".join(f"{rule}\n" for rule in rules), encoding="utf-8")
            _hold(file, name, cwd=file.parent)  # so that messages have the name alone

    def check_file(self, budget: str | os.PathLike[str], folder: Optional[Path] = None) -> None:
        """Hold it to the rules of a file that are about this test (`where test=NAME`). A relative name leads from `folder`."""
        with self._written() as file:
            _hold(file, budget, "--partial", cwd=folder)

    @contextlib.contextmanager
    def _written(self) -> Iterator[Path]:
        total = self.profile()
        if total is None:
            raise TollError(f"{self.test}: nothing was recorded; use toll.recorder, or toll.add")
        with tempfile.TemporaryDirectory() as folder:
            total.write(file := Path(folder, "test.pb.gz"))
            yield file


def _hold(file: Path, budget: str | os.PathLike[str], *options: str, cwd: Optional[Path] = None) -> None:
    done = command.run("check", "-q", *options, "--budget", budget, file, cwd=cwd)
    if done.returncode == OVER:
        raise AssertionError(done.stderr)
    command.succeeded(done)
