// The test kit: starts an instance as a child process, and controls it through its admin port. It imports nothing of
// Sluice, so that the instance under test is the one that users run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../bin/sluice.mjs', import.meta.url));
const FREE_PORTS = ['rest', 'admin', 'rpc', 'ws', 'grpc'].map((name) => `--${name}-port=0`);
/** Settings of the person who runs the tests must not reach an instance. */
const OTHER_SETTINGS = ['DATABASE_URL', 'VALKEY_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
const MAX_START_MS = 60_000;
const MAX_STOP_MS = 10_000;
const MAX_ERROR_LENGTH = 4_000;

/** @type {import('./index.mjs').startSluice} */
export async function startSluice({ flags = [], demoMaker = false, timeoutMs = MAX_START_MS } = {}) {
  const args = ['start', '--ephemeral', '--banner=json', '--log-level=warn', ...FREE_PORTS];
  const child = spawn(process.execPath, [COMMAND, ...args, `--demo-maker=${demoMaker}`, ...flags], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killWithTests = () => child.kill('SIGKILL');
  process.once('exit', killWithTests);
  const ended = once(child, 'close').finally(() => process.off('exit', killWithTests));
  try {
    const ready = JSON.parse(await firstLine(child, ended, timeoutMs));
    return instance(ready, () => stop(child, ended));
  } catch (error) {
    await stop(child, ended);
    throw error;
  }
}

function instance(ready, stopIt) {
  const credential = readFileSync(ready.operatorCredentialFile, 'utf8').trim();
  const admin = (method, path, body) =>
    callJson(`${ready.urls.admin}/admin/v1/${path}`, method, body, { authorization: `Bearer ${credential}` });
  const next = (effect) => async (fault) => {
    await admin('POST', 'network/faults/next', { effect, ...fault });
  };
  let snapshots = 0;
  return {
    urls: ready.urls,
    wallet: ready.wallet,
    apiKey: ready.apiKey,
    pid: ready.pid,
    admin,
    fund: async (wallet, what, atoms) => {
      if (what !== 'SOL') {
        await admin('POST', 'network/faucet', { wallet, mint: what, amount: atoms.toString() });
        return;
      }
      // The request carries a JSON number, which is exact up to this bound.
      if (atoms > BigInt(Number.MAX_SAFE_INTEGER))
        throw new RangeError(`${atoms} lamports are too many at once`);
      const params = [wallet, Number(atoms)];
      const request = { jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params };
      const { error } = await callJson(ready.urls.rpc, 'POST', request);
      if (error !== undefined) throw new Error(`the faucet refused: ${error.message}`);
    },
    clock: {
      now: async () => {
        const { slot, unixTimestamp } = await admin('GET', 'network');
        return { slot, unixTimestamp };
      },
      advance: async ({ slots = 0, seconds = 0 }) => {
        const { slot, unixTimestamp } = await admin('POST', 'network/clock', { slots, seconds });
        return { slot, unixTimestamp };
      },
    },
    price: {
      set: async (symbol, dollars) => {
        await admin('PUT', `network/prices/${encodeURIComponent(symbol)}`, { price: dollars });
      },
    },
    faults: {
      failNext: next('fail'),
      dropNext: next('drop'),
      delayNext: next('delay'),
      ofNextRequests: async (fault) => {
        await admin('POST', 'network/faults/requests', fault);
      },
      ofNextRpcCalls: async (fault) => {
        await admin('POST', 'network/faults/rpc', fault);
      },
      list: () => admin('GET', 'network/faults/next'),
      listRequests: () => admin('GET', 'network/faults/requests'),
      listRpcCalls: () => admin('GET', 'network/faults/rpc'),
      clear: async () => {
        await admin('PUT', 'network/faults', {});
        await admin('DELETE', 'network/faults/next');
        await admin('DELETE', 'network/faults/requests');
        await admin('DELETE', 'network/faults/rpc');
      },
    },
    snapshot: async (name = `test-kit-${++snapshots}`) => {
      await admin('POST', 'network/snapshots', { name });
      return name;
    },
    restore: async (name) => {
      await admin('POST', `network/snapshots/${encodeURIComponent(name)}/restore`);
    },
    exportSnapshot: async (name, file) => {
      const { content } = await admin('GET', `network/snapshots/${encodeURIComponent(name)}/content`);
      writeFileSync(file, Buffer.from(content, 'base64'), { mode: 0o600 });
    },
    importSnapshot: async (name, file) => {
      const content = readFileSync(file).toString('base64');
      await admin('PUT', `network/snapshots/${encodeURIComponent(name)}/content`, { content });
    },
    reset: async () => {
      await admin('POST', 'network/reset');
    },
    stop: stopIt,
    [Symbol.asyncDispose]: stopIt,
  };
}

async function callJson(url, method, body, headers = {}) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  throw new Error(`${method} ${new URL(url).pathname} was refused: ${answer.error ?? answer.message}`);
}

/** Reads the line that the instance prints when everything answers. */
async function firstLine(child, ended, timeoutMs) {
  let out = '';
  let error = '';
  child.stderr.on('data', (chunk) => {
    error = `${error}${chunk}`.slice(-MAX_ERROR_LENGTH);
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`Sluice did not start within ${timeoutMs} ms: ${error}`)),
      timeoutMs,
    );
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (!out.includes('\n')) return;
      clearTimeout(timer);
      resolve(out.slice(0, out.indexOf('\n')));
    });
    ended.then(
      ([code]) => {
        clearTimeout(timer);
        reject(new Error(`Sluice ended with ${code} instead of starting: ${error}`));
      },
      (failure) => {
        clearTimeout(timer);
        reject(failure);
      },
    );
  });
}

async function stop(child, ended) {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), MAX_STOP_MS);
    await ended.finally(() => clearTimeout(timer));
  }
}

function environment() {
  const passedOn = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('SLUICE_') && !OTHER_SETTINGS.includes(name),
  );
  // A variable, so that a flag of the caller still turns them on.
  return { ...Object.fromEntries(passedOn), SLUICE_DEMO_TRADERS: 'false' };
}
