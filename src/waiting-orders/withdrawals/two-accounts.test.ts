import { expect, it } from 'vitest';
import { openForAll } from '../../testing/opened.ts';
import { OrderDesk, USDC } from '../../testing/waiting-orders/order-desk.ts';
import { toAddressBytes } from '../../solana/address.ts';
import { applyOrderEvent } from '../machine.ts';
import type { OrderEvent } from '../order-moves.ts';
import type { WaitingOrder } from '../waiting-order.ts';

const desk = openForAll(() => OrderDesk.open(), 'close');

it('an order that has bought nothing yet gives both of its accounts back', async () => {
  const before = desk.tokens(USDC);
  const order = await openPair();
  await desk.withdraw(order.id);
  expect([desk.tokens(USDC), desk.lamports(order.account), desk.lamports(boughtBy(order))]).toEqual([
    before,
    0n,
    0n,
  ]);
});

it('lamports that a stranger sends to the account that is closed do not keep what was bought in the vault', async () => {
  const order = await openPair();
  const { network } = desk.market;
  const held = network.account(order.account);
  if (held === null) throw new Error('the deposit has opened no account');
  network.setAccount(order.account, { ...held, owner: SYSTEM, data: new Uint8Array(0), lamports: 890_880n });
  hold(order);
  await fillEntry(order);
  const before = desk.lamports(desk.wallet.address);
  await desk.withdraw(order.id);
  expect(await desk.order(order.id)).toMatchObject({ state: 'cancelled', remaining: 0n, unsold: BOUGHT });
  expect(desk.lamports(desk.wallet.address) - before).toBeGreaterThan(BOUGHT);
  expect(desk.lamports(boughtBy(order))).toBe(0n);
});

it('what was bought is given back though a fill made the wallet the owner of the first account', async () => {
  const order = await openPair();
  const { network } = desk.market;
  const held = network.account(order.account);
  if (held === null) throw new Error('the deposit has opened no account');
  const data = Uint8Array.from(held.data);
  data.set(toAddressBytes(desk.wallet.address), 32);
  network.setAccount(order.account, { ...held, data });
  hold(order);
  await fillEntry(order);
  const before = desk.lamports(desk.wallet.address);
  await desk.withdraw(order.id);
  expect(desk.lamports(desk.wallet.address) - before).toBeGreaterThan(BOUGHT);
  expect(await desk.order(order.id)).toMatchObject({ state: 'cancelled' });
});

const BOUGHT = 3_000_000_000n;
const SYSTEM = '11111111111111111111111111111111' as WaitingOrder['wallet'];

/** Creates an order that buys SOL for 20 USDC, and then sells it again. */
async function openPair(): Promise<WaitingOrder> {
  const crafted = await desk.deposits.craft(desk.depositRequest({ kind: 'otoco' }));
  const exits = { tpPriceUsd: 1_000_000, slPriceUsd: 0.25 };
  const { id } = await desk.deposits.create(desk.orderRequest(crafted, { kind: 'otoco', ...exits }));
  return desk.order(id);
}

/** Puts what the entry buys into the second account: 3 SOL. */
function hold(order: WaitingOrder): void {
  const { network } = desk.market;
  const empty = network.account(boughtBy(order));
  if (empty === null) throw new Error('the deposit has opened no second account');
  const data = Uint8Array.from(empty.data);
  new DataView(data.buffer).setBigUint64(64, BOUGHT, true);
  network.setAccount(boughtBy(order), { ...empty, data, lamports: empty.lamports + BOUGHT });
}

function boughtBy({ plan }: WaitingOrder) {
  if (plan.kind !== 'otoco') throw new Error(`the order is ${plan.kind}`);
  return plan.outputAccount;
}

/** Records that the whole deposit was swapped. */
async function fillEntry(order: WaitingOrder): Promise<void> {
  const at = order.updatedAt;
  const recorded = await save(order, {
    kind: 'fill-recorded',
    leg: 'entry',
    holder: 'a',
    leaseUntil: at,
    at,
  });
  const { inputAmount: input } = order;
  await save(recorded, { kind: 'fill-landed', input, output: BOUGHT, delayMs: 0, at });
}

async function save(order: WaitingOrder, event: OrderEvent): Promise<WaitingOrder> {
  const changed = applyOrderEvent(order, event);
  if (!changed.ok) throw new Error(changed.error.message);
  await desk.orders.update(changed.value, order.revision);
  return changed.value;
}
