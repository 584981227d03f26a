import { describe, expect, it, vi } from 'vitest';
import {
  getMakerBalance,
  openMakerSwap,
  type TestMakerSwap,
  USDC,
} from '../../../testing/genesis-market/makers.ts';
import { HELD, MAKER, MAKER_ID, openOneMakerSwap, SELL } from '../../../testing/genesis-market/one-maker.ts';
import { base64, type MemoryRecords, TestMakers } from '../../../testing/rfq/makers.ts';
import type { FillRecords } from '../../../rfq/fills/fill-records.ts';
import type { MakerLink } from '../../../rfq/streams/maker-link.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { addSignatures, parseTransaction } from '../../../solana/messages/transaction.ts';
import type { OrderResponse } from '../endpoints/order.ts';
import { openForEach } from '../../../testing/opened.ts';

const { swap, makers, records } = openForEach(openOneMakerSwap);

describe('MakerFills.resume in another process', () => {
  it('lands what the maker has signed, though the maker is not connected', async () => {
    records.end = () => new Promise<never>(() => {});
    swap.market.chain.send = () => new Promise<never>(() => {});
    const { answer, order, there } = await elsewhere(async (at, order) => {
      void at.execute(order);
      await vi.waitFor(() => expect([...records.rows.values()][0]?.state).toBe('landing'));
      Reflect.deleteProperty(swap.market.chain, 'send');
      Reflect.deleteProperty(records, 'end');
    });
    expect(answer).toMatchObject({ code: 0, totalOutputAmount: order.outAmount });
    expect(there.events).toContain(`confirmed ${answer.signature}`);
  });

  it('returns the recorded answer, though the maker is away', async () => {
    const { answer, there } = await elsewhere((at, order) => at.execute(order));
    expect(answer).toMatchObject({ code: 0 });
    expect(there.events).toEqual([]);
  });

  it('refuses a fill that was never begun, and records nothing', async () => {
    const { answer } = await elsewhere(async () => undefined);
    expect(answer).toMatchObject({ code: -2003, error: expect.stringContaining('no longer quotes') });
    expect(records.rows.size).toBe(0);
  });

  /** What one process leaves behind, seen by another one without the maker's streams and order books. */
  async function elsewhere(leave: (at: TestMakerSwap, order: OrderResponse) => Promise<unknown>) {
    const order = await swap.order(SELL);
    await leave(swap, order);
    const there = new TestMakers();
    const other = await openMakerSwap({ makers: there, market: swap.market, records });
    const stored = await swap.composed.orders.get(order.requestId);
    if (stored !== null) await other.composed.orders.put(stored);
    return { answer: await other.execute(order), order, other, there };
  }
});

describe('a database that does not acknowledge a write', () => {
  it('keeps a signature that was stored, which is then landed', async () => {
    const sign = records.sign.bind(records);
    records.sign = async (uuid, signed) => {
      await sign(uuid, signed);
      throw new Error('the connection is gone');
    };
    const order = await swap.order(SELL);
    expect(await swap.execute(order)).toMatchObject({ code: 0, totalOutputAmount: order.outAmount });
    expect([...records.rows.values()].map(({ state }) => state)).toEqual(['confirmed']);
    expect(makers.events.filter((event) => event === 'filled')).toHaveLength(1);
    expect(swap.reservations.reserved(MAKER_ID, USDC.mint)).toBe(BigInt(order.outAmount));
  });
});

describe('a process that is killed after a fill has ended', () => {
  it('may not have notified the maker: the next process does, and counts nothing twice', async () => {
    const order = await swap.order(SELL);
    const answer = await swap.execute(order);
    const before = [...makers.events];
    const after = await openMakerSwap({ makers, market: swap.market, records });
    await after.composed.makerFills?.resume(after.composed.orders);
    expect(makers.events).toEqual([...before, `confirmed ${answer.signature}`]);
    expect(after.reservations.reserved(MAKER_ID, USDC.mint)).toBe(0n);
  });
});

