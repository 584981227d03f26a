import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Chain, ChainUnavailable } from '../src/chain/chain.ts';
import { FAUCET, GENESIS } from '../src/chain/embedded/bank-for-tests.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../src/chain/embedded/network.ts';
import { openRpcChain, type RpcChainOptions } from '../src/chain/rpc/rpc-chain.ts';
import { SYSTEM_TIMERS } from '../src/ports/timers.ts';
import { type HttpFault, RpcProxy } from './rpc-proxy.ts';

const WAIT = { timeout: 10_000, interval: 20 };
/** A message of the size that ended the process: 9,000 brackets each way. */
const DEEP = '['.repeat(9_000) + ']'.repeat(9_000);
const SIGNATURE = '1'.repeat(64);
const PASS: HttpFault = { kind: 'pass' };

let network: EmbeddedChain;
let proxy: RpcProxy;
const open: Chain[] = [];
const notices: string[] = [];

beforeAll(async () => {
  network = await startEmbeddedChain({
    folder: null,
    seed: 'test',
    genesis: () => GENESIS,
    overlay: [],
    faucet: FAUCET,
    mintAuthorities: [],
    slotMs: 20,
    production: false,
    host: '127.0.0.1',
    rpcPort: 0,
    wsPort: 0,
    onDefect: (where, message) => {
      throw new Error(`${where}: ${message}`);
    },
  });
});

beforeEach(async () => {
  proxy = await RpcProxy.start(network);
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((chain) => chain.close()));
  await proxy.close();
});

afterAll(() => network.close());

async function connect(changed: Partial<RpcChainOptions> = {}): Promise<Chain> {
  notices.length = 0;
  const chain = await openRpcChain({
    url: new URL(proxy.rpcUrl),
    wsUrl: new URL(proxy.wsUrl),
    pollMs: 30,
    staleMs: 600,
    sweepMs: 60_000,
    maxSubscriptions: 100,
    programAccounts: null,
    timers: SYSTEM_TIMERS,
    random: () => 0,
    onNotice: (message) => notices.push(message),
    ...changed,
  });
  open.push(chain);
  return chain;
}

const healthy = (chain: Chain) => vi.waitFor(() => expect(chain.unhealthy()).toBeNull(), WAIT);
const socketUp = () => vi.waitFor(() => expect(notices.at(-1)).toMatch(/^the WebSocket of .* is up$/), WAIT);
const answer = (body: string): HttpFault => ({ kind: 'answer', status: 200, body });

describe('JSON that is nested deeply', () => {
  it.each([
    ['the answer', DEEP],
    ['the result', `{"result":${DEEP}}`],
    ['the error', `{"error":${DEEP}}`],
    ["the error's data", `{"error":{"code":-32002,"message":"no","data":{"err":${DEEP}}}}`],
    ['400 KB of it', '['.repeat(200_000) + ']'.repeat(200_000)],
  ])('as %s is an error of the RPC', async (_, body) => {
    const chain = await connect();
    proxy.onCall = () => answer(body);
    await expect(chain.send(new Uint8Array(100), { skipPreflight: false })).rejects.toThrow(ChainUnavailable);
    await expect(chain.simulate(new Uint8Array(100), { verifySignatures: true })).rejects.toThrow(
      ChainUnavailable,
    );
    await expect(chain.signatureStatuses([SIGNATURE])).rejects.toThrow(ChainUnavailable);
    await vi.waitFor(
      () => expect(chain.unhealthy()).toMatch(/the RPC answered \w+ with .*levels deep/),
      WAIT,
    );
    proxy.onCall = () => PASS;
    await healthy(chain);
  });

  it('in an answer with large numbers is an error of the RPC', async () => {
    const chain = await connect();
    proxy.onCall = (method) =>
      method === 'getTransaction' ? answer(`{"result":[${2n ** 70n},${DEEP}]}`) : PASS;
    await expect(chain.transaction(SIGNATURE)).rejects.toThrow(ChainUnavailable);
  });

  it.each([
    ['the message', DEEP],
    ['a method', `{"method":${DEEP}}`],
    ['a subscription', `{"method":"slotNotification","params":{"subscription":${DEEP}}}`],
    ['an answer', `{"id":1,"result":${DEEP}}`],
  ])('as %s by WebSocket ends that connection alone', async (_, message) => {
    const chain = await connect();
    await socketUp();
    proxy.say(message);
    await vi.waitFor(() => expect(notices.join()).toMatch(/is down, .*levels deep/), WAIT);
    await socketUp();
    await healthy(chain);
  });
});

it('that answers with an integer where an object belongs, too large for a double, is what is wrong', async () => {
  const chain = await connect();
  proxy.onCall = (method) =>
    method === 'getTransaction' ? answer(`{"result":{"slot":1,"transaction":[],"meta":${2n ** 70n}}}`) : PASS;
  await expect(chain.transaction(SIGNATURE)).rejects.toThrow(
    /^the RPC answered getTransaction with result.meta must be/,
  );
});

it.each([
  ['data that is no object', '7'],
  ['logs that are no array', '{"err":null,"logs":7}'],
  ['a log that is no text', '{"err":null,"logs":[7]}'],
])('that refuses a transaction with %s is an error of the RPC', async (_, data) => {
  const chain = await connect();
  proxy.onCall = (method) =>
    method === 'sendTransaction' ? answer(`{"error":{"code":-32002,"message":"no","data":${data}}}`) : PASS;
  await expect(chain.send(new Uint8Array(100), { skipPreflight: false })).rejects.toThrow(ChainUnavailable);
});

it('that answers with a list too long to be one is an error of the RPC', async () => {
  const chain = await connect();
  const logs = `[${'"",'.repeat(20_000)}""]`;
  proxy.onCall = (method) =>
    method === 'simulateTransaction'
      ? answer(`{"result":{"context":{"slot":1},"value":{"err":null,"logs":${logs}}}}`)
      : PASS;
  const simulated = chain.simulate(new Uint8Array(100), { verifySignatures: true });
  await expect(simulated).rejects.toThrow(/result\.value\.logs may have 10000 elements, got 20001$/);
});
