import type { Address } from '../solana/address.ts';
import type { Bps } from '../solana/units.ts';
import { listTriggers, type OrderTrigger } from './legs.ts';
import { isRecurring, type OrderLeg } from './order-plan.ts';
import { computeRoundAmount } from './rounds.ts';
import type { WaitingOrder } from './waiting-order.ts';

/** What one fill of an order sells, and who is paid. */
export interface OrderSale extends Pick<WaitingOrder, 'id' | 'wallet' | 'vault' | 'failures'> {
  readonly leg: OrderLeg;
  /** The token account of the vault that is sold from. */
  readonly account: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms of the input that are the order's. Strangers may have sent more to the account. */
  readonly remaining: bigint;
  /**
   * Atoms that are sold, no more and no less, after which the account stays open. Null sells everything that lies in the account,
   * or a part of it if no route pays enough for all.
   */
  readonly exactly: bigint | null;
  /** The token account of the vault that is paid into; null pays the wallet. */
  readonly outputAccount: Address | null;
  /** Null leaves it to the service. */
  readonly slippageBps: Bps | null;
  /** Whether it stops a loss, or buys above a price, and is to be filled though it costs more. */
  readonly isProtective: boolean;
}

/**
 * Returns what a fill of a leg sells.
 * @throws RangeError when the leg is not live
 */
export function findSale(order: WaitingOrder, leg: OrderLeg): OrderSale {
  if (isRecurring(order.plan) && leg === 'round') return findRound(order, order.plan.rounds);
  const trigger = listTriggers(order).find((each) => each.leg === leg);
  if (trigger === undefined) throw new RangeError(`the order ${order.id} has no leg ${leg} now`);
  const { id, wallet, vault, failures, plan, account, inputMint, outputMint, remaining } = order;
  const { slippageBps } = trigger;
  const common = { id, wallet, vault, failures, leg, slippageBps, exactly: null } as const;
  if (plan.kind !== 'otoco') {
    const isProtective = buysHighOrSellsLow(trigger, inputMint);
    return { ...common, account, inputMint, outputMint, remaining, outputAccount: null, isProtective };
  }
  const { outputAccount } = plan;
  if (leg === 'entry') {
    const isProtective = buysHighOrSellsLow(trigger, inputMint);
    return { ...common, account, inputMint, outputMint, remaining, outputAccount, isProtective };
  }
  return {
    ...common,
    account: outputAccount,
    inputMint: outputMint,
    outputMint: inputMint,
    remaining: order.unsold,
    outputAccount: null,
    isProtective: buysHighOrSellsLow(trigger, outputMint),
  };
}

function findRound(order: WaitingOrder, count: number): OrderSale {
  const { id, wallet, vault, failures, account, inputMint, outputMint, inputAmount, remaining, rounds } =
    order;
  const isLast = (rounds?.filled ?? 0) + 1 >= count;
  return {
    id,
    wallet,
    vault,
    failures,
    leg: 'round',
    account,
    inputMint,
    outputMint,
    remaining,
    exactly: isLast ? null : computeRoundAmount(inputAmount, count),
    outputAccount: null,
    slippageBps: null,
    isProtective: false,
  };
}

/** Whether a trigger sells below its price, or buys above it. */
function buysHighOrSellsLow({ mint, condition }: OrderTrigger, inputMint: Address): boolean {
  return (mint === inputMint) === (condition === 'below');
}
