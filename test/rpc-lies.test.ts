import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Chain, ChainUnavailable, type Commitment } from '../src/chain/chain.ts';
import { BOB } from '../src/testing/chain/bank.ts';
import { computeBlockhashSlots, startTestChain } from '../src/testing/chain/embedded-chain.ts';
import { openRpcChain, type RpcChainOptions } from '../src/chain/rpc/rpc-chain.ts';
import { WatchedAccounts } from '../src/market/pools/watched-accounts.ts';
import { SYSTEM_PROGRAM } from '../src/solana/program-addresses.ts';
import { type HttpFault, RpcProxy } from './rpc-proxy.ts';
import { LeapingTimers } from '../src/testing/timers.ts';
import { openForAll, openForEach } from '../src/testing/opened.ts';

const SLOT_MS = 20;

let timers: LeapingTimers;
const network = openForAll(() => startTestChain({ slotMs: SLOT_MS }), 'close');
const proxy = openForEach(() => RpcProxy.start(network), 'close');
afterEach(tearDown);

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
    timers.leap(STALE_MS);
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

const FAR = 50_000;
const COMMITMENTS: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];
/** Slots and blocks that two reads at nearly the same time may be apart here. */
const NEAR = 200n;

type Change = (answer: string) => string;

/** The first answers to `method` that `isMeant` are changed, so many; the promise is kept once they were given. */
function lie(
  method: string,
  change: Change,
  { times = 1, isMeant = (_params: unknown): boolean => true } = {},
): Promise<void> {
  let left = times;
  return new Promise((resolve) => {
    proxy.onCall = (called, params) => {
      if (called !== method || left === 0 || !isMeant(params)) return PASS;
      if (--left === 0) resolve();
      return { kind: 'change', change };
    };
  });
}

const raised =
  (name: string, by: number): Change =>
  (text) =>
    text.replace(new RegExp(`"${name}":(\\d+)`, 'g'), (_, value) => `"${name}":${Number(value) + by}`);

/** The Clock sysvar in the text, with its slot and time raised. */
const clockRaised =
  (slots: number, seconds: number): Change =>
  (text) =>
    text.replace(/\["([A-Za-z0-9+/]{53,55}=*)","base64"\]/g, (whole, data) => {
      const bytes = Buffer.from(data, 'base64');
      if (bytes.length !== 40) return whole;
      bytes.writeBigUInt64LE(bytes.readBigUInt64LE(0) + BigInt(slots), 0);
      bytes.writeBigInt64LE(bytes.readBigInt64LE(32) + BigInt(seconds), 32);
      return `["${bytes.toString('base64')}","base64"]`;
    });

/** Everything in the text as a network would tell it that is `by` slots further. */
const everythingRaised =
  (by: number): Change =>
  (text) =>
    ['slot', 'absoluteSlot', 'blockHeight', 'lastValidBlockHeight', 'parent', 'root'].reduce(
      (changed, name) => raised(name, by)(changed),
      clockRaised(by, 0)(text),
    );

const ofCommitment = (commitment: Commitment) => (params: unknown) =>
  JSON.stringify(params).includes(commitment);
const ofClock = (params: unknown) => JSON.stringify(params).includes('SysvarC1ock');
const ofBob = (params: unknown) => JSON.stringify(params).includes(BOB.address);

function expectNear(believed: bigint, real: bigint): void {
  const apart = believed > real ? believed - real : real - believed;
  expect(apart, `${believed} is believed, ${real} is real`).toBeLessThan(NEAR);
}

/**
 * Lets so much time pass, after some polls, that what is not renewed is stale, and what contradicts the known state is
 * believed. The clocks of the network and of the chain move on together.
 */
async function outlastDoubt(): Promise<void> {
  const polled = () => proxy.calls.get('getEpochInfo') ?? 0;
  const before = polled();
  await vi.waitFor(() => expect(polled()).toBeGreaterThan(before + 10), WAIT);
  await network.warp({ seconds: STALE_MS / 1_000 });
  timers.leap(STALE_MS);
}

/** That everything is believed as the network really is, and goes on. */
async function expectTruth(chain: Chain): Promise<void> {
  const from = network.slot('confirmed');
  const { unixTimestamp } = network.clock();
  const { lastValidBlockHeight } = network.recentBlockhash();
  await vi.waitFor(() => {
    expect(chain.unhealthy()).toBeNull();
    expect(network.slot('confirmed')).toBeGreaterThan(from + 20n);
    for (const commitment of COMMITMENTS) {
      expectNear(chain.slot(commitment), network.slot(commitment));
      expectNear(chain.blockHeight(commitment), network.blockHeight(commitment));
    }
    expectNear(chain.clock().slot, network.slot('processed'));
    expect(chain.clock().unixTimestamp).toBeGreaterThanOrEqual(unixTimestamp);
    expect(chain.clock().unixTimestamp).toBeLessThanOrEqual(network.clock().unixTimestamp);
    expect(chain.recentBlockhash().lastValidBlockHeight).toBeGreaterThan(lastValidBlockHeight);
    expectNear(chain.recentBlockhash().lastValidBlockHeight, network.recentBlockhash().lastValidBlockHeight);
    expectNear(chain.recentBlockhash().slot, network.recentBlockhash().slot);
  }, WAIT);
}

