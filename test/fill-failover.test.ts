import postgres from 'postgres';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keepFills } from '../src/rfq/records/recorded-fills.ts';
import type { FillRecords } from '../src/rfq/fills/fill-records.ts';
import { openStore } from '../src/store/index.ts';
import { TEST_MIGRATIONS } from '../src/testing/store/test-tables.ts';
import { createTestDatabase, STORES } from '../src/testing/store/test-store.ts';
import type { OrderResponse } from '../src/products/swap/endpoints/order.ts';
import {
  getMakerBalance,
  openMakerSwap,
  type TestMakerSwap,
  USDC,
} from '../src/testing/genesis-market/makers.ts';
import { HELD, MAKER, MAKER_ID, openOneMakerSwap, SELL } from '../src/testing/genesis-market/one-maker.ts';
import type { TestMakers } from '../src/testing/rfq/makers.ts';
import { now } from '../src/testing/waits.ts';
import { openForEach } from '../src/testing/opened.ts';

describe.runIf(STORES.includes('postgresql'))('PostgreSQL that fails over in the middle of a fill', () => {
  let records: FillRecords;
  let swap: TestMakerSwap;
  let makers: TestMakers;
  let order: OrderResponse;
  const database = openForEach(() => createTestDatabase(), 'drop');
  const store = openForEach(
    () => openStore({ url: database.url, folder: '', migrations: TEST_MIGRATIONS }),
    'close',
  );
  beforeEach(setUp);

  it('leaves one truth for taker, maker and chain, and is not answered with a 503', async () => {
    // The maker signs what it is pushed, and the signature meets the replica.
    expect(await swap.execute(order)).toMatchObject({ status: 'Failed', code: -2001 });
    expect(makers.events.filter((event) => /^(confirmed|failed)/.test(event))).toEqual([]);
    await failOver('primary');
    makers.connect(MAKER_ID, () => null);
    await vi.waitFor(async () => {
      await swap.execute(order);
      const record = await records.byRequest(order.requestId);
      expect(record?.answer).not.toBeNull();
    }, WAIT);
    const answer = await swap.execute(order);
    const isMade = answer.code === 0;
    const record = await records.byRequest(order.requestId);
    expect(record?.state).toBe(isMade ? 'confirmed' : 'expired');
    expect(HELD - getMakerBalance(swap.market, MAKER, USDC)).toBe(isMade ? BigInt(order.outAmount) : 0n);
    // The maker hears of the end when it is recorded, which a taker that asks in between finds before.
    await vi.waitFor(() => {
      const confirmed = makers.events.filter((event) => event.startsWith('confirmed'));
      const failed = makers.events.filter((event) => event.startsWith('failed'));
      expect([confirmed.length > 0, failed.length > 0]).toEqual([isMade, !isMade]);
    }, WAIT);
  });

  async function setUp(): Promise<void> {
    const kept = keepFills(store, now, (error) => {
      throw error;
    });
    records = {
      ...kept,
      begin: async (record) => {
        const isNew = await kept.begin(record);
        await failOver('replica');
        return isNew;
      },
    };
    const one = await openOneMakerSwap();
    makers = one.makers;
    swap = await openMakerSwap({ makers, records, market: one.swap.market });
    order = await swap.order(SELL);
  }

  /** Ends every connection; new ones meet a server that can be written, or a replica. */
  async function failOver(to: 'replica' | 'primary'): Promise<void> {
    const own = postgres(database.url, { max: 1, onnotice: () => undefined });
    await own`set default_transaction_read_only = off`;
    const { pathname } = new URL(database.url);
    const isReplica = to === 'replica' ? 'on' : 'off';
    await own.unsafe(`alter database ${pathname.slice(1)} set default_transaction_read_only = ${isReplica}`);
    await own`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    await own.end();
  }
});

const WAIT = { interval: 20 };
