"""Tests with the plugin's fixture, for pytest_plugin.sh. MORE simulates an edit that costs more."""
import os

import pytest

EXAMPLE = "example.folded"
MORE = b"main;parse 7\n" if "MORE" in os.environ else b""


@pytest.mark.parametrize("name", ["a, b", "c"])
def test_parts(toll, name):
    toll.add(b"main;parse 10\nmain;log 2\n")
    if name == "a, b":
        toll.add(MORE or b"main 0\n")


@pytest.mark.toll_budget("samples  *  <= 160")
def test_checked(toll):
    toll.add(EXAMPLE)
    toll.check("samples  *  > 1")


@pytest.mark.xfail(strict=True)
@pytest.mark.toll_budget("samples  *  <= 1")
def test_failing_is_expected(toll):
    toll.add(b"main 2\n")


def test_plain():
    pass


@pytest.mark.toll_budget("samples  c  <= 20")
def test_wrong_mark(toll):
    toll.add(b"main;a;c 25\nmain;b 7\n")


def test_wrong_call(toll):
    toll.add(b"main 5\n")
    toll.check("samples  *  <= 4")


@pytest.mark.toll_budget("samples  *  <= 4")
def test_wrong_nothing(toll):
    pass


@pytest.mark.toll_budget("samples  *  <= 4")
def test_wrong_no_fixture():
    pass


@pytest.mark.toll_budget("samples is low")
def test_wrong_rule(toll):
    toll.add(b"main 2\n")


@pytest.mark.toll_budget("samples  *  <= 4")
def test_wrong_itself(toll):
    toll.add(b"main 5\n")
    assert 1 == 2
