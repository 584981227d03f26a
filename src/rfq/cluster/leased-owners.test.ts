import { beforeEach, describe, expect, it } from 'vitest';
import { Unavailable } from '../../common/unavailable.ts';
import { TestCluster } from '../../testing/rfq/owners.ts';
import type { Ack } from '../books/quotes.ts';
import {
  MemoryAccounts,
  MemoryMakerStore,
  makerRecord,
  openTestRfq,
  snapshot,
  type TestRfq,
} from '../../testing/rfq/test-rfq.ts';
import { openForEach } from '../../testing/opened.ts';

let one: TestRfq;
let other: TestRfq;
const server = openForEach(() => new TestCluster());
const store = openForEach(() => new MemoryMakerStore());
beforeEach(setUp);

describe('LeasedOwners', () => {
  it('shows a maker alike at all instances', async () => {
    const { quote } = await connect(one);
    await quote(7n);
    const seen = { status: 'prod', connected: true, instance: 'one', accepted: 1, lastSequence: 7n };
    expect(await seenBy(one)).toEqual(seen);
    expect(await seenBy(other)).toEqual(seen);
    expect((await other.rfq.clusterMakers.all()).map(({ instance }) => instance)).toEqual(['one']);
    one.rfq.endStreams(ID, 'UNAVAILABLE', 'the test ends it');
    await expect
      .poll(() => seenBy(other))
      .toMatchObject({ status: 'offline', connected: false, instance: null });
    expect(await seenBy(one)).toEqual({ ...seen, status: 'offline', connected: false, instance: null });
  });

  it('lets a maker connect anywhere, and continues from its stored state', async () => {
    const before = await connect(one);
    await before.quote(5n);
    const after = await connect(other);
    const aborted =
      'ABORTED: another stream of the same maker, at another instance, took the place of this one';
    expect(before.ends).toEqual([aborted, aborted]);
    expect([...one.rfq.ownBooks.all(server.timers.now())]).toEqual([]);
    expect(await after.quote(5n)).toMatchObject({ refusal: 'sequence' });
    expect(await after.quote(6n)).toEqual({ note: null });
    expect(await seenBy(one)).toMatchObject({ instance: 'other', accepted: 2, lastSequence: 6n });
    expect(store.transitions.map(({ to, cause }) => [to, cause])).toEqual([
      ['prod', 'the swap stream is live'],
      ['offline', 'the swap stream dropped'],
      ['prod', 'the swap stream is live'],
    ]);
    await connect(one);
    expect(after.ends).toEqual([aborted, aborted]);
    expect(await seenBy(other)).toMatchObject({ instance: 'one', connected: true });
  });

  it('returns the reserved numbers when a maker moves', async () => {
    await (await connect(one)).quote(7n);
    expect(store.states.get(ID)?.lastSequence).toBeGreaterThan(7n);
    const { quote } = await connect(other);
    expect(await seenBy(other)).toMatchObject({ accepted: 1, lastSequence: 7n });
    expect(await quote(8n)).toEqual({ note: null });
  });

  it('loses no numbers and no statistics if the previous owner notices the move before it is asked', async () => {
    const before = await connect(one);
    await before.quote(7n);
    server.delay('one');
    const connecting = connect(other);
    await pass(2_000);
    expect(before.ends).toHaveLength(2);
    server.deliver('one');
    const { quote } = await connecting;
    expect(await seenBy(other)).toMatchObject({ instance: 'other', accepted: 1, lastSequence: 7n });
    expect(await quote(8n)).toEqual({ note: null });
    expect(server.defects).toEqual([]);
  });

  it('continues after the reserved numbers if the previous owner does not answer', async () => {
    await (await connect(one)).quote(7n);
    const reserved = store.states.get(ID)?.lastSequence ?? 0n;
    server.cutOff('one');
    const { quote } = await connect(other);
    expect(await seenBy(other)).toMatchObject({ lastSequence: reserved });
    expect(await quote(reserved)).toMatchObject({ refusal: 'sequence' });
    expect(await quote(reserved + 1n)).toEqual({ note: null });
  });

  it('asks about many makers in several requests', async () => {
    const many = Array.from({ length: 120 }, (_, index) => makerRecord(one.chain, index + 2));
    for (const { rfq } of [one, other]) rfq.setRecords(many);
    for (const { id } of many) one.rfq.swapStreams.open(id, PIPE);
    const shown = async () =>
      (await other.rfq.clusterMakers.all()).filter(({ connected }) => connected).length;
    await expect.poll(shown).toBe(120);
  });

  it("keeps a maker's swap stream if its quotes come to another instance, which refuses them", async () => {
    const { ends, quote } = await connect(one);
    const acks: Ack[] = [];
    const misled = other.rfq.quoteStreams.open(ID, { ...PIPE, send: (ack) => acks.push(ack) });
    misled.received(snapshot(server.timers.now(), { sequence: 5n }), 0);
    await expect.poll(() => acks).toMatchObject([{ refusal: 'swap-stream' }]);
    expect(ends).toEqual([]);
    expect(await quote(5n)).toEqual({ note: null });
    expect(await seenBy(other)).toMatchObject({ instance: 'one', accepted: 1 });
  });

  it('does not send a request for each quote that comes to the wrong instance', async () => {
    await connect(one);
    await pass(2_000);
    const acks: Ack[] = [];
    const misled = other.rfq.quoteStreams.open(ID, { ...PIPE, send: (ack) => acks.push(ack) });
    const before = server.claims;
    for (let sequence = 1n; sequence <= 100n; sequence++) {
      misled.received(snapshot(server.timers.now(), { sequence }), 0);
    }
    await expect.poll(() => acks.length).toBe(100);
    expect(acks.at(-1)).toMatchObject({ refusal: 'swap-stream' });
    expect(server.claims).toBe(before);
  });

  it('shows a maker of a killed instance as unknown for a moment, and then as gone', async () => {
    await (await connect(one)).quote(5n);
    server.cutOff('one');
    expect(await seenBy(other)).toMatchObject({ status: 'prod', connected: null, instance: 'one' });
    await pass(LEASE_MS);
    expect(await seenBy(other)).toMatchObject({ status: 'offline', connected: false, instance: null });
  });

  it('lets a maker connect to another instance at once after its own was killed', async () => {
    await (await connect(one)).quote(5n);
    server.cutOff('one');
    const { quote } = await connect(other);
    expect(await quote(5n)).toMatchObject({ refusal: 'sequence' });
    expect(await seenBy(other)).toMatchObject({ status: 'prod', instance: 'other' });
    const causes = store.transitions.map(({ cause }) => cause);
    expect(causes).toContain('the instance that had the swap stream ended');
  });

  it('writes a report at the owner, whichever instance sends it', async () => {
    await connect(one);
    await other.rfq.scoring.missed(ID, 'swap-1');
    await other.rfq.scoring.tampered(ID, 'swap-2', Uint8Array.of(1), Uint8Array.of(2));
    expect(one.rfq.makers.get(ID)).toMatchObject({
      status: 'offline',
      statistics: { missed: 1, tampered: 1 },
    });
    expect(store.states.get(ID)).toMatchObject({ tampered: true });
    await other.rfq.makers.reinstate(ID);
    expect(one.rfq.makers.get(ID)).toMatchObject({ status: 'prod' });
    const newcomer = makerRecord(one.chain, 2);
    one.rfq.setRecords([newcomer]);
    one.rfq.swapStreams.open(newcomer.id, PIPE);
    await expect.poll(() => one.rfq.makers.get(newcomer.id)?.status).toBe('prod');
    other.rfq.trades.ordered([newcomer.id], newcomer.id);
    for (let order = 0; order < 50; order++) other.rfq.trades.ordered([ID], order === 0 ? ID : null);
    await pass(1_000);
    // Also of one that is not known here yet.
    await expect.poll(() => one.rfq.makers.get(newcomer.id)?.statistics).toMatchObject({ won: 1 });
    const volume = { signature: 's', microDollars: 2n ** 60n };
    const [paid, received] = [one, other].map(({ rfq }) => ({
      mint: rfq.makers.get(ID)?.record.address,
      atoms: 1n,
    }));
    other.rfq.trades.traded(ID, { ...volume, paid, received } as Parameters<
      typeof other.rfq.trades.traded
    >[1]);
    await expect
      .poll(() => one.rfq.makers.get(ID)?.statistics)
      .toMatchObject({ considered: 50, won: 1, volume: { microDollars: 2n ** 60n } });
  });

  it('sends a report again if the owner is killed meanwhile', async () => {
    await connect(one);
    server.cutOff('one');
    await expect(other.rfq.makers.reinstate(ID)).rejects.toThrow(Unavailable);
    const told = other.rfq.scoring.missed(ID, 'swap-1');
    await pass(LEASE_MS + 2_000);
    await told;
    expect(store.states.get(ID)).toMatchObject({ statistics: { missed: 1 } });
  });

  it('serves makers without the shared server, and leases them when it is back', async () => {
    server.cutOff('one');
    const { quote, ends } = await connect(one);
    expect(await quote(5n)).toEqual({ note: null });
    expect(await seenBy(one)).toMatchObject({ connected: true, instance: 'one' });
    expect(await seenBy(other)).toMatchObject({ connected: false, instance: null });
    server.restore('one');
    await pass(2_000);
    expect(await seenBy(other)).toMatchObject({ connected: true, instance: 'one' });
    expect(ends).toEqual([]);
    server.cutOff('other');
    expect(await seenBy(other)).toMatchObject({ connected: null, instance: null });
  });

  it('gives up a maker at the first write, if another instance owned it while this one was paused', async () => {
    const before = await connect(one);
    await before.quote(5n);
    server.cutOff('one');
    const between = await connect(other);
    await between.quote(5_000n);
    other.rfq.endStreams(ID, 'UNAVAILABLE', 'the test ends it');
    await expect.poll(() => store.states.get(ID)?.lastSequence).toBe(5_000n);
    server.restore('one');
    await pass(2_000);
    // The lease is free, so the first instance has it again, and nothing notified it of the other one.
    expect(await seenBy(other)).toMatchObject({ connected: true, instance: 'one' });
    expect(await before.quote(3_000n)).toMatchObject({ refusal: 'sequence' });
    await expect.poll(() => before.ends).toHaveLength(2);
    expect(store.states.get(ID)).toMatchObject({ lastSequence: 5_000n });
    expect(await seenBy(other)).toMatchObject({ connected: false, instance: null });
    const again = await connect(one);
    expect(await again.quote(5_000n)).toMatchObject({ refusal: 'sequence' });
    expect(await again.quote(5_001n)).toEqual({ note: null });
    expect(server.defects).toEqual([]);
  });

  it('leaves a maker that connected to two instances to the one with the lease', async () => {
    server.cutOff('one');
    const late = await connect(one);
    const { quote, ends } = await connect(other);
    await quote(9n);
    expect(late.ends).toEqual([]);
    server.restore('one');
    await pass(2_000);
    expect(late.ends).toHaveLength(2);
    expect(ends).toEqual([]);
    // What the late one knew is not written over what the other writes.
    await one.rfq.close();
    await other.rfq.close();
    expect(store.states.get(ID)).toMatchObject({ lastSequence: 9n, statistics: { accepted: 1 } });
    expect(server.defects).toEqual([]);
  });
});

