import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  fundMaker,
  makerHolds,
  newMaker,
  openMakerSwap,
  SOL,
  type TestMakerSwap,
  USDC,
} from '../../test/genesis-market/makers.ts';
import { base64, MemoryRecords, signing, silent, TestMakers } from '../../test/makers.ts';
import { ChainUnavailable, SendRejected } from '../chain/chain.ts';
import type { FillRecords } from '../rfq/fill-records.ts';
import type { MakerLink } from '../rfq/maker-link.ts';
import { addSignatures, parseTransaction } from '../solana/transaction.ts';
import { executeSwap } from './execute.ts';
import type { ExecuteResponse } from './execute-schema.ts';
import { resumeFills } from './fill-execution.ts';
import type { OrderResponse } from './order-schema.ts';

const SELL = { inputMint: SOL.mint, outputMint: USDC.mint, amount: '1000000000' };
/** Far better than the pools, in either direction. */
const [BID, ASK] = [400_000_000n, 50_000_000n];
const DEPTH = 20_000_000_000n;

const maker = newMaker('one');
const MAKER_ID = `of ${maker.address}`;

let makers: TestMakers;
let records: MemoryRecords;
let swap: TestMakerSwap;

beforeEach(async () => {
  makers = new TestMakers();
  records = new MemoryRecords();
  swap = await openMakerSwap({ makers, records });
  fundMaker(swap.market, maker, SOL, 1_000_000_000_000n);
  fundMaker(swap.market, maker, USDC, 1_000_000_000_000n);
  makers.connect(MAKER_ID, signing(maker));
  stream();
});

function stream(depth = DEPTH) {
  const [bids, asks] = [BID, ASK].map((price) => [{ price, volume: depth }]);
  return makers.stream(maker, { base: SOL, quote: USDC }, bids ?? [], asks ?? []);
}

const labels = (order: {
  readonly routePlan: readonly { readonly swapInfo: { readonly label?: unknown } }[];
}) => order.routePlan.map(({ swapInfo }) => swapInfo.label);

function executeAt(at: TestMakerSwap, order: OrderResponse): Promise<ExecuteResponse> {
  return executeSwap(at.parts, { signedTransaction: swap.sign(order), requestId: order.requestId });
}

