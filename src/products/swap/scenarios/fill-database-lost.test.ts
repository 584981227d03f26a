import { beforeEach, expect, it, vi } from 'vitest';
import {
  getMakerBalance,
  openMakerSwap,
  type TestMakerSwap,
  USDC,
} from '../../../testing/genesis-market/makers.ts';
import { HELD, MAKER, MAKER_ID, openOneMakerSwap, SELL } from '../../../testing/genesis-market/one-maker.ts';
import { MemoryRecords, signing, type TestMakers } from '../../../testing/rfq/makers.ts';
import type { SwapFailed } from '../../../swaps/orders/execution-result.ts';
import type { FillRecord } from '../../../rfq/fills/fill-records.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import type { OrderResponse } from '../endpoints/order.ts';

let makers: TestMakers;
let records: LosableRecords;
let swap: TestMakerSwap;
let order: OrderResponse;
beforeEach(setUp);

it('answers -2001 while the database is away, also to a repeated request, and notifies the maker of nothing', async () => {
  for (let request = 0; request < 3; request++) {
    expect(await swap.execute(order)).toMatchObject({ status: 'Failed', code: -2001 });
  }
  expect(told()).toEqual([]);
  expect(swap.market.chain.sent).toBe(0);
});

it('notifies the maker once that the swap was not made, when that is recorded, without another request', async () => {
  expect(await swap.execute(order)).toMatchObject({ code: -2001 });
  expect(states()).toEqual(['offered']);
  records.isLost = false;
  await vi.waitFor(() => expect(states()).toEqual(['expired']));
  await vi.waitFor(() => expect(told()).toEqual(['failed: the service could not record the swap']));
  expect(makers.events).not.toContain('missed');
  expect(await swap.execute(order)).toMatchObject({ status: 'Failed', code: -2001 });
  expect(makers.offered).toHaveLength(1);
  expect(spent()).toBe(0n);
  expect(swap.reservations.reserved(MAKER_ID, USDC.mint)).toBe(0n);
});

it('answers for good that the swap was not made once it can no longer land, and never records that it is unknown', async () => {
  expect(await swap.execute(order)).toMatchObject({ code: -2001 });
  records.isLost = false;
  await vi.waitFor(() => expect(states()).toEqual(['expired']));
  const [record] = records.rows.values();
  expect(record?.answer).toMatchObject({ code: -2000 });
  // Until then the maker may still land it.
  const open = await swap.execute(order);
  expect(open).toMatchObject({ code: -2001, error: 'the swap could not be recorded' });
  swap.market.chain.pass(200n);
  const ended = await swap.execute(order);
  expect(ended).toMatchObject({
    status: 'Failed',
    code: -2000,
    error: 'the swap could not be recorded, and its transaction can no longer land',
  });
  expect(await swap.execute(order)).toEqual(ended);
});

it('answers so too if an earlier version has recorded that it is unknown', async () => {
  expect(await swap.execute(order)).toMatchObject({ code: -2001 });
  records.isLost = false;
  await vi.waitFor(() => expect(states()).toEqual(['expired']));
  for (const row of records.rows.values()) {
    const answer = { ...(row.answer as SwapFailed), code: -2001 };
    records.rows.set(row.swapUuid, { ...row, answer });
  }
  swap.market.chain.pass(200n);
  const restarted = await openMakerSwap({ makers, records, market: swap.market });
  expect(await restarted.execute(order)).toMatchObject({ status: 'Failed', code: -2000 });
});

it('lands what was recorded although the write failed, and notifies the maker of nothing else', async () => {
  records.writes = true;
  const end = records.end.bind(records);
  // The end of the swap is not recorded while the database is away.
  records.end = (...asked) => (records.isLost ? Promise.reject(new Unavailable('away')) : end(...asked));
  expect(await swap.execute(order)).toMatchObject({ code: -2001 });
  expect(states()).toEqual(['landing']);
  records.isLost = false;
  await vi.waitFor(() => expect(states()).toEqual(['confirmed']));
  const answer = await swap.execute(order);
  expect(answer).toMatchObject({ status: 'Success', code: 0, totalOutputAmount: order.outAmount });
  expect(told()).toEqual([`confirmed ${answer.signature}`]);
  expect(spent()).toBe(BigInt(order.outAmount));
});

/**
 * Records of a database that is away while `isLost`. `writes` says whether a failed write was committed all the same.
 */
class LosableRecords extends MemoryRecords {
  isLost = false;
  writes = false;

  async #asked<T>(answer: () => Promise<T>): Promise<T> {
    const lost = this.isLost;
    const answered = lost && !this.writes ? null : await answer();
    if (lost || answered === null) throw new Unavailable('the database is away');
    return answered;
  }

  override begin(record: Parameters<MemoryRecords['begin']>[0]): Promise<boolean> {
    return this.#asked(() => super.begin(record));
  }
  override discard(swapUuid: string): Promise<boolean> {
    return this.#asked(() => super.discard(swapUuid));
  }
  override sign(swapUuid: string, signed: Uint8Array): Promise<boolean> {
    return this.#asked(() => super.sign(swapUuid, signed));
  }
  override end(...[swapUuid, end]: Parameters<MemoryRecords['end']>): Promise<boolean> {
    return this.#asked(() => super.end(swapUuid, end));
  }
  override async byRequest(requestId: string): Promise<FillRecord | null> {
    const { found } = await this.#asked(async () => ({ found: await super.byRequest(requestId) }));
    return found;
  }
}

async function setUp(): Promise<void> {
  const one = await openOneMakerSwap();
  makers = one.makers;
  records = new LosableRecords();
  swap = await openMakerSwap({ makers, records, market: one.swap.market });
  order = await swap.order(SELL);
  makers.connect(MAKER_ID, (offered) => {
    records.isLost = true;
    return signing(MAKER)(offered);
  });
}

const states = () => [...records.rows.values()].map(({ state }) => state);
const told = () => makers.events.filter((event) => /^(confirmed|failed)/.test(event));
const spent = () => HELD - getMakerBalance(swap.market, MAKER, USDC);
