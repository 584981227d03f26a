"""Tests order.py against a network of its own. Run `python3 -m pytest examples/python`."""

import os
import pathlib
import subprocess
import sys
import time

import pytest

PROGRAM = pathlib.Path(__file__).with_name("order.py")
USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
WALLET = "6pHGpPQ3s1FBfJBxbATaTDrppZHoAAgEg6mKd8bhQ2g9"


def run(sluice):
    addresses = {"SLUICE_URL": sluice.urls["rest"], "SLUICE_WALLET": sluice.wallet_file, "no_proxy": "127.0.0.1"}
    command = [sys.executable, str(PROGRAM)]
    return subprocess.run(command, env={**os.environ, **addresses}, capture_output=True, text=True, timeout=120)


def test_swaps(sluice):
    assert "0.1 SOL became" in run(sluice).stdout


def test_says_why_the_swap_failed_on_chain(sluice):
    sluice.faults.fail_next(wallet=sluice.wallet, code=6001)
    failed = run(sluice)
    assert failed.returncode == 1
    assert "6001" in failed.stderr
    assert [fault["effect"] for fault in sluice.faults.list()["struck"]] == ["fail"]


def test_says_that_it_asked_too_often(sluice):
    sluice.faults.of_next_requests("/swap/v2/order", status=429)
    assert "answered 429" in run(sluice).stderr


@pytest.mark.parametrize("attempt", ["first", "second"])
def test_begins_with_a_fresh_network(sluice, attempt):
    assert balance(sluice) == 0
    assert price(sluice) == "200"
    now = int(sluice.clock.now()["unixTimestamp"])
    assert abs(now - time.time()) < 3_600

    sluice.fund(WALLET, "SOL", 5_000_000_000)
    sluice.fund(WALLET, USDC, 250_000_000)
    sluice.price.set("SOL", "321.5")
    assert balance(sluice) == 5_000_000_000
    assert price(sluice) == "321.5"
    assert int(sluice.clock.advance(seconds=7_200)["unixTimestamp"]) >= now + 7_200


def balance(sluice):
    return sluice.rpc("getBalance", WALLET, {"commitment": "processed"})["value"]


def price(sluice):
    feeds = sluice.admin("GET", "network/prices")["prices"]
    return next(feed["price"] for feed in feeds if feed["symbol"] == "SOL")
