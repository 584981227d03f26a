import { encodeBase58 } from '../../solana/encoding/base58.ts';
import { startOrder } from '../../waiting-orders/machine.ts';
import type { SinglePlan } from '../../waiting-orders/order-plan.ts';
import type { OrderTerms, OrderTransaction, WaitingOrder } from '../../waiting-orders/waiting-order.ts';
import { numbered } from '../test-tokens.ts';

const CREATED_AT = 1_790_000_000_000;
const DAY_MS = 86_400_000;
/** The kinds of numbered addresses, so that no two roles of an order have the same one. */
const KINDS = { wallet: 1, vault: 2, account: 3, inputMint: 4, outputMint: 5 } as const;
const NUMBERS_OF_A_KIND = 100_000_000;

/** What can be changed of the plan of a test order. */
export type SingleChanges = Partial<Omit<SinglePlan, 'kind' | 'trailing'>>;

/** Returns the terms of an order whose ids and account depend on the number alone. Mints, wallet and vault are always the same. */
export function createTestTerms(number: number, given: Partial<OrderTerms> & SingleChanges = {}): OrderTerms {
  const {
    triggerMint: _mint,
    condition: _condition,
    triggerPrice: _price,
    slippageBps: _bps,
    ...changes
  } = given;
  return {
    id: createTestId('0', number),
    depositRequestId: createTestId('1', number),
    wallet: numberOf('wallet', 0),
    vault: numberOf('vault', 0),
    account: numberOf('account', number),
    inputMint: numberOf('inputMint', 0),
    outputMint: numberOf('outputMint', 0),
    plan: {
      kind: 'single',
      triggerMint: given.triggerMint ?? numberOf('outputMint', 0),
      condition: given.condition ?? 'below',
      triggerPrice: given.triggerPrice ?? 1.5,
      slippageBps: given.slippageBps ?? null,
      trailing: null,
    },
    inputAmount: 20_000_000n,
    expiresAt: CREATED_AT + DAY_MS,
    createdAt: CREATED_AT + number,
    ...changes,
  };
}

/** Returns an order that waits for its price, and on which nobody works. */
export function createTestOrder(
  number: number,
  given: Partial<WaitingOrder> & SingleChanges = {},
): WaitingOrder {
  const {
    triggerMint: _mint,
    condition: _condition,
    triggerPrice: _price,
    slippageBps: _bps,
    ...changes
  } = given;
  const terms = createTestTerms(number, given);
  const started = startOrder(terms, { holder: 'a test', leaseUntil: 0 });
  return { ...started, state: 'open', leaseHolder: null, ...changes, plan: terms.plan };
}

/** Returns the newest transaction of an order, which is pending. */
export function createTestTransaction(
  order: WaitingOrder,
  changes: Partial<OrderTransaction> = {},
): OrderTransaction {
  return {
    orderId: order.id,
    number: order.transactions,
    kind: order.transactions === 1 ? 'deposit' : 'fill',
    signature: createTestSignature(`${order.id} ${order.transactions}`),
    wire: new TextEncoder().encode(`wire ${order.transactions}`),
    lastValidBlockHeight: 150n,
    outcome: 'pending',
    inputAmount: order.inputAmount,
    held: null,
    outputAmount: null,
    triggeredPrice: null,
    leg: order.transactions === 1 ? null : 'single',
    round: null,
    createdAt: order.updatedAt,
    endedAt: null,
    ...changes,
  };
}

/** Returns a signature in base58 that depends on the text alone. */
export function createTestSignature(text: string): string {
  const bytes = new Uint8Array(64).fill(9);
  bytes.set(new TextEncoder().encode(text).subarray(-64));
  return encodeBase58(bytes);
}

function createTestId(kind: string, number: number): string {
  const digits = number.toString(16).padStart(11, '0');
  return `019a0000-0000-7000-8000-${kind}${digits}`;
}

function numberOf(kind: keyof typeof KINDS, number: number) {
  return numbered(KINDS[kind] * NUMBERS_OF_A_KIND + number);
}
