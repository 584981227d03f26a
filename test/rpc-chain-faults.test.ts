import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AccountUpdate } from '../src/chain/accounts.ts';
import { type Chain, ChainUnavailable } from '../src/chain/chain.ts';
import { ALICE, BOB, SOL, createTestKey } from '../src/testing/chain/bank.ts';
import { computeBlockhashSlots, startTestChain } from '../src/testing/chain/embedded-chain.ts';
import { openRpcChain, type ReadChain, type RpcChainOptions } from '../src/chain/rpc/rpc-chain.ts';
import type { Address } from '../src/solana/address.ts';
import { SYSTEM_PROGRAM } from '../src/solana/program-addresses.ts';
import { type HttpFault, RpcProxy } from './rpc-proxy.ts';
import { LeapingTimers } from '../src/testing/timers.ts';
import { openForAll, openForEach } from '../src/testing/opened.ts';

const SLOT_MS = 20;

const network = openForAll(() => startTestChain({ slotMs: SLOT_MS }), 'close');
const timers = openForEach(() => new LeapingTimers());
const proxy = openForEach(() => RpcProxy.start(network), 'close');
afterEach(tearDown);

describe('an RPC that dies', () => {
  it('is seen in the counts of its calls and in its WebSocket, without a word of its URL', async () => {
    const key = 'c0ffee00c0ffee00c0ffee00';
    const chain = await connect({
      url: new URL(`${proxy.rpcUrl}/?api-key=${key}`),
      wsUrl: new URL(`${proxy.wsUrl}/?api-key=${key}`),
    });
    await expect.poll(() => chain.readNode().webSocket).toMatchObject({ isUp: true, reason: null });
    const before = chain.readNode();
    expect(before.calls).toBeGreaterThan(3);
    await proxy.kill();
    await expect.poll(() => chain.readNode().failures).toBeGreaterThan(before.failures);
    await expect.poll(() => chain.readNode().webSocket?.isUp).toBe(false);
    const after = chain.readNode();
    expect(after.lastFailure?.reason).toMatch(/./);
    expect(JSON.stringify(after)).not.toMatch(new RegExp(`${key}|127[.]0[.]0[.]1`));
    await proxy.restore();
    await expect.poll(() => chain.readNode().webSocket?.isUp).toBe(true);
  });

  it('is reported with its reason, and everything continues when it is back', async () => {
    const chain = await connect();
    const told = await watched(chain, BOB.address);
    const before = chain.recentBlockhash();
    await proxy.kill();
    await stale(chain, /^the RPC has not answered for \d+ ms: .*(ECONN|closed)/);
    expect(chain.unhealthy()).not.toContain('127.0.0.1');
    await expect(chain.getAccounts([ALICE.address])).rejects.toThrow(ChainUnavailable);
    await expect(chain.signatureStatuses(['1'.repeat(64)])).rejects.toThrow(ChainUnavailable);
    await network.requestAirdrop(BOB.address, 5n);
    await proxy.restore();
    await healthy(chain);
    const expected = await lamportsOf(BOB.address);
    await vi.waitFor(() => expect(told.lamports(BOB.address)).toBe(expected), WAIT);
    const isRenewed = () => chain.recentBlockhash().lastValidBlockHeight > before.lastValidBlockHeight;
    await vi.waitFor(() => expect(isRenewed()).toBe(true), WAIT);
    await vi.waitFor(() => expect(notices.at(-1)).toMatch(/^the WebSocket of .* is up$/), WAIT);
    expect(recoveries).toEqual(notices.filter((notice) => notice.endsWith(' is up')));
    await network.requestAirdrop(BOB.address, 7n);
    await vi.waitFor(() => expect(told.lamports(BOB.address)).toBe(expected + 7n), WAIT);
    expect(told.isInOrder).toBe(true);
  });

  it('again and again, loses no change and brings none out of order', async () => {
    const chain = await connect();
    const told = await watched(chain, BOB.address, ALICE.address);
    const program = new Told();
    chain.watchProgram(SYSTEM_PROGRAM, program.listener, { dataSize: 0 });
    await chain.getProgramAccounts(SYSTEM_PROGRAM, 'processed', { dataSize: 0 });
    const born: Address[] = [];
    for (let round = 0; round < 4; round++) {
      const opened = proxy.opened;
      proxy.cut();
      if (round % 2 === 0) {
        await proxy.kill();
        await proxy.restore();
      }
      const someone = createTestKey(500 + round).address;
      born.push(someone);
      await network.requestAirdrop(someone, SOL);
      await network.requestAirdrop(BOB.address, 1n);
      await vi.waitFor(() => expect(proxy.opened).toBeGreaterThan(opened), WAIT);
      await network.requestAirdrop(ALICE.address, 1n);
    }
    const [alice, bob] = [await lamportsOf(ALICE.address), await lamportsOf(BOB.address)];
    await vi.waitFor(() => {
      expect([told.lamports(ALICE.address), told.lamports(BOB.address)]).toEqual([alice, bob]);
      for (const address of born) expect(program.lamports(address)).toBe(SOL);
    }, WAIT);
    await healthy(chain);
    expect([told.isInOrder, program.isInOrder]).toEqual([true, true]);
  });

  it('cannot be started over, and says why', async () => {
    proxy.onCall = () => ({ kind: 'answer', status: 403, body: 'no' });
    await expect(connect()).rejects.toThrow(/^rpc-url, http:\/\/127.*, cannot be used: .*HTTP 403$/);
  });
});

