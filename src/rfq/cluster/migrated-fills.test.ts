import { beforeEach, describe, expect, it } from 'vitest';
import { LAST_LOOK_MS } from '../fills/fill-results.ts';
import { TestServer } from './owners-for-tests.ts';
import type { LastLook, OfferedSwap, SubmittedSwap } from '../streams/maker-link.ts';
import {
  MemoryAccounts,
  MemoryMakerStore,
  makerRecord,
  openTestRfq,
  type TestRfq,
} from '../rfq-for-tests.ts';
import type { SwapMessage } from '../streams/swap-streams.ts';

const ID = 'maker-1';
const SWAP: OfferedSwap = { swapUuid: 'swap', makerId: ID, transaction: Uint8Array.of(1, 2, 3) };

/** Whoever settles the swaps of an instance. */
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

let server: TestServer;
let one: TestRfq & { readonly settling: Settling };
let other: TestRfq & { readonly settling: Settling };

beforeEach(async () => {
  server = new TestServer();
  const [store, chain] = [new MemoryMakerStore(), new MemoryAccounts()];
  const open = async (self: string) => {
    const settling = new Settling();
    const test = await openTestRfq({
      store,
      chain,
      timers: server.timers,
      others: await server.others(self),
    });
    test.rfq.settleBy(settling);
    return { ...test, settling };
  };
  [one, other] = [await open('one'), await open('other')];
});

/** The swap stream of a maker, without what every stream begins with. */
async function connect({ rfq }: TestRfq, id = ID) {
  const got: SwapMessage[] = [];
  const stream = rfq.swapStreams.open(id, {
    send: (message) => got.push(message),
    end: () => undefined,
    unread: () => 0,
  });
  if (stream === null) throw new Error('too many streams were opened');
  await expect.poll(() => rfq.makers.get(id)?.status).toBe('prod');
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

describe('a swap whose maker moves to another instance', () => {
  it('is pushed there, and what comes back is settled where it was offered', async () => {
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
    one.rfq.link.confirmed(ID, 'swap', 'signature');
    await expect.poll(told).toContainEqual({ kind: 'confirmed', swapUuid: 'swap', signature: 'signature' });
    expect(other.settling.returned).toEqual([]);
    // What is over is for the instance itself to say.
    submit('again');
    expect(other.settling.returned).toHaveLength(1);
    expect(server.defects).toEqual([]);
  });

  it('is pushed to one that left first and came to the other seconds later, and to its next stream', async () => {
    const before = await connect(one);
    before.stream.closed();
    await one.rfq.makers.ownership.gone(ID);
    one.settling.waiting.push(SWAP);
    one.rfq.link.failed(ID, 'earlier', 'it failed');
    const { told } = await connect(other);
    expect(told()).toEqual([]);
    await pass(2_000);
    expect(told()).toEqual([OFFERED, { kind: 'error', swapUuid: 'earlier', text: 'it failed' }]);
    const next = await connect(other);
    expect(next.told()).toContainEqual(OFFERED);
    await pass(LAST_LOOK_MS);
    expect((await connect(other)).told()).not.toContainEqual(OFFERED);
  });

  it('is the maker’s that it was offered to', async () => {
    await connect(one);
    one.settling.waiting.push(SWAP);
    const { told } = await connect(other);
    await expect.poll(told).toEqual([OFFERED]);
    other.rfq.take([makerRecord(other.chain, 2)]);
    const stranger = await connect(other, 'maker-2');
    stranger.submit('signed');
    expect(other.settling.returned).toEqual([
      { makerId: 'maker-2', swapUuid: 'swap', signedTransaction: 'signed' },
    ]);
    expect(one.settling.returned).toEqual([]);
  });

  it('waits on, and its maker is told so, when the instance that offered it does not answer', async () => {
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
    one.rfq.link.confirmed(ID, 'swap', 'signature');
    server.mend('one');
    other.rfq.endStreams(ID, 'UNAVAILABLE', 'the test ends it');
    await pass(2_000);
    expect((await connect(one)).told()).toContainEqual(expect.objectContaining({ kind: 'confirmed' }));
  });

  it('is not pushed again by the instance from which this one has taken it over', async () => {
    await connect(one);
    one.settling.waiting.push(SWAP);
    // This instance went on with the swap while the other one stood still, and pushed it to the maker.
    other.settling.known.add('swap');
    other.settling.waiting.push(SWAP);
    const { told } = await connect(other);
    await pass(3_000);
    expect(told()).toEqual([OFFERED]);
  });

  it('is not pushed again by the instance that takes it over, which settles it from then on', async () => {
    await connect(one);
    one.settling.waiting.push(SWAP);
    const { submit, told } = await connect(other);
    await expect.poll(told).toEqual([OFFERED]);
    expect(other.rfq.link.offer(SWAP)).toBe(true);
    expect(told()).toEqual([OFFERED]);
    submit('signed');
    expect(other.settling.returned).toHaveLength(1);
    expect(one.settling.returned).toEqual([]);
  });

  it('is handed on once at a time, however often the maker submits it, and also when its time is over', async () => {
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