describe('last look', () => {
  it('ends after ten seconds without a signature: the quote has expired, and the maker has missed it', async () => {
    makers.connect(MAKER_ID, silent);
    const order = await swap.order(SELL);
    const answer = await swap.execute(order);
    expect(answer).toMatchObject({ status: 'Failed', code: -2003 });
    expect(makers.events).toEqual(['offered', 'missed', 'failed: the maker did not sign within 10 seconds']);
    expect(swap.market.chain.sent).toBe(0);
    const [late] = makers.offered;
    if (late === undefined) throw new Error('nothing was offered');
    expect(makers.submit(MAKER_ID, late.swapUuid, signing(maker)(late) ?? '')).toContain('is over');
    expect(await swap.execute(order)).toEqual(answer);
    expect(swap.market.chain.sent).toBe(0);
  });

  it('rejects another message, and says so', async () => {
    makers.connect(MAKER_ID, ({ transaction }) => {
      const changed = new Uint8Array(transaction);
      // The last byte is data of an instruction or an index, whatever the message.
      changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
      return base64(changed);
    });
    expect(await swap.execute(await swap.order(SELL))).toMatchObject({ status: 'Failed', code: -2004 });
    expect(makers.events.slice(0, 2)).toEqual(['offered', 'tampered']);
    expect(swap.market.chain.sent).toBe(0);
  });

  it('answers what is no signature, or another maker’s swap, with a sentence, and goes on waiting', async () => {
    const stranger = newMaker('two');
    makers.connect(MAKER_ID, (offered) => {
      const { swapUuid, transaction } = offered;
      const good = signing(maker)(offered) ?? '';
      const otherTaker = new Uint8Array(Buffer.from(good, 'base64'));
      otherTaker[1] = (otherTaker[1] ?? 0) ^ 1;
      for (const [id, uuid, text] of [
        [MAKER_ID, swapUuid, 'rubbish!'],
        [MAKER_ID, swapUuid, ''],
        [MAKER_ID, swapUuid, base64(transaction.subarray(3))],
        [MAKER_ID, swapUuid, base64(transaction)],
        [MAKER_ID, swapUuid, base64(otherTaker)],
        [`of ${stranger.address}`, swapUuid, good],
        [MAKER_ID, 'another swap', good],
      ] as const) {
        expect(makers.submit(id, uuid, text)).toEqual(expect.any(String));
      }
      return good;
    });
    expect(await swap.execute(await swap.order(SELL))).toMatchObject({ status: 'Success' });
    expect(makers.events.filter((event) => event.startsWith('refused'))).toHaveLength(7);
    const [{ swapUuid } = { swapUuid: '' }] = makers.offered;
    expect(makers.submit(MAKER_ID, swapUuid, 'again')).toContain('is over: it is confirmed');
  });

  it('does not begin with a maker that is not there, that no longer quotes, or after the order’s time', async () => {
    const order = await swap.order(SELL);
    makers.disconnect(MAKER_ID);
    expect(await swap.execute(order)).toMatchObject({
      code: -2004,
      error: expect.stringMatching(/not connected/),
    });
    makers.connect(MAKER_ID, signing(maker));
    const [late, gone] = [await swap.order(SELL), await swap.order(SELL)];
    makers.withdraw(stream());
    expect(await swap.execute(gone)).toMatchObject({
      code: -2003,
      error: expect.stringMatching(/no longer quotes/),
    });
    stream();
    swap.market.network.setUnixTime(swap.market.chain.clock().unixTimestamp + 36n);
    expect(await swap.execute(late)).toMatchObject({
      code: -2003,
      error: expect.stringMatching(/had to be executed/),
    });
    expect(makers.events).toEqual([]);
    expect(swap.reservations.taken(MAKER_ID, USDC.mint)).toBe(0n);
  });

  it('pushes a swap again to a maker that comes back in time', async () => {
    makers.connect(MAKER_ID, (offered) => {
      if (makers.offered.length > 1) return signing(maker)(offered);
      queueMicrotask(() => {
        makers.disconnect(MAKER_ID);
        makers.connect(MAKER_ID, signing(maker));
      });
      return null;
    });
    expect(await swap.execute(await swap.order(SELL))).toMatchObject({ status: 'Success' });
    expect(makers.offered.map(({ swapUuid }) => swapUuid)).toEqual(['swap 1', 'swap 1']);
  });

  it('does not promise the same inventory twice', async () => {
    stream(1_500_000_000n);
    const [first, second] = [await swap.order(SELL), await swap.order(SELL)];
    let during: OrderResponse | undefined;
    makers.connect(MAKER_ID, (offered) => {
      swap.order(SELL).then((order) => {
        during = order;
      });
      return signing(maker)(offered);
    });
    const answers = await Promise.all([swap.execute(first), swap.execute(second)]);
    expect(answers.map(({ code }) => code).sort()).toEqual([-2004, 0]);
    expect(labels(during as OrderResponse)).not.toEqual(['JupiterRfqV2']);
    expect(makers.offered).toHaveLength(1);
  });
});

describe('a network that does not take the swap', () => {
  it('has it end at the last block height, as a swap with a maker', async () => {
    swap.market.chain.losing = Number.POSITIVE_INFINITY;
    const order = await swap.order(SELL);
    const answer = await swap.execute(order);
    expect(answer).toMatchObject({ status: 'Failed', code: -2000, signature: expect.any(String) });
    expect([...records.rows.values()].map(({ state }) => state)).toEqual(['failed']);
    expect(await swap.execute(order)).toEqual(answer);
  });

  it('has it end at once when it is refused', async () => {
    swap.market.chain.send = () => Promise.reject(new SendRejected('no', 'TooManyAccountLocks'));
    expect(await swap.execute(await swap.order(SELL))).toMatchObject({
      code: -2002,
      error: 'the network refuses the transaction: TooManyAccountLocks',
    });
  });
});