describe('calls', () => {
  const answer = (status: number, body: string): HttpFault => ({ kind: 'answer', status, body });

  it.each<[string, HttpFault]>([
    ['a server error', answer(503, 'busy')],
    ['something that is not JSON', answer(200, '<html>')],
    ['JSON that is no answer', answer(200, '[]')],
    ['an answer of another shape', answer(200, '{"jsonrpc":"2.0","id":1,"result":{"value":7}}')],
    [
      'a node that is behind',
      answer(200, '{"error":{"code":-32005,"message":"Node is behind by 42 slots"}}'),
    ],
    ['too many calls', { kind: 'answer', status: 429, body: '', retryAfter: '0' }],
    ['a cut connection', { kind: 'drop' }],
  ])('are made again after %s', async (_, fault) => {
    const chain = await connect();
    failTwice('getTransaction', fault);
    expect(await chain.transaction('1'.repeat(64))).toBeNull();
    expect(proxy.calls.get('getTransaction')).toBe(3);
  });

  it('are made once for a page', async () => {
    const chain = await connect();
    failTwice('getTransaction', answer(503, 'busy'));
    await expect(chain.transaction('1'.repeat(64), 'once')).rejects.toThrow(/HTTP 503/);
    expect(proxy.calls.get('getTransaction')).toBe(1);
  });

  it('are given up when nothing right ever comes, with what came', async () => {
    const chain = await connect();
    proxy.onCall = (method) =>
      method === 'getTransaction' ? answer(200, '{"result":{}}') : { kind: 'pass' };
    await expect(chain.transaction('1'.repeat(64))).rejects.toThrow(
      /^the RPC answered getTransaction with result/,
    );
    expect(chain.unhealthy()).toBeNull();
  });

  it('share one question for the statuses of many transactions', async () => {
    const chain = await connect();
    const signatures = Array.from({ length: 300 }, (_, i) => String(i % 9 || 1).repeat(64) + i);
    const valid = signatures.map(() => '1'.repeat(64));
    await Promise.all(valid.map((signature) => chain.signatureStatuses([signature])));
    expect(proxy.calls.get('getSignatureStatuses')).toBeLessThanOrEqual(2);
  });

  /** The first two of these calls fail. */
  function failTwice(method: string, fault: HttpFault): void {
    let left = 2;
    proxy.onCall = (called) => (called === method && left-- > 0 ? fault : { kind: 'pass' });
  }
});

it('that refuses everything is reported, and does not end the process', async () => {
  const chain = await connect();
  chain.watchAccounts([BOB.address], () => {});
  chain.recentPriorityFees([BOB.address]);
  proxy.onCall = () => ({ kind: 'answer', status: 401, body: 'who are you' });
  await stale(chain, /^the RPC has not answered for \d+ ms: the RPC answered \w+ with HTTP 401$/);
  proxy.onCall = () => ({ kind: 'pass' });
  await healthy(chain);
});