const ID = 'maker-1';
const LEASE_MS = 6_000;
const PIPE = {
  send: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
  unread: () => 0,
  end: () => undefined,
};

async function setUp(): Promise<void> {
  const chain = new MemoryAccounts();
  const open = async (self: string) =>
    openTestRfq({ store, chain, timers: server.timers, peers: await server.peers(self) });
  one = await open('one');
  other = await open('other');
}

/** Both streams of the maker; what it receives when they end is in `ends`. */
async function connect({ rfq, timers }: TestRfq) {
  const ends: string[] = [];
  const acks: Ack[] = [];
  const pipe = { ...PIPE, end: (code: string, reason: string) => ends.push(`${code}: ${reason}`) };
  const swaps = rfq.swapStreams.open(ID, pipe);
  const quotes = rfq.quoteStreams.open(ID, { ...pipe, send: (ack) => acks.push(ack) });
  await expect.poll(() => rfq.makers.get(ID)?.status).toBe('prod');
  const quote = async (sequence: bigint): Promise<Ack | undefined> => {
    const before = acks.length;
    quotes.received(snapshot(timers.now(), { sequence }), 0);
    await expect.poll(() => acks.length).toBe(before + 1);
    return acks.at(-1);
  };
  return { ends, quote, swaps, quotes };
}

const seenBy = async ({ rfq }: TestRfq) => {
  const seen = await rfq.clusterMakers.get(ID);
  if (seen === null) throw new Error('there is no such maker');
  const { maker, connected, instance } = seen;
  const { status, statistics, lastSequence } = maker;
  return { status, connected, instance, accepted: statistics.accepted, lastSequence };
};

/** Time that passes with everything done that it brings about. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    server.timers.advance(1_000);
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  }
}
