import type { ProgramOrderTrade } from '../../program-orders/program-order.ts';
import type { OrderStep } from '../../program-orders/store/order-changes.ts';
import { OrderRecorder } from '../../program-orders/store/order-recorder.ts';
import type { RecordedLimitOrder } from '../../program-orders/store/order-rows.ts';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';

/** Orders that one recording writes. */
const RECORDED_TOGETHER = 1_000;

/** An order that differs by its number. An order that has ended says so by its state. */
export function createTestLimitOrder(
  number: number,
  changes: Partial<RecordedLimitOrder> = {},
): RecordedLimitOrder {
  const hasEnded = changes.state !== undefined && changes.state !== 'open';
  return {
    program: 'limit-order',
    address: `order ${number}` as Address,
    maker: 'maker' as Address,
    inputMint: 'input' as Address,
    outputMint: 'output' as Address,
    making: 1_000n,
    taking: 500n,
    remainingMaking: 400n,
    remainingTaking: 200n,
    slippageBps: 0,
    feeBps: 10,
    expiredAt: null,
    createdAt: BigInt(number),
    updatedAt: BigInt(number),
    openSignature: `opening of ${number}`,
    closeSignature: hasEnded ? `end of ${number}` : null,
    state: 'open',
    ...changes,
  };
}

export function createTestTrade(number: number): ProgramOrderTrade {
  return {
    keeper: 'keeper' as Address,
    inputAmount: 600n,
    outputAmount: 299n,
    feeAmount: 1n,
    signature: `trade ${number}`,
    at: BigInt(number),
  };
}

/** Records orders as they are, each with one trade. */
export async function recordTestOrders(
  store: Store,
  network: string,
  orders: readonly RecordedLimitOrder[],
): Promise<void> {
  const recorder = new OrderRecorder(store, network, 'limit-order');
  let cursor = (await recorder.findCursor()) ?? (await recorder.begin({ signature: null, slot: 0n }));
  for (let at = 0; at < orders.length; at += RECORDED_TOGETHER) {
    const steps = orders.slice(at, at + RECORDED_TOGETHER).flatMap(toSteps);
    const to = { signature: `recorded ${cursor.slot + 1n}`, slot: cursor.slot + 1n };
    if (!(await recorder.record(cursor, to, steps))) throw new Error('somebody else records');
    cursor = to;
  }
}

function toSteps(order: RecordedLimitOrder): readonly OrderStep[] {
  const opened: RecordedLimitOrder = { ...order, state: 'open', closeSignature: null };
  const trade = createTestTrade(Number(order.createdAt));
  return [
    { kind: 'open', order: opened },
    { kind: 'change', address: order.address, change: () => ({ order, trade }) },
  ];
}