describe('an RPC that lags', () => {
  it('does not take slots back; it is reported, until the node has caught up', async () => {
    const chain = await connect();
    await vi.waitFor(() => expect(chain.slot('confirmed')).toBeGreaterThan(20n), WAIT);
    const old = { slot: chain.slot('confirmed') - 10n, height: chain.blockHeight('confirmed') - 10n };
    proxy.onMessage = () => 'drop';
    proxy.onCall = (method) =>
      method === 'getEpochInfo'
        ? {
            kind: 'change',
            change: (text) =>
              text
                .replace(/"absoluteSlot":\d+/, `"absoluteSlot":${old.slot}`)
                .replace(/"blockHeight":\d+/, `"blockHeight":${old.height}`),
          }
        : { kind: 'pass' };
    await stale(chain, /^the RPC lags: it answers as of slot \d+, \d+ slots behind the newest/);
    expect(chain.slot('confirmed')).toBeGreaterThan(old.slot);
    proxy.onCall = () => ({ kind: 'pass' });
    proxy.onMessage = () => 'pass';
    await healthy(chain);
  });

  it('or says so itself, or turns out to belong to another network, is reported', async () => {
    const chain = await connect();
    const behind = '{"error":{"code":-32005,"message":"Node is behind by 42 slots"}}';
    proxy.onCall = (method) =>
      method === 'getHealth' ? { kind: 'answer', status: 200, body: behind } : { kind: 'pass' };
    await unhealthy(chain, /says of itself: .*behind by 42 slots/);
    const other = `{"result":"${SYSTEM_PROGRAM}"}`;
    proxy.onCall = (method) =>
      method === 'getGenesisHash' ? { kind: 'answer', status: 200, body: other } : { kind: 'pass' };
    await unhealthy(chain, /is of another network now: its genesis hash is 1{32}/);
    proxy.onCall = () => ({ kind: 'pass' });
    await healthy(chain);
  });
});

describe('a WebSocket', () => {
  it('that goes silent about accounts is made good for by the sweep', async () => {
    const chain = await connect({ sweepMs: 300 });
    const told = await watched(chain, BOB.address);
    proxy.onMessage = (method) => (method === 'accountNotification' ? 'drop' : 'pass');
    await network.requestAirdrop(BOB.address, 3n);
    const expected = await lamportsOf(BOB.address);
    await vi.waitFor(() => expect(told.lamports(BOB.address)).toBe(expected), WAIT);
    expect(proxy.opened).toBe(1);
  });

  it('that is half open is noticed and opened again', async () => {
    const chain = await connect();
    const told = await watched(chain, BOB.address);
    proxy.isHalfOpen = true;
    timers.leap(SILENT_MS);
    // It may be up again before this is seen.
    await vi.waitFor(() => expect(notices.join()).toMatch(/is down, .*reported no slot for/), WAIT);
    await network.requestAirdrop(BOB.address, 3n);
    const expected = await lamportsOf(BOB.address);
    await vi.waitFor(() => expect(told.lamports(BOB.address)).toBe(expected), WAIT);
    proxy.isHalfOpen = false;
    await vi.waitFor(() => expect(proxy.opened).toBeGreaterThan(1), WAIT);
    await healthy(chain);
  });

  it('that is not there at all is replaced by reading', async () => {
    const chain = await connect({ wsUrl: new URL('ws://127.0.0.1:1') });
    const told = await watched(chain, BOB.address);
    expect(told.isInOrder).toBe(true);
    expect(chain.unhealthy()).toBeNull();
    proxy.onCall = (method, params) =>
      method === 'getMultipleAccounts' && JSON.stringify(params).includes(BOB.address)
        ? { kind: 'answer', status: 500, body: '' }
        : { kind: 'pass' };
    await stale(chain, /^accounts were last read .* ago; its WebSocket has been down for \d+ ms: .*ECONN/);
    proxy.onCall = () => ({ kind: 'pass' });
    await healthy(chain);
  });

  it('with little room is used as far as it goes', async () => {
    const chain = await connect({ maxSubscriptions: 2 });
    const addresses = Array.from({ length: 5 }, (_, i) => createTestKey(600 + i).address);
    const told = await watched(chain, BOB.address, ...addresses);
    for (const address of addresses) await network.requestAirdrop(address, SOL);
    await vi.waitFor(() => {
      for (const address of addresses) expect(told.lamports(address)).toBeGreaterThanOrEqual(SOL);
    }, WAIT);
  });
});

