import os
from pathlib import Path

import pytest
import wasmtime

BYTES = 1000 + ("CHANGE" in os.environ)  # it simulates an edit


@pytest.mark.toll_budget("calls  step  == 1000", "ticks  self step  <= 6_000")
def test_a_checksum_costs_what_it_may(toll):
    engine = wasmtime.Engine()
    store, code = wasmtime.Store(engine), wasmtime.wat2wasm(Path(__file__).with_name("checksum.wat").read_text())
    with toll.recorder(engine, code) as guest:
        assert guest.instantiate(store).exports(store)["sum"](store, BYTES) != 0
