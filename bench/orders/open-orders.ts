import { type SQL, sql } from 'drizzle-orm';
import type { Store } from '../../src/store/index.ts';
import { encodeBase58 } from '../../src/solana/encoding/base58.ts';
import type { Address } from '../../src/solana/address.ts';
import { toOrderRow, toTransactionRow } from '../../src/waiting-orders/store/order-rows.ts';
import { orderTransactions, waitingOrders } from '../../src/waiting-orders/store/order-tables.ts';
import type { OrderTransaction, WaitingOrder } from '../../src/waiting-orders/waiting-order.ts';

/** Rows that one statement writes. */
const AT_ONCE = 50_000;
const ROWS_AT_ONCE = 100;
/** Prices of the tokens that these orders wait for. None of them is ever reached. */
export const WAITED_PRICE = 100;

/**
 * Stores so many open orders that are never triggered, half of them above the price and half below it. Their wallets, vaults
 * and accounts are addresses that nobody looks up.
 *
 * @param pattern - An open order, whose other fields they have.
 */
export async function storeWaitingOrders(
  store: Store,
  network: string,
  pattern: WaitingOrder,
  { count, mints }: { readonly count: number; readonly mints: readonly Address[] },
): Promise<void> {
  const { db } = store;
  await db.execute(sql`create temp table waited_mints (place integer primary key, mint text)`);
  for (const [place, mint] of mints.entries()) {
    await db.execute(sql`insert into waited_mints values (${place}, ${mint})`);
  }
  await db.insert(waitingOrders).values(toOrderRow(network, pattern));
  const kept = sql.raw(
    [
      'kind, slippage_bps, input_amount, expires_at, created_at, state, revision, transactions, remaining, received',
      'bought, unsold',
      'triggered_at, expired_at, updated_at, lease_holder, lease_until, failures, retry_at, waits_for',
    ].join(', '),
  );
  const unused = encodeBase58(new Uint8Array(32).fill(200)).slice(0, 34);
  // Base58 has no zero.
  const toUnused = (number: SQL) => sql`replace(printf('%s%010d', ${unused}, ${number}), '0', 'z')`;
  for (let first = 0; first < count; first += AT_ONCE) {
    const last = Math.min(count, first + AT_ONCE) - 1;
    await db.execute(sql`
      with recursive numbers (n) as (select ${first} union all select n + 1 from numbers where n < ${last})
      insert into waiting_orders (id, network, deposit_request_id, wallet, vault, account, input_mint, output_mint,
        trigger_mint, condition, trigger_price, ${kept})
      select printf('01900000-0000-7000-8000-%012x', n), network, printf('01900000-0000-7000-9000-%012x', n),
        ${toUnused(sql`n / 4`)}, ${toUnused(sql`n / 4`)}, ${toUnused(sql`n`)},
        mint, output_mint, mint, case n % 2 when 0 then 'above' else 'below' end,
        ${WAITED_PRICE} * case n % 2 when 0 then 1.01 + n * 1e-7 else 0.99 - n * 1e-7 end, ${kept}
      from numbers join waited_mints on place = n % ${mints.length} join waiting_orders on id = ${pattern.id}`);
  }
}

/** Stores orders as they are. */
export async function storeOrders(
  store: Store,
  network: string,
  orders: readonly WaitingOrder[],
): Promise<void> {
  for (let first = 0; first < orders.length; first += ROWS_AT_ONCE) {
    const rows = orders.slice(first, first + ROWS_AT_ONCE).map((order) => toOrderRow(network, order));
    await store.db.insert(waitingOrders).values(rows);
  }
}

/** Stores transactions of orders as they are. */
export async function storeTransactions(
  store: Store,
  transactions: readonly OrderTransaction[],
): Promise<void> {
  for (let first = 0; first < transactions.length; first += ROWS_AT_ONCE) {
    const rows = transactions.slice(first, first + ROWS_AT_ONCE).map(toTransactionRow);
    await store.db.insert(orderTransactions).values(rows);
  }
}