it('says what to do where the RPC does not give out accounts by program', async () => {
  const chain = await connect();
  const refusal = '{"error":{"code":-32010,"message":"excluded from account secondary indexes"}}';
  proxy.onCall = (method) =>
    method === 'getProgramAccounts' ? { kind: 'answer', status: 200, body: refusal } : { kind: 'pass' };
  await expect(chain.getProgramAccounts(SYSTEM_PROGRAM)).rejects.toThrow(
    /refuses getProgramAccounts of 1{32}: excluded .*; .* name the pools by rpc-pool$/,
  );
});

it('uses the configured accounts of a program when the RPC must not be asked', async () => {
  const chain = await connect({ programAccounts: [BOB.address, createTestKey(700).address] });
  const told = new Told();
  chain.watchProgram(SYSTEM_PROGRAM, told.listener);
  const found = await chain.getProgramAccounts(SYSTEM_PROGRAM);
  expect(found.map(({ address }) => address)).toEqual([BOB.address]);
  await network.requestAirdrop(ALICE.address, 1n);
  await network.requestAirdrop(createTestKey(700).address, SOL);
  await vi.waitFor(() => expect(told.lamports(createTestKey(700).address)).toBe(SOL), WAIT);
  expect(told.last.has(ALICE.address)).toBe(false);
  expect(proxy.calls.has('getProgramAccounts')).toBe(false);
});

const WAIT = { interval: 20 };
const STALE_MS = 30_000;
/** Without a slot for this long, a WebSocket is taken for dead. */
const SILENT_MS = 5_000;

const open: Chain[] = [];

async function tearDown(): Promise<void> {
  await Promise.all(open.splice(0).map((chain) => chain.close()));
}

const notices: string[] = [];
/** The notices that say that something works again; the log has them at `info`, and the others as warnings. */
const recoveries: string[] = [];

async function connect(changed: Partial<RpcChainOptions> = {}): Promise<ReadChain> {
  notices.length = 0;
  recoveries.length = 0;
  const chain = await openRpcChain({
    url: new URL(proxy.rpcUrl),
    wsUrl: new URL(proxy.wsUrl),
    pollMs: 30,
    staleMs: STALE_MS,
    sweepMs: 60_000,
    maxSubscriptions: 100,
    blockhashSlots: computeBlockhashSlots(SLOT_MS),
    callsPerSecond: 10_000,
    transactionsPerSecond: 0,
    programAccounts: null,
    timers,
    random: Math.random,
    onNotice: (message, isRecovery = false) => {
      notices.push(message);
      if (isRecovery) recoveries.push(message);
    },
    ...changed,
  });
  open.push(chain);
  return chain;
}

/** The last update of each account that a watcher received, and whether slots ever went back. */
class Told {
  readonly last = new Map<Address, AccountUpdate>();
  isInOrder = true;

  readonly listener = (updates: readonly AccountUpdate[]) => {
    for (const update of updates) {
      if ((this.last.get(update.address)?.slot ?? 0n) > update.slot) this.isInOrder = false;
      this.last.set(update.address, update);
    }
  };

  lamports(address: Address): bigint {
    return this.last.get(address)?.account?.lamports ?? 0n;
  }
}

async function lamportsOf(address: Address): Promise<bigint> {
  return (await network.getAccounts([address]))[0]?.account?.lamports ?? 0n;
}

async function watched(chain: Chain, ...addresses: Address[]): Promise<Told> {
  const told = new Told();
  chain.watchAccounts(addresses, told.listener);
  await chain.getAccounts(addresses);
  await network.requestAirdrop(addresses[0] as Address, 1n);
  const expected = await lamportsOf(addresses[0] as Address);
  await vi.waitFor(() => expect(told.lamports(addresses[0] as Address)).toBe(expected), WAIT);
  return told;
}

const healthy = (chain: Chain) => vi.waitFor(() => expect(chain.unhealthy()).toBeNull(), WAIT);
const unhealthy = (chain: Chain, reason: RegExp) =>
  vi.waitFor(() => expect(chain.unhealthy()).toMatch(reason), WAIT);

/** What is not renewed from now on is stale at once. */
async function stale(chain: Chain, reason: RegExp): Promise<void> {
  timers.leap(STALE_MS);
  await unhealthy(chain, reason);
}
