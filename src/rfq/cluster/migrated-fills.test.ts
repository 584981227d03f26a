import { beforeEach, describe, expect, it } from 'vitest';
import { LAST_LOOK_MS } from '../fills/fill-results.ts';
import { TestCluster } from '../../testing/rfq/owners.ts';
import type { LastLook, OfferedSwap, SubmittedSwap } from '../streams/maker-link.ts';
import { openMakerMarket } from '../maker-market.ts';
import { type MakerStreams, openMakerStreams } from '../maker-streams.ts';
import { DEFAULT_BREAKER } from '../makers/maker-state.ts';
import { MemoryAccounts, MemoryMakerStore, makerRecord } from '../../testing/rfq/test-rfq.ts';
import { SwapConnections, type SwapMessage } from '../streams/swap-connections.ts';
import { openSwapRouting } from './swap-routing.ts';
import { openForEach } from '../../testing/opened.ts';

let one: TestInstance;
let other: TestInstance;
const server = openForEach(() => new TestCluster());
beforeEach(setUp);

describe('MigratedFills', () => {
  it("pushes a swap at the maker's new instance, and settles what comes back where it was offered", async () => {
    await connect(one);
    one.settling.waiting.push(SWAP);
    const { submit, told } = await connect(other);
    await expect.poll(told).toEqual([OFFERED]);
    submit('late');
    await expect.poll(told).toEqual([OFFERED, { kind: 'error', swapUuid: 'swap', text: 'it is late' }]);
    submit('signed');
    const returned = { makerId: ID, swapUuid: 'swap' };
    await expect
      .poll(() => one.settling.returned)
      .toEqual([
        { ...returned, signedTransaction: 'late' },
        { ...returned, signedTransaction: 'signed' },
      ]);
    one.link.confirmed(ID, 'swap', 'signature');
    await expect.poll(told).toContainEqual({ kind: 'confirmed', swapUuid: 'swap', signature: 'signature' });
    expect(other.settling.returned).toEqual([]);
    // What is over is for the instance itself to say.
    submit('again');
    expect(other.settling.returned).toHaveLength(1);
    expect(server.defects).toEqual([]);
  });

  it('pushes it to a maker that left seconds before it connected to the other instance, and to its next stream', async () => {
    const before = await connect(one);
    before.stream.closed();
    await one.makers.ownership.released(ID);
    one.settling.waiting.push(SWAP);
    one.link.failed(ID, 'earlier', 'it failed');
    const { told } = await connect(other);
    expect(told()).toEqual([]);
    await pass(2_000);
    expect(told()).toEqual([OFFERED, { kind: 'error', swapUuid: 'earlier', text: 'it failed' }]);
    const next = await connect(other);
    expect(next.told()).toContainEqual(OFFERED);
    await pass(LAST_LOOK_MS);
    expect((await connect(other)).told()).not.toContainEqual(OFFERED);
  });

  it('takes a swap only from the maker that it was offered to', async () => {
    await connect(one);
    one.settling.waiting.push(SWAP);
    const { told } = await connect(other);
    await expect.poll(told).toEqual([OFFERED]);
    other.makers.setRecords([makerRecord(other.chain, 2)]);
    const stranger = await connect(other, 'maker-2');
    stranger.submit('signed');
    expect(other.settling.returned).toEqual([
      { makerId: 'maker-2', swapUuid: 'swap', signedTransaction: 'signed' },
    ]);
    expect(one.settling.returned).toEqual([]);
  });

  it('keeps a swap waiting, and tells the maker so, while the instance that offered it does not answer', async () => {
    await connect(one);
    one.settling.waiting.push(SWAP);
    const { submit, told } = await connect(other);
    await expect.poll(told).toEqual([OFFERED]);
    server.cutOff('one');
    submit('signed');
    await expect
      .poll(told)
      .toContainEqual(
        expect.objectContaining({ kind: 'error', text: expect.stringContaining('does not answer') }),
      );
    // The end is kept where it happened, for a maker that comes back.
    one.link.confirmed(ID, 'swap', 'signature');
    server.restore('one');
    other.streams.end(ID, 'UNAVAILABLE', 'the test ends it');
    await pass(2_000);
    expect((await connect(one)).told()).toContainEqual(expect.objectContaining({ kind: 'confirmed' }));
  });

  it('does not push a swap again that this instance has taken over from the one that offers it', async () => {
    await connect(one);
    one.settling.waiting.push(SWAP);
    // This instance went on with the swap while the other one stood still, and pushed it to the maker.
    other.settling.known.add('swap');
    other.settling.waiting.push(SWAP);
    const { told } = await connect(other);
    await pass(3_000);
    expect(told()).toEqual([OFFERED]);
  });

  it('does not push a swap again when this instance takes it over, and settles it from then on', async () => {
    await connect(one);
    one.settling.waiting.push(SWAP);
    const { submit, told } = await connect(other);
    await expect.poll(told).toEqual([OFFERED]);
    expect(other.link.offer(SWAP)).toBe(true);
    expect(told()).toEqual([OFFERED]);
    submit('signed');
    expect(other.settling.returned).toHaveLength(1);
    expect(one.settling.returned).toEqual([]);
  });

  it('forwards one submission at a time, however often the maker submits, and also after the deadline', async () => {
    await connect(one);
    one.settling.waiting.push(SWAP);
    const { submit, told } = await connect(other);
    await expect.poll(told).toEqual([OFFERED]);
    await pass(LAST_LOOK_MS);
    for (let times = 0; times < 1_100; times++) submit('late');
    await expect
      .poll(told)
      .toContainEqual({ kind: 'error', swapUuid: 'swap', text: 'the swap swap was submitted before' });
    await expect.poll(() => one.settling.returned).toHaveLength(1);
    await pass(1_000);
    expect(one.settling.returned).toHaveLength(1);
  });
});

