import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

describe('the test kit for Python', () => {
  it.runIf(HAS_PYTEST)('gives pytest an instance (skipped without Python 3.8 and pytest)', async () => {
    const output = await python('-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'examples/python');
    expect(output).toMatch(/^5 passed/m);
  });

  it.runIf(HAS_PYTHON)(
    'takes a snapshot from one instance to another by a file, and refuses a damaged one (skipped without Python 3.8)',
    async () => {
      const { mode, before, after, errors } = JSON.parse(await python('-c', CARRY));
      expect({ mode, before, after }).toEqual({ mode: '0o600', before: 0, after: 5_000_000_000 });
      expect(errors).toEqual([
        expect.stringMatching(
          /^PUT .*snapshots\/damaged\/content was refused with 400: .*not whole gzip data/,
        ),
        expect.stringMatching(
          /^POST .*snapshots\/damaged\/restore was refused with 400: .*there is no snapshot \\"damaged\\"/,
        ),
        expect.stringMatching(
          /^GET .*snapshots\/never\/content was refused with 400: .*there is no snapshot \\"never\\"/,
        ),
      ]);
    },
  );

  it.runIf(HAS_PYTHON)(
    'needs nothing but Python, and ends its instance with the interpreter (skipped without Python 3.8)',
    async () => {
      const output = await python('-c', SCRIPT);
      const { pid, file, errors } = JSON.parse(output);
      expect(errors).toEqual([
        expect.stringMatching(/ended with 2 instead of starting: slot-ms from flag --slot-ms is 1/),
        expect.stringMatching(
          /^POST \/admin\/v1\/network\/faults\/requests was refused with 400: .*does nothing/,
        ),
        expect.stringMatching(/^requestAirdrop was refused: /),
      ]);
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
      expect(existsSync(file)).toBe(false);
    },
  );
});

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Nothing is downloaded for a test: the fixture is tested where Python and pytest are installed. */
function imports(modules: string): boolean {
  try {
    const code = `import ${modules}, sys; assert sys.version_info >= (3, 8)`;
    execFileSync('python3', ['-c', code], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const HAS_PYTHON = imports('json');
const HAS_PYTEST = HAS_PYTHON && imports('pytest');

/** The settings and the proxy of the person who runs the tests must reach neither the instance nor the calls to it. */
const FOREIGN = {
  SLUICE_REST_PORT: '70000',
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  http_proxy: 'http://127.0.0.1:1',
};

async function python(...args: string[]): Promise<string> {
  const env = { ...process.env, ...FOREIGN, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: 'examples/python' };
  return (await promisify(execFile)('python3', args, { cwd: root, env })).stdout;
}

const REFUSED = `
import json, os, tempfile, sluice_testing as kit

errors = []
def refused(call, *args, **named):
    try:
        call(*args, **named)
    except (RuntimeError, kit.Refused) as error:
        errors.append(str(error))
`;

const CARRY = `${REFUSED}
WALLET = "6pHGpPQ3s1FBfJBxbATaTDrppZHoAAgEg6mKd8bhQ2g9"
def lamports(sluice):
    return sluice.rpc("getBalance", WALLET, {"commitment": "processed"})["value"]

with tempfile.TemporaryDirectory() as folder, kit.start_sluice() as one, kit.start_sluice() as other:
    file, damaged = os.path.join(folder, "state.gz"), os.path.join(folder, "damaged.gz")
    one.fund(WALLET, "SOL", 5_000_000_000)
    one.snapshot("mine-1")
    one.export_snapshot("mine-1", file)
    mode = oct(os.stat(file).st_mode & 0o777)
    with open(file, "rb") as whole, open(damaged, "wb") as cut:
        cut.write(whole.read()[:-100])
    before = lamports(other)
    refused(other.import_snapshot, "damaged", damaged)
    refused(other.restore, "damaged")
    refused(other.export_snapshot, "never", damaged)
    other.import_snapshot("taken", file)
    other.restore("taken")
    print(json.dumps({"mode": mode, "before": before, "after": lamports(other), "errors": errors}))
`;

const SCRIPT = `${REFUSED}
refused(kit.start_sluice, flags=["--slot-ms=1"])
sluice = kit.start_sluice()
refused(sluice.faults.of_next_requests, "/swap/v2/order")
refused(sluice.fund, "nobody", "SOL", 1)
print(json.dumps({"pid": sluice.process.pid, "file": sluice.wallet_file, "errors": errors}))
`;