describe('a network that is silent', () => {
  it('leaves the swap to be settled later, without anybody asking again', async () => {
    const { chain } = swap.market;
    const statuses = chain.signatureStatuses.bind(chain);
    chain.signatureStatuses = () => Promise.reject(new ChainUnavailable('silence'));
    const order = await swap.order(SELL);
    expect(await swap.execute(order)).toMatchObject({ code: -2001 });
    expect(swap.reservations.taken(MAKER_ID, USDC.mint)).toBe(BigInt(order.outAmount));
    chain.signatureStatuses = statuses;
    await vi.waitFor(() => expect(makers.events).toContain('filled'));
    await vi.waitFor(() =>
      expect([...records.rows.values()].map(({ state }) => state)).toEqual(['confirmed']),
    );
    expect(await swap.execute(order)).toMatchObject({ code: 0, totalOutputAmount: order.outAmount });
    expect(makers.events.filter((event) => event === 'filled')).toHaveLength(1);
  });
});

describe('a maker that lands by itself what it was to return', () => {
  it('has the taker told what the chain says, and is told so itself', async () => {
    makers.connect(MAKER_ID, ({ transaction }) => {
      const signed = addSignatures(parseTransaction(transaction), [maker]);
      void swap.market.chain.send(signed);
      return null;
    });
    const order = await swap.order(SELL);
    const answer = await swap.execute(order);
    expect(answer).toMatchObject({ code: 0, totalOutputAmount: order.outAmount });
    expect(makers.events.slice(-1)).toEqual([`confirmed ${answer.signature}`]);
    expect([...records.rows.values()].map(({ state }) => state)).toEqual(['confirmed']);
  });
});

describe('a maker that lands by itself when its time is over', () => {
  it('has whoever asks again told so', async () => {
    makers.connect(MAKER_ID, silent);
    const order = await swap.order(SELL);
    const refused = await swap.execute(order);
    expect(refused).toMatchObject({ code: -2003 });
    expect(await swap.execute(order)).toEqual(refused);
    const [offered] = makers.offered;
    if (offered === undefined) throw new Error('nothing was offered');
    await swap.market.chain.send(addSignatures(parseTransaction(offered.transaction), [maker]));
    const { signature } = refused;
    expect(await swap.execute(order)).toMatchObject({
      code: 0,
      signature,
      totalOutputAmount: order.outAmount,
    });
    expect(makers.offered).toHaveLength(1);
    expect(makers.events.filter((event) => event === 'missed')).toHaveLength(1);
    expect(makers.events.at(-1)).toBe(`confirmed ${signature}`);
  });
});

describe('another process', () => {
  /** What one process leaves, as another one finds it that has none of the maker's streams and books. */
  async function elsewhere(leave: (at: TestMakerSwap, order: OrderResponse) => Promise<unknown>) {
    const order = await swap.order(SELL);
    await leave(swap, order);
    const there = new TestMakers();
    const other = await openMakerSwap({ makers: there, market: swap.market, records });
    const stored = await swap.parts.orders.get(order.requestId);
    if (stored !== null) await other.parts.orders.put(stored);
    return { answer: await executeAt(other, order), order, other, there };
  }

  it('lands what the maker has signed, though it could not ask that maker', async () => {
    records.end = () => new Promise<never>(() => {});
    swap.market.chain.send = () => new Promise<never>(() => {});
    const { answer, order, there } = await elsewhere(async (at, order) => {
      void executeAt(at, order);
      await vi.waitFor(() => expect([...records.rows.values()][0]?.state).toBe('landing'));
      Reflect.deleteProperty(swap.market.chain, 'send');
      Reflect.deleteProperty(records, 'end');
    });
    expect(answer).toMatchObject({ code: 0, totalOutputAmount: order.outAmount });
    expect(there.events).toContain(`confirmed ${answer.signature}`);
  });

  it('gives the answer that is recorded, though the maker is not there any more', async () => {
    const { answer, there } = await elsewhere((at, order) => executeAt(at, order));
    expect(answer).toMatchObject({ code: 0 });
    expect(there.events).toEqual([]);
  });

  it('refuses what nobody began, and records nothing', async () => {
    const { answer } = await elsewhere(async () => undefined);
    expect(answer).toMatchObject({ code: -2003, error: expect.stringContaining('no longer quotes') });
    expect(records.rows.size).toBe(0);
  });
});

