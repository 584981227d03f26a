import type { Address } from '../../solana/address.ts';
import { readSelfCalledEvent } from '../../solana/programs/self-called-event.ts';

/** An event of the program. Amounts are atoms. */
export type LimitOrderEvent = OrderCreated | OrderCancelled | OrderFilled;

export interface OrderCreated {
  readonly kind: 'created';
  readonly order: Address;
  readonly maker: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly inputTokenProgram: Address;
  readonly outputTokenProgram: Address;
  readonly making: bigint;
  readonly taking: bigint;
  /** Unix second, or null. */
  readonly expiredAt: bigint | null;
  readonly feeBps: number;
  readonly feeAccount: Address;
  /** Null in events of builds that had no slippage. */
  readonly slippageBps: number | null;
}

export interface OrderCancelled {
  readonly kind: 'cancelled';
  readonly order: Address;
}

export interface OrderFilled {
  readonly kind: 'filled';
  readonly order: Address;
  readonly taker: Address;
  readonly remainingMaking: bigint;
  readonly remainingTaking: bigint;
  readonly making: bigint;
  /** What the taker paid, with the fee. */
  readonly taking: bigint;
}

const CREATED = '318e48a6e61d5454';
const FILLED = 'bddb7fd34ee661ee';
const CANCELLED = 'ae428d1104e0a24d';

/**
 * Decodes the data of a call of the program to itself, by which it emits an event.
 * Returns null for the data of another instruction, and for an event that the interface does not list.
 *
 * @throws LayoutInvalid when an event is cut short.
 */
export function decodeLimitOrderEvent(data: Uint8Array): LimitOrderEvent | null {
  const event = readSelfCalledEvent(data, 'event of limit orders');
  if (event === null) return null;
  const { tag, fields: from } = event;
  switch (tag) {
    case CREATED:
      return {
        kind: 'created',
        order: from.address(),
        maker: from.address(),
        inputMint: from.address(),
        outputMint: from.address(),
        inputTokenProgram: from.address(),
        outputTokenProgram: from.address(),
        making: from.u64(),
        taking: from.u64(),
        expiredAt: from.bool() ? from.i64() : null,
        feeBps: from.u16(),
        feeAccount: from.address(),
        slippageBps: from.remaining < 2 ? null : from.u16(),
      };
    case CANCELLED:
      return { kind: 'cancelled', order: from.address() };
    case FILLED:
      return {
        kind: 'filled',
        order: from.address(),
        taker: from.address(),
        remainingMaking: from.u64(),
        remainingTaking: from.u64(),
        making: from.u64(),
        taking: from.u64(),
      };
    default:
      return null;
  }
}