async function lamportsOf(chain: Pick<Chain, 'getAccounts'>): Promise<bigint> {
  return (await chain.getAccounts([BOB.address]))[0]?.account?.lamports ?? 0n;
}

/** The account as a watcher such as a pool keeps it. */
async function holding(chain: Chain): Promise<() => bigint> {
  const held = new WatchedAccounts<string>(chain, (updates) => {
    for (const update of updates) held.hold(update);
  });
  held.depend('test', BOB.address);
  held.watch([BOB.address]);
  await held.refresh([BOB.address]);
  return () => held.read(BOB.address)?.lamports ?? 0n;
}

/** Waits until a change of the account arrives at its watchers. */
async function expectCurrent(chain: Chain, held: () => bigint): Promise<void> {
  await network.requestAirdrop(BOB.address, 3n);
  const expected = await lamportsOf(network);
  await vi.waitFor(() => expect(held()).toBe(expected), WAIT);
  await vi.waitFor(async () => expect(await lamportsOf(chain)).toBe(expected), WAIT);
}

describe('one false answer', () => {
  it.each(COMMITMENTS)('with a block height far ahead, %s, is not believed for long', async (commitment) => {
    const chain = await connect();
    await lie('getEpochInfo', raised('blockHeight', FAR), { isMeant: ofCommitment(commitment) });
    await expectTruth(chain);
  });

  it.each(COMMITMENTS)('with a slot far ahead, %s, is not believed for long', async (commitment) => {
    const chain = await connect();
    await lie('getEpochInfo', raised('absoluteSlot', FAR), { isMeant: ofCommitment(commitment) });
    await expectTruth(chain);
  });

  it('with slot and height far ahead is not believed for long', async () => {
    const chain = await connect();
    const both: Change = (text) => raised('blockHeight', FAR)(raised('absoluteSlot', FAR)(text));
    await lie('getEpochInfo', both, { times: 3 });
    await expectTruth(chain);
  });

  it.each<[string, Change]>([
    ['slot', raised('slot', FAR)],
    ['last block height', raised('lastValidBlockHeight', FAR)],
    ['slot and last block height', (text) => raised('slot', FAR)(raised('lastValidBlockHeight', FAR)(text))],
  ])('with the %s of a blockhash far ahead does not stop the renewal of blockhashes', async (_, change) => {
    const chain = await connect();
    await lie('getLatestBlockhash', change);
    await expectTruth(chain);
  });

  it.each([
    ['slot', clockRaised(FAR, 0)],
    ['time', clockRaised(0, FAR)],
    ['slot and time', clockRaised(FAR, FAR)],
  ])('with the %s of the clock far ahead is not believed for long', async (_, change) => {
    const chain = await connect();
    await lie('getMultipleAccounts', change, { isMeant: ofClock });
    await expectTruth(chain);
  });

  it('at the start is taken back, also of a network whose clock is far behind', async () => {
    const both: Change = (text) => raised('blockHeight', FAR)(raised('absoluteSlot', FAR)(text));
    const behind = clockRaised(0, -3_600);
    let left = 3;
    proxy.onCall = (method) => {
      const isFalse = method === 'getEpochInfo' && left-- > 0;
      return { kind: 'change', change: isFalse ? both : behind };
    };
    const chain = await connect();
    await outlastDoubt();
    await vi.waitFor(() => {
      expect(chain.unhealthy()).toBeNull();
      expectNear(chain.slot('confirmed'), network.slot('confirmed'));
    }, WAIT);
  });

  it('at the start is taken back', async () => {
    const both: Change = (text) => raised('blockHeight', FAR)(raised('absoluteSlot', FAR)(text));
    const lied = lie('getEpochInfo', both, { times: 3 });
    const chain = await connect();
    await lied;
    await outlastDoubt();
    await expectTruth(chain);
  });

  it('of the accounts of a slot far ahead is not believed', async () => {
    const chain = await connect({ maxSubscriptions: 1 });
    const held = await holding(chain);
    const change: Change = (text) => raised('slot', FAR)(text.replace(/"lamports":\d+/, '"lamports":7'));
    await lie('getMultipleAccounts', change, { isMeant: ofBob });
    await expectCurrent(chain, held);
  });

  it("of a program's accounts of a slot far ahead is not believed", async () => {
    const chain = await connect();
    const seen = new Map<string, bigint>();
    const stop = chain.watchProgram(SYSTEM_PROGRAM, (updates) => {
      for (const { address, account } of updates) seen.set(address, account?.lamports ?? 0n);
    });
    const lied = lie('getProgramAccounts', raised('slot', FAR));
    await chain.getProgramAccounts(SYSTEM_PROGRAM);
    await lied;
    await network.requestAirdrop(BOB.address, 3n);
    const expected = await lamportsOf(network);
    await vi.waitFor(() => expect(seen.get(BOB.address)).toBe(expected), WAIT);
    stop();
  });
});

