import { beforeEach, describe, expect, it } from 'vitest';
import { openForEach } from '../../testing/opened.ts';
import { TestCluster } from '../../testing/rfq/owners.ts';
import {
  MemoryAccounts,
  MemoryMakerStore,
  makerRecord,
  openTestRfq,
  snapshot,
  type TestRfq,
  type USDC,
} from '../../testing/rfq/test-rfq.ts';
import { yieldToOtherWork } from '../../testing/waits.ts';
import type { Ack } from '../books/quotes.ts';
import type { QuoteStream } from '../streams/quote-streams.ts';

let one: TestRfq;
let other: TestRfq;
const server = openForEach(() => new TestCluster());
const store = openForEach(() => new MemoryMakerStore());
beforeEach(setUp);

describe('a maker that the operator removes', () => {
  it('loses its streams and its books at once, and its lease', async () => {
    const { quotes, ends, acks } = await connect(one);
    await receive(quotes, acks, 5n);
    expect(books(one)).toBe(1);
    remove(one);
    expect(ends).toEqual([REMOVED, REMOVED]);
    expect([books(one), one.rfq.makers.get(ID)]).toEqual([0, null]);
    await expect.poll(holder).toBeNull();
    expect(server.defects).toEqual([]);
  });

  it('starts from nothing if it is added again under the same id, even at once', async () => {
    const before = await connect(one);
    await receive(before.quotes, before.acks, 5n);
    remove(one);
    one.rfq.setRecords([makerRecord(one.chain, 1, { createdAt: 1 })]);
    const { quotes, acks } = await connect(one);
    expect(one.rfq.makers.get(ID)).toMatchObject({ lastSequence: 0n, statistics: { accepted: 0 } });
    await receive(quotes, acks, 1n);
    expect(acks).toEqual([{ note: null }]);
    // The end of the earlier ownership has not taken the lease from the new one.
    await pass(2_000);
    expect(await holder()).toBe('one');
    expect(one.rfq.makers.get(ID)).toMatchObject({ status: 'prod', statistics: { accepted: 1 } });
  });

  it('starts from nothing also at an instance that loaded its earlier state', async () => {
    const { quotes, acks } = await connect(one);
    await receive(quotes, acks, 5n);
    await one.rfq.close();
    const next = await openTestRfq({ store, chain: one.chain, timers: server.timers });
    expect(next.rfq.makers.get(ID)).toMatchObject({ lastSequence: 5n, statistics: { accepted: 1 } });
    remove(next);
    next.rfq.setRecords([makerRecord(next.chain, 1, { createdAt: 1 })]);
    expect(next.rfq.makers.get(ID)).toMatchObject({ lastSequence: 0n, statistics: { accepted: 0 } });
  });

  it('leaves no lease if it is removed while its instance becomes the owner', async () => {
    const release = holdAcquisition();
    const ends: string[] = [];
    one.rfq.swapStreams.open(ID, { ...PIPE, end: (code, reason) => ends.push(`${code}: ${reason}`) });
    await expect.poll(holder).toBe('one');
    remove(one);
    expect(ends[0]).toBe(REMOVED);
    release();
    await expect.poll(holder).toBeNull();
    await pass(6_000);
    expect(await holder()).toBeNull();
  });

  it('leaves no lease if it is removed while what it did is being written', async () => {
    const release = holdAcquisition();
    const told = one.rfq.scoring.missed(ID, 'swap-1');
    await expect.poll(holder).toBe('one');
    remove(one);
    release();
    await told;
    await expect.poll(holder).toBeNull();
    expect(server.defects).toEqual([]);
  });

  it('is refused a snapshot that was on its way, and none of its books comes back', async () => {
    const { quotes, acks } = await connect(one);
    const { getAccounts } = one.chain;
    let read: () => void = () => {};
    const reading = new Promise<void>((resolve) => {
      read = resolve;
    });
    one.chain.getAccounts = async (addresses) => {
      await reading;
      return getAccounts.call(one.chain, addresses);
    };
    quotes.received(snapshot(server.timers.now(), { sequence: 5n }), 0);
    remove(one);
    read();
    await expect.poll(() => acks).toEqual([{ refusal: 'status', message: 'the operator removed the maker' }]);
    expect(books(one)).toBe(0);
    expect(server.defects).toEqual([]);
  });

  it('leaves the market of the other instances with the books of its own', async () => {
    const { quotes, acks } = await connect(one);
    await receive(quotes, acks, 5n);
    const seen = () => [...other.rfq.allBooks.all(server.timers.now())].length;
    await pass(200);
    expect(seen()).toBe(1);
    remove(one);
    await pass(200);
    expect(seen()).toBe(0);
  });
});

