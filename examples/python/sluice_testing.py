"""Starts Sluice from Python tests, with a Solana network of its own on free ports. It needs Python 3.8, and Node with Sluice.

Copy this file beside your tests; conftest.py shows the fixture for pytest. With other test frameworks, use
`with start_sluice() as sluice:`.
"""

import atexit
import base64
import collections
import json
import os
import pathlib
import queue
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request

FREE_PORTS = [f"--{name}-port=0" for name in ("rest", "admin", "rpc", "ws", "grpc")]
# Settings of the person who runs the tests must not reach an instance, so it gets only what Node itself may need.
PASSED_ON = ("PATH", "HOME", "TMPDIR", "TMP", "TEMP", "SYSTEMROOT", "LANG", "TZ")
START_SECONDS = 60
STOP_SECONDS = 10
CALL_SECONDS = 60
ERROR_LINES = 40
# A proxy of the environment must not see calls to this machine.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Refused(Exception):
    """The instance refused a call; the text says why."""


def start_sluice(flags=(), demo_maker=False, seconds=START_SECONDS, command=None):
    """Starts an instance that keeps nothing, and returns it as a `Sluice` when everything answers.

    flags: further flags of `sluice start`, such as `["--slot-ms=50"]`.
    demo_maker: whether the demo makers run, which takes two more processes.
    seconds: after this time the start is given up.
    command: how to run `sluice`, as a list. Default: the checkout that holds this file, or the package `sluice` in the
    node_modules of the working directory or of a folder above it.
    Raises RuntimeError with what the instance wrote, when it does not start.
    """
    demo = [f"--demo-maker={'true' if demo_maker else 'false'}"]
    if not any("demo-traders" in flag for flag in flags):
        demo.append("--demo-traders=false")
    start = ["start", "--ephemeral", "--banner=json", "--log-level=warn", *FREE_PORTS, *demo, *flags]
    process = subprocess.Popen(
        [*(command or find_command()), *start],
        env={name: os.environ[name] for name in PASSED_ON if name in os.environ},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf8",
    )
    atexit.register(end, process)
    try:
        return Sluice(json.loads(first_line(process, seconds)), process)
    except BaseException:
        end(process)
        raise


def find_command():
    checkout = pathlib.Path(__file__).resolve().parents[2] / "bin/sluice.mjs"
    folders = [pathlib.Path.cwd(), *pathlib.Path.cwd().parents]
    for script in [checkout, *(folder / "node_modules/sluice/bin/sluice.mjs" for folder in folders)]:
        if script.exists():
            return ["node", str(script)]
    raise RuntimeError(f"there is no Sluice in the node_modules of {folders[0]} or above: pass `command`")


def first_line(process, seconds):
    """Returns the line that the instance prints when everything answers, and reads on so that it never blocks."""
    lines = queue.Queue()
    errors = collections.deque(maxlen=ERROR_LINES)

    def read_output():
        lines.put(process.stdout.readline())
        for _ in process.stdout:
            pass

    output = threading.Thread(target=read_output, daemon=True)
    error = threading.Thread(target=lambda: errors.extend(process.stderr), daemon=True)
    output.start()
    error.start()
    try:
        line = lines.get(timeout=seconds)
    except queue.Empty:
        raise RuntimeError(f"Sluice did not start within {seconds} s: {''.join(errors)}") from None
    if line == "":
        code = process.wait()
        error.join()
        raise RuntimeError(f"Sluice ended with {code} instead of starting: {''.join(errors)}")
    return line


def end(process):
    """Ends the process, if it has not ended."""
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def call_json(url, method="GET", body=None, headers=None):
    """Sends and receives JSON. Raises Refused with the message of the answer."""
    data = None if body is None else json.dumps(body).encode()
    content = {} if body is None else {"content-type": "application/json"}
    request = urllib.request.Request(url, data, {**content, **(headers or {})}, method=method)
    try:
        with DIRECT.open(request, timeout=CALL_SECONDS) as response:
            return json.load(response)
    except urllib.error.HTTPError as refused:
        text = refused.read().decode()
        path = urllib.parse.urlsplit(url).path
        raise Refused(f"{method} {path} was refused with {refused.code}: {text}") from None


def given(**fields):
    return {name: value for name, value in fields.items() if value is not None}


