"""The plugin for pytest: the fixture `toll`, and budgets of tests.

    @pytest.mark.toll_budget("ticks  *  <= 1_204_331")
    def test_parse(toll):
        with toll.recorder(engine, Path("parse.wasm")) as r:
            ...

The profile of a test travels in its last report, so that the process which prints the summary has all of them, also
under pytest-xdist.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Generator, Iterator, Optional

import pytest

from . import command
from .costs import Costs
from .error import TollError
from .profile import from_bytes

ROWS = "10"  # of the summary
REPORTED = "toll_profile"  # the member of a report
COSTS = pytest.StashKey[Costs]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("toll", "exact costs of tests (Toll)")
    group.addoption("--toll-out", metavar="FILE", help="write the profile of all tests to FILE; each has the label test=NODEID")
    group.addoption("--toll-budget", metavar="FILE", help="hold each test to the rules of FILE that are about it: where test=NODEID")
    group.addoption("--toll-write-budget", metavar="FILE",
                    help="make a budget of what the tests cost; or update the numbers in FILE that are about them")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", 'toll_budget(*rules): what the test may cost, such as "ticks  *  <= 1_204_331"')
    if config.option.toll_budget and config.option.toll_write_budget:
        raise pytest.UsageError("one of --toll-budget and --toll-write-budget")
    if (budget := _path(config, "toll_budget")) and not budget.is_file():
        raise pytest.UsageError(f"--toll-budget: there is no file {budget}; --toll-write-budget makes one")
    if not hasattr(config, "workerinput"):  # of xdist
        config.pluginmanager.register(_Summary(config), "toll_summary")


def _path(config: pytest.Config, option: str) -> Optional[Path]:
    value = getattr(config.option, option)
    return config.invocation_params.dir / value if value else None


@pytest.fixture
def toll(request: pytest.FixtureRequest) -> Iterator[Costs]:
    """What the test costs: toll.recorder(engine, module) records a guest of wasmtime, toll.add(profile) adds any profile,
    toll.check("ticks  *  <= 1_204_331") holds them to a budget."""
    costs = request.node.stash[COSTS] = Costs(request.node.nodeid)
    yield costs


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    result = yield  # a test that has failed is held to nothing
    costs = item.stash.get(COSTS, None)
    rules = [rule for mark in item.iter_markers("toll_budget") for rule in mark.args]
    if rules and costs is None:
        pytest.fail(f"toll_budget: {item.nodeid} does not use the fixture toll, so nothing is recorded", pytrace=False)
    try:
        if costs and rules:
            costs.check(*rules, name="toll_budget")
        if costs and costs.is_recorded and (budget := item.config.option.toll_budget):
            costs.check_file(budget, item.config.invocation_params.dir)
        return result
    except (AssertionError, TollError) as error:
        why = str(error)
    pytest.fail(why, pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    costs = item.stash.get(COSTS, None)
    if report.when == "teardown" and costs and (total := costs.profile()):
        setattr(report, REPORTED, total.to_bytes(gzip=True))
    return report


class _Summary:
    """Adds up what the tests cost, and says it at the end."""

    def __init__(self, config: pytest.Config):
        self.config = config
        self.parts: dict[str, bytes] = {}  # a test that runs again replaces what it has cost before
        self.said: list[str] = []
        self.has_run = False  # any test

    @pytest.hookimpl(tryfirst=True)  # others may not be able to write bytes
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.has_run = True
        if part := report.__dict__.pop(REPORTED, None):
            self.parts[report.nodeid] = part

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        try:
            self._finish(session.testsfailed > 0)
        except (TollError, OSError) as error:
            self.said.append(f"toll: {error}")
            session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.said:
            terminalreporter.ensure_newline()
            terminalreporter.section("toll")
        for text in self.said:
            terminalreporter.write_line(text)

    def _finish(self, has_failed: bool) -> None:
        out = _path(self.config, "toll_out")
        if not self.parts:
            self._say_nothing(out)
            return
        with tempfile.TemporaryDirectory() as folder:
            file = out or Path(folder, "tests.pb.gz")
            self._write(file)
            self._say("report", "--each", "--by", "test", "-n", ROWS, file)
            if budget := self.config.option.toll_budget:
                done = self._run("check", "--partial", "--budget", budget, file)
                self.said += done.stdout.splitlines()[-1:]  # how many rules there are, and how many failed
                if not has_failed:  # rules about several tests together
                    command.succeeded(done)
            if new := self.config.option.toll_write_budget:
                self._say("check", "--partial", "--write-budget", new, file)

    def _say_nothing(self, out: Optional[Path]) -> None:
        why = "no test has recorded anything"
        if (budget := self.config.option.toll_budget) and self.has_run:
            self.said.append(f"toll: nothing was held to {budget}: {why}")
        if out and self.has_run and out.is_file():  # it would be taken for what these tests cost
            out.unlink()
            why += "; the old one is removed"
        if out:
            self.said.append(f"toll: {self.config.option.toll_out} is not written: {why}")

    def _write(self, file: Path) -> None:
        parts = iter(self.parts.items())
        test, part = next(parts)
        with from_bytes(part, test) as total:
            for test, part in parts:
                with from_bytes(part, test) as more:
                    total.add(more)
            total.write(file)

    def _run(self, *arguments: Any) -> Any:
        return command.run(*arguments, cwd=self.config.invocation_params.dir)

    def _say(self, *arguments: Any) -> None:
        self.said += command.succeeded(self._run(*arguments)).splitlines()