describe('a maker whose removal the store shows before the records are read', () => {
  it('keeps its streams until the records are read, and loses them with that reason', async () => {
    let finish: () => void = () => {};
    const reading = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { ends } = await writeRemoved(() => reading);
    expect(ends).toEqual([]);
    finish();
    await expect.poll(() => ends).toEqual([REMOVED, REMOVED]);
  });

  it('loses its streams also if the records cannot be read', async () => {
    const { ends, defects } = await writeRemoved(() => Promise.reject(new Error('no answer')));
    await expect.poll(() => ends).toEqual([REMOVED, REMOVED]);
    expect(defects).toEqual(['makers: Error: no answer']);
  });

  it('loses its swap stream with that reason if the store refuses it an owner', async () => {
    Object.assign(store, { acquire: () => Promise.reject(new Error('there is no such maker')) });
    const instance: TestRfq = await openTestRfq({
      store,
      timers: server.timers,
      refreshMakers: async () => instance.rfq.removeMakers([ID]),
    });
    const ends: string[] = [];
    instance.rfq.swapStreams.open(ID, { ...PIPE, end: (code, reason) => ends.push(`${code}: ${reason}`) });
    await expect.poll(() => ends).toEqual([REMOVED]);
  });

  it('leaves another maker its streams that was added under the same id meanwhile', async () => {
    let later: readonly string[] | null = null;
    const { ends } = await writeRemoved(async (instance) => {
      instance.rfq.removeMakers([ID]);
      instance.rfq.setRecords([makerRecord(instance.chain, 1, { createdAt: 1 })]);
      const connected = await connect(instance);
      later = connected.ends;
    });
    await expect.poll(() => later).toEqual([]);
    await yieldToOtherWork();
    expect({ ends, later }).toEqual({ ends: [REMOVED, REMOVED], later: [] });
  });
});

describe('a maker whose pairs are narrowed', () => {
  it('keeps its book of a pair that is left, and loses the others at once', async () => {
    const { quotes, acks } = await connect(one);
    await receive(quotes, acks, 5n);
    const { base, quote } = [...one.rfq.ownBooks.all(server.timers.now())][0] ?? {};
    const [sol, usdc] = [base?.mint, quote?.mint] as [typeof USDC, typeof USDC];
    one.rfq.setRecords([makerRecord(one.chain, 1, { pairs: [{ base: sol, quote: usdc }] })]);
    expect(books(one)).toBe(1);
    one.rfq.setRecords([makerRecord(one.chain, 1, { pairs: [{ base: usdc, quote: sol }] })]);
    expect(books(one)).toBe(0);
    expect(one.rfq.makers.get(ID)?.status).toBe('prod');
    await receive(quotes, acks, 6n);
    expect(acks.at(-1)).toMatchObject({ refusal: 'pair' });
    one.rfq.setRecords([makerRecord(one.chain)]);
    await receive(quotes, acks, 7n);
    expect([acks.at(-1), books(one)]).toEqual([{ note: null }, 1]);
  });
});

const ID = 'maker-1';
const REMOVED = `UNAUTHENTICATED: the operator removed the maker ${ID}`;
const PIPE = { send: () => {}, pause: () => {}, resume: () => {}, unread: () => 0, end: () => {} };

async function setUp(): Promise<void> {
  const chain = new MemoryAccounts();
  const open = async (self: string) =>
    openTestRfq({ store, chain, timers: server.timers, peers: await server.peers(self) });
  one = await open('one');
  other = await open('other');
}

/** As the refresh after the maker was deleted from the database. */
function remove({ rfq }: TestRfq): void {
  store.forget({ id: ID, createdAt: 0 });
  rfq.removeMakers([ID]);
}

/** Lets an instance write the state of a maker after it was deleted from the database. */
async function writeRemoved(refreshMakers: (instance: TestRfq) => Promise<void>) {
  const defects: string[] = [];
  const instance: TestRfq = await openTestRfq({
    store,
    timers: server.timers,
    refreshMakers: () => refreshMakers(instance),
    onDefect: (where, error) => void defects.push(`${where}: ${error}`),
  });
  const { quotes, ends, acks } = await connect(instance);
  store.forget({ id: ID, createdAt: 0 });
  // The number of the first snapshot is written before it is accepted.
  await receive(quotes, acks, 1n);
  return { ends, defects };
}

/** The instance that has the maker's lease, as the other one is told. */
function holder(): Promise<string | null> {
  return other.rfq.owners.findOwner(ID);
}

function books({ rfq }: TestRfq): number {
  return [...rfq.ownBooks.all(server.timers.now())].length;
}

/** Makes the store answer acquisitions only after the returned function is called. */
function holdAcquisition(): () => void {
  const { acquire } = store;
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  Object.assign(store, {
    acquire: async (fresh: Parameters<typeof acquire>[0]) => {
      await held;
      return acquire(fresh);
    },
  });
  return release;
}

async function connect({ rfq }: TestRfq) {
  const ends: string[] = [];
  const acks: Ack[] = [];
  const pipe = { ...PIPE, end: (code: string, reason: string) => void ends.push(`${code}: ${reason}`) };
  rfq.swapStreams.open(ID, pipe);
  const quotes = rfq.quoteStreams.open(ID, { ...pipe, send: (ack) => void acks.push(ack) });
  await expect.poll(() => rfq.makers.get(ID)?.status).toBe('prod');
  return { quotes, ends, acks };
}

async function receive(quotes: QuoteStream, acks: readonly Ack[], sequence: bigint): Promise<void> {
  const before = acks.length;
  quotes.received(snapshot(server.timers.now(), { sequence }), 0);
  await expect.poll(() => acks.length).toBe(before + 1);
}

/** Lets the time of both instances pass, and what it causes happen. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    server.timers.advance(100);
    await yieldToOtherWork();
  }
}