describe('a database that does not say what it wrote', () => {
  it('leaves a signature that is there after all to be landed', async () => {
    const sign = records.sign.bind(records);
    records.sign = async (uuid, signed) => {
      await sign(uuid, signed);
      throw new Error('the connection is gone');
    };
    const order = await swap.order(SELL);
    expect(await swap.execute(order)).toMatchObject({ code: 0, totalOutputAmount: order.outAmount });
    expect([...records.rows.values()].map(({ state }) => state)).toEqual(['confirmed']);
    expect(makers.events.filter((event) => event === 'filled')).toHaveLength(1);
    expect(swap.reservations.taken(MAKER_ID, USDC.mint)).toBe(BigInt(order.outAmount));
  });
});

describe('a process that is killed when everything is done', () => {
  it('may not have told the maker: the next one does, and counts nothing again', async () => {
    const order = await swap.order(SELL);
    const answer = await swap.execute(order);
    const before = [...makers.events];
    const after = await openMakerSwap({ makers, market: swap.market, records });
    await resumeFills(after.parts);
    expect(makers.events).toEqual([...before, `confirmed ${answer.signature}`]);
    expect(after.reservations.taken(MAKER_ID, USDC.mint)).toBe(0n);
  });
});

describe('a process that is killed', () => {
  const never = () => new Promise<never>(() => {});

  type Kill = (
    records: MemoryRecords,
    at: TestMakerSwap,
  ) => { readonly records?: Partial<FillRecords>; readonly link?: Partial<MakerLink> };

  /** What stops at each step, for ever; and what the taker is told afterwards. */
  const STEPS: readonly (readonly [string, Kill, number])[] = [
    [
      'before the push',
      (kept) => ({
        records: {
          begin: async (record) => {
            await kept.begin(record);
            return never();
          },
        },
      }),
      0,
    ],
    ['after the push', () => ({ link: { offer: (offered) => makers.offered.push(offered) > 0 } }), -2003],
    ['after the maker has signed', () => ({ records: { sign: never } }), 0],
    [
      'before the transaction is sent',
      (_, { market }) => {
        market.chain.send = never;
        return {};
      },
      0,
    ],
    [
      'after it is sent',
      (_, { market }) => {
        const { chain } = market;
        const send = Object.getPrototypeOf(chain).send.bind(chain);
        chain.send = async (wire: Uint8Array) => {
          await send(wire);
          return never();
        };
        return {};
      },
      0,
    ],
    ['before the end is recorded', () => ({ records: { end: never } }), 0],
  ];

  it.each(STEPS)('%s leaves one answer for taker, maker and chain', async (_, kill, code) => {
    const { market } = swap;
    const stops = kill(records, swap);
    const bound = <T extends object>(real: T, replaced: Partial<T> = {}): T =>
      new Proxy(real, {
        get: (target, name) => {
          const value = Reflect.get(replaced, name) ?? Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    const killed = await openMakerSwap({
      ...{ makers, market, records: bound<FillRecords>(records, stops.records) },
      link: bound<MakerLink>(makers, stops.link),
    });
    const order = await killed.order(SELL);
    let told: unknown = 'nothing';
    executeAt(killed, order).then((answer) => {
      told = answer;
    });
    for (let turn = 0; turn < 40; turn++) await new Promise(setImmediate);

    Reflect.deleteProperty(market.chain, 'send');
    const after = await openMakerSwap({ makers, market, records });
    await resumeFills(after.parts);
    const answer = await executeAt(after, order);
    expect(answer.code).toBe(code);
    if (told !== 'nothing') expect(told).toMatchObject({ code });
    const landed = await market.chain.signatureStatuses([answer.signature ?? '']);
    expect(landed[0] === null).toBe(code !== 0);
    expect(makers.events.some((event) => event === `confirmed ${answer.signature}`)).toBe(code === 0);
    expect([...records.rows.values()].map(({ state }) => state)).toEqual([
      code === 0 ? 'confirmed' : 'expired',
    ]);
    const spent = makerHolds(market, maker, USDC);
    expect(1_000_000_000_000n - spent).toBe(code === 0 ? BigInt(order.outAmount) : 0n);
    const [offered] = makers.offered;
    if (offered !== undefined && code !== 0) {
      const signed = base64(addSignatures(parseTransaction(offered.transaction), [maker]));
      expect(makers.submit(MAKER_ID, offered.swapUuid, signed)).toEqual(expect.any(String));
    }
    expect(await executeAt(after, order)).toEqual(answer);
    expect(makerHolds(market, maker, USDC)).toBe(spent);
  });
});