const ID = 'maker-1';
const SWAP: OfferedSwap = { swapUuid: 'swap', makerId: ID, transaction: Uint8Array.of(1, 2, 3) };

/** The settlement of an instance's swaps. */
class Settling implements LastLook {
  readonly waiting: OfferedSwap[] = [];
  readonly returned: SubmittedSwap[] = [];
  readonly known = new Set<string>();

  submitted(swap: SubmittedSwap): string | null {
    this.returned.push(swap);
    return swap.signedTransaction === 'late' ? 'it is late' : null;
  }

  knows(swapUuid: string): boolean {
    return this.known.has(swapUuid);
  }

  pending(makerId: string): readonly OfferedSwap[] {
    return this.waiting.filter((swap) => swap.makerId === makerId);
  }
}

/** The makers and their streams at an instance, without the settlement of fills. */
async function openInstance(self: string, chain: MemoryAccounts, store: MemoryMakerStore) {
  const settling = new Settling();
  const { timers } = server;
  const onDefect = (where: unknown, error: unknown) => {
    throw new Error(String(where), { cause: error });
  };
  const peers = await server.peers(self);
  const market = await openMakerMarket({
    chain,
    store,
    timers,
    peers,
    breaker: DEFAULT_BREAKER,
    recall: async () => undefined,
    hasStream: (makerId) => streams.has(makerId),
    onLost: (makerId) => streams.endMoved(makerId),
    onDefect,
  });
  const { makers, owners } = market;
  const connections = new SwapConnections(timers);
  const { link, receive } = openSwapRouting({
    connections,
    owners,
    requests: peers.requests,
    timers,
    onDefect: (error) => onDefect('swaps', error),
  });
  const streams: MakerStreams = openMakerStreams({
    market,
    connections,
    ...receive(settling),
    refreshMakers: async () => undefined,
    timers,
    stopwatch: () => 0,
    onDefect,
  });
  makers.setRecords([makerRecord(chain)]);
  return { settling, link, makers, streams, chain };
}

type TestInstance = Awaited<ReturnType<typeof openInstance>>;

async function setUp(): Promise<void> {
  const [store, chain] = [new MemoryMakerStore(), new MemoryAccounts()];
  one = await openInstance('one', chain, store);
  other = await openInstance('other', chain, store);
}

/** The swap stream of a maker, without what every stream begins with. */
async function connect({ makers, streams }: TestInstance, id = ID) {
  const got: SwapMessage[] = [];
  const stream = streams.swapStreams.open(id, {
    send: (message) => got.push(message),
    end: () => undefined,
    unread: () => 0,
  });
  if (stream === null) throw new Error('too many streams were opened');
  await expect.poll(() => makers.get(id)?.status).toBe('prod');
  const submit = (signedTransaction: string, swapUuid = 'swap') =>
    stream.received({ kind: 'submit', swapUuid, signedTransaction });
  return { stream, submit, told: () => got.filter(({ kind }) => kind !== 'ready') };
}

/** Time that passes with everything done that it brings about. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    server.timers.advance(1_000);
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  }
}

const OFFERED: SwapMessage = { kind: 'available', swapUuid: 'swap', transaction: SWAP.transaction };