describe('one false message', () => {
  it.each(['slot', 'root'])('with a %s far ahead is not believed for long', async (name) => {
    const chain = await connect();
    await lieOnce('slotNotification', raised(name, FAR));
    await expectTruth(chain);
  });

  it('with the account of a slot far ahead is not believed', async () => {
    const chain = await connect();
    const held = await holding(chain);
    await expectCurrent(chain, held);
    const lied = lieOnce('accountNotification', (text) =>
      raised('slot', FAR)(text.replace(/"lamports":\d+/, '"lamports":7')),
    );
    await network.requestAirdrop(BOB.address, 1n);
    await lied;
    await expectCurrent(chain, held);
    await expectTruth(chain);
  });

  /** The first message with the method is changed. */
  function lieOnce(method: string, change: Change): Promise<void> {
    let isDone = false;
    return new Promise((resolve) => {
      proxy.onMessage = (sent) => {
        if (sent !== method || isDone) return 'pass';
        isDone = true;
        resolve();
        return change;
      };
    });
  }
});

describe('an RPC that tells of another world for a while, consistently', () => {
  it('is believed in the end, and again when it tells the truth, with every account', async () => {
    const chain = await connect();
    const held = await holding(chain);
    const real = chain.slot('confirmed');
    // A world in which no time passes is not believed, however long the RPC reports it.
    let isStill = true;
    const first = new Map<string, string>();
    proxy.onCall = (method, params) => ({
      kind: 'change',
      change: (text) => {
        const key = `${method} ${JSON.stringify(params)}`;
        const reported = (isStill ? first.get(key) : undefined) ?? everythingRaised(FAR)(text);
        first.set(key, reported);
        return reported;
      },
      ask: raised('minContextSlot', -FAR),
    });
    proxy.onMessage = () => everythingRaised(FAR);
    await outlastDoubt();
    await vi.waitFor(() => expect(chain.unhealthy()).toMatch(/contradicts/), WAIT);
    expectNear(chain.slot('confirmed'), real);
    isStill = false;
    await outlastDoubt();
    await vi.waitFor(() => {
      expect(chain.slot('confirmed')).toBeGreaterThan(real + 40_000n);
      expect(chain.unhealthy()).toBeNull();
    }, WAIT);
    await socketUp();
    await expectCurrent(chain, held);
    proxy.onCall = () => PASS;
    proxy.onMessage = () => 'pass';
    await outlastDoubt();
    await expectTruth(chain);
    await expectCurrent(chain, held);
  });
});

describe('an RPC that never renews', () => {
  it.each([
    ['blockhash', 'getLatestBlockhash', () => true],
    ['clock', 'getMultipleAccounts', ofClock],
  ])('its %s is not ready', async (what, method, isMeant) => {
    const chain = await connect();
    let first: string | null = null;
    const change: Change = (text) => {
      first ??= text;
      return first;
    };
    proxy.onCall = (called, params) =>
      called === method && isMeant(params) ? { kind: 'change', change } : PASS;
    await outlastDoubt();
    await vi.waitFor(
      () => expect(chain.unhealthy()).toMatch(new RegExp(`has reported no newer ${what} for`)),
      WAIT,
    );
    proxy.onCall = () => PASS;
    await expectTruth(chain);
  });
});

const WAIT = { interval: 20 };
const STALE_MS = 30_000;
/** A message of the size that ended the process: 9,000 brackets each way. */
const DEEP = '['.repeat(9_000) + ']'.repeat(9_000);
const SIGNATURE = '1'.repeat(64);
const PASS: HttpFault = { kind: 'pass' };

const open: Chain[] = [];
const notices: string[] = [];

async function tearDown(): Promise<void> {
  await Promise.all(open.splice(0).map((chain) => chain.close()));
}

async function connect(changed: Partial<RpcChainOptions> = {}): Promise<Chain> {
  notices.length = 0;
  timers = new LeapingTimers();
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
    random: () => 0,
    onNotice: (message) => notices.push(message),
    ...changed,
  });
  open.push(chain);
  return chain;
}

const healthy = (chain: Chain) => vi.waitFor(() => expect(chain.unhealthy()).toBeNull(), WAIT);
const socketNotice = () => notices.findLast((notice) => notice.startsWith('the WebSocket of'));
const socketUp = () => vi.waitFor(() => expect(socketNotice()).toMatch(/ is up$/), WAIT);
const answer = (body: string): HttpFault => ({ kind: 'answer', status: 200, body });