class Sluice:
    """A running instance.

    urls: a dictionary of rest, docs, admin, grpc, rpc, ws and more.
    wallet: the address of the funded demo wallet. wallet_file: its Solana keypair file. wallet_key: its 64 bytes.
    api_key: a key of the REST interface without limits that a test could reach.
    """

    def __init__(self, ready, process):
        self.process = process
        self.urls = ready["urls"]
        self.api_key = ready["apiKey"]
        self.wallet = ready["wallet"]["address"]
        self.wallet_file = ready["wallet"]["file"]
        self.wallet_key = bytes(json.loads(pathlib.Path(self.wallet_file).read_text()))
        self._credential = pathlib.Path(ready["operatorCredentialFile"]).read_text().strip()
        self.clock = Clock(self.admin)
        self.price = Price(self.admin)
        self.faults = Faults(self.admin)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Stops the instance, and removes all that it kept."""
        end(self.process)

    def admin(self, method, path, body=None):
        """Calls the admin interface, with a path below /admin/v1, such as `admin("GET", "network/prices")`."""
        headers = {"authorization": f"Bearer {self._credential}"}
        return call_json(f"{self.urls['admin']}/admin/v1/{path}", method, body, headers)

    def rest(self, path, body=None):
        """Calls the REST interface with the API key: a GET without a body, otherwise a POST."""
        method = "GET" if body is None else "POST"
        return call_json(self.urls["rest"] + path, method, body, {"x-api-key": self.api_key})

    def rpc(self, method, *params):
        """Calls the Solana RPC of the network, and returns the result."""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = call_json(self.urls["rpc"], "POST", request)
        if "error" in answer:
            raise Refused(f"{method} was refused: {answer['error']['message']}")
        return answer["result"]

    def fund(self, wallet, what, atoms):
        """Gives a wallet SOL (what="SOL", in lamports) or tokens (what=mint, in atoms)."""
        if what == "SOL":
            self.rpc("requestAirdrop", wallet, atoms)
        else:
            self.admin("POST", "network/faucet", {"wallet": wallet, "mint": what, "amount": str(atoms)})

    def snapshot(self, name):
        """Saves the state of the network; the name has lowercase letters, digits and hyphens."""
        self.admin("POST", "network/snapshots", {"name": name})

    def restore(self, name):
        self.admin("POST", f"network/snapshots/{urllib.parse.quote(name, safe='')}/restore")

    def export_snapshot(self, name, file):
        """Writes a named snapshot to a file, for another instance with the same seed."""
        content = self.admin("GET", f"network/snapshots/{urllib.parse.quote(name, safe='')}/content")["content"]
        private = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(private, "wb") as opened:
            opened.write(base64.b64decode(content))

    def import_snapshot(self, name, file):
        """Saves a snapshot from a file under a name. It is checked, but not restored."""
        content = base64.b64encode(pathlib.Path(file).read_bytes()).decode()
        self.admin("PUT", f"network/snapshots/{urllib.parse.quote(name, safe='')}/content", {"content": content})

    def reset(self):
        """Puts the network back to its beginning, with its accounts, prices and clock, and removes all faults."""
        self.admin("POST", "network/reset")


class Clock:
    def __init__(self, admin):
        self._admin = admin

    def now(self):
        """Returns a dictionary with slot and unixTimestamp (seconds), both as text."""
        return self._admin("GET", "network")

    def advance(self, slots=0, seconds=0):
        """Moves the clock forward. Makers take no part in orders while it is more than 30 seconds away."""
        return self._admin("POST", "network/clock", {"slots": slots, "seconds": seconds})


class Price:
    def __init__(self, admin):
        self._admin = admin

    def set(self, symbol, dollars):
        """Fixes a price feed in US dollars, as text such as "120.5"."""
        self._admin("PUT", f"network/prices/{urllib.parse.quote(symbol, safe='')}", {"price": dollars})


class Faults:
    """Faults of the next `count` transactions, of a wallet or to a program if those are given, requests or RPC calls."""

    def __init__(self, admin):
        self._admin = admin

    def fail_next(self, count=1, wallet=None, program=None, code=1):
        """The transactions land, pay their fee and fail with the custom error `code`."""
        self._next("fail", given(count=count, wallet=wallet, program=program, code=code))

    def drop_next(self, count=1, wallet=None, program=None):
        """The transactions are accepted and never land."""
        self._next("drop", given(count=count, wallet=wallet, program=program))

    def delay_next(self, count=1, wallet=None, program=None, slots=10):
        """The transactions land later."""
        self._next("delay", given(count=count, wallet=wallet, program=program, slots=slots))

    def of_next_requests(self, path, status=None, delay_ms=None, count=1):
        """The requests of a path of the REST interface are answered with a status, or delayed."""
        fault = given(path=path, status=status, delayMs=delay_ms, count=count)
        self._admin("POST", "network/faults/requests", fault)

    def of_next_rpc_calls(self, method, status=None, code=None, delay_ms=None, count=1):
        """The calls of a method of the Solana RPC fail with a status or a JSON-RPC code, or are delayed."""
        fault = given(method=method, status=status, code=code, delayMs=delay_ms, count=count)
        self._admin("POST", "network/faults/rpc", fault)

    def list(self):
        """Returns the faults that wait (waiting), and the transactions that were hit (struck)."""
        return self._admin("GET", "network/faults/next")

    def list_requests(self):
        """Returns the faults of requests that wait (waiting), and the requests that were hit (struck)."""
        return self._admin("GET", "network/faults/requests")

    def list_rpc_calls(self):
        """Returns the faults of RPC calls that wait (waiting), and the calls that were hit (struck)."""
        return self._admin("GET", "network/faults/rpc")

    def clear(self):
        """Removes all faults."""
        self._admin("PUT", "network/faults", {})
        self._admin("DELETE", "network/faults/next")
        self._admin("DELETE", "network/faults/requests")
        self._admin("DELETE", "network/faults/rpc")

    def _next(self, effect, fault):
        self._admin("POST", "network/faults/next", {"effect": effect, **fault})