describe('a process that is killed', () => {
  const never = () => new Promise<never>(() => {});

  /** The steps at which a process stops for good, and the code that the taker gets afterwards. */
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
    [
      'after the record, while the swap is simulated',
      (_, { market }) => ({
        onOrder: () => {
          market.chain.simulate = never;
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

  it.each(STEPS)('%s: taker, maker and chain agree in the end', async (_, kill, code) => {
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
      makers,
      market,
      records: bound<FillRecords>(records, stops.records),
      link: bound<MakerLink>(makers, stops.link),
    });
    const order = await killed.order(SELL);
    stops.onOrder?.();
    let told: unknown = 'nothing';
    killed.execute(order).then((answer) => {
      told = answer;
    });
    for (let turn = 0; turn < 40; turn++) await new Promise(setImmediate);

    Reflect.deleteProperty(market.chain, 'send');
    Reflect.deleteProperty(market.chain, 'simulate');
    const after = await openMakerSwap({ makers, market, records });
    await after.composed.makerFills?.resume(after.composed.orders);
    const answer = await after.execute(order);
    expect(answer.code).toBe(code);
    if (told !== 'nothing') expect(told).toMatchObject({ code });
    const landed = await market.chain.signatureStatuses([answer.signature ?? '']);
    expect(landed[0] === null).toBe(code !== 0);
    expect(makers.events.some((event) => event === `confirmed ${answer.signature}`)).toBe(code === 0);
    expect([...records.rows.values()].map(({ state }) => state)).toEqual([
      code === 0 ? 'confirmed' : 'expired',
    ]);
    const spent = getMakerBalance(market, MAKER, USDC);
    expect(HELD - spent).toBe(code === 0 ? BigInt(order.outAmount) : 0n);
    const [offered] = makers.offered;
    if (offered !== undefined && code !== 0) {
      const signed = base64(addSignatures(parseTransaction(offered.transaction), [MAKER]));
      expect(makers.submit(MAKER_ID, offered.swapUuid, signed)).toEqual(expect.any(String));
    }
    expect(await after.execute(order)).toEqual(answer);
    expect(getMakerBalance(market, MAKER, USDC)).toBe(spent);
  });

  it.each([
    ['while the swap is simulated', (kept: MemoryRecords) => kept],
    [
      'before the record of a refused swap is removed',
      (kept: MemoryRecords) => Object.assign(Object.create(kept), { discard: never }) as MemoryRecords,
    ],
  ])('%s, does not push a swap whose taker can no longer pay', async (_, keptBy) => {
    const { market, wallet } = swap;
    const killed = await openMakerSwap({ makers, market, records: keptBy(records) });
    const order = await killed.order(SELL);
    const lamports = market.network.account(wallet.address)?.lamports ?? 0n;
    const keeps = (left: bigint) =>
      market.network.setAccount(wallet.address, {
        lamports: left,
        owner: SYSTEM_PROGRAM,
        data: new Uint8Array(0),
        executable: false,
        rentEpoch: 0n,
      });
    keeps(1n);
    if (keptBy(records) === records) market.chain.simulate = never;
    void killed.execute(order);
    await vi.waitFor(() => expect([...records.rows.values()]).toMatchObject([{ state: 'offered' }]));
    for (let turn = 0; turn < 40; turn++) await new Promise(setImmediate);

    Reflect.deleteProperty(market.chain, 'simulate');
    const after = await openMakerSwap({ makers, market, records });
    await after.composed.makerFills?.resume(after.composed.orders);
    expect(await after.execute(order)).toMatchObject({
      code: -2004,
      error: expect.stringMatching(/would fail/),
    });
    keeps(lamports);
    expect(await after.execute(order)).toMatchObject({ code: -2004 });
    expect(makers.offered).toEqual([]);
    expect([...records.rows.values()]).toMatchObject([{ state: 'expired' }]);
    expect(after.reservations.reserved(MAKER_ID, USDC.mint)).toBe(0n);
  });

  type Kill = (
    records: MemoryRecords,
    at: TestMakerSwap,
  ) => {
    readonly records?: Partial<FillRecords>;
    readonly link?: Partial<MakerLink>;
    /** Called when the taker has its order. */
    readonly onOrder?: () => void;
  };
});
