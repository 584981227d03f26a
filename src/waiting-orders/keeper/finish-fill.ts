import type { Chain } from '../../chain/chain.ts';
import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import { maximum } from '../../solana/units.ts';
import { submitAndConfirm } from '../../transactions/submit/submit-and-confirm.ts';
import { readOutcome } from '../../transactions/submit/submit-and-read.ts';
import type { DescribeFailure, TransactionFailure } from '../../transactions/transaction-failure.ts';
import { getEarnMint } from '../earning/earn-mint.ts';
import { readAgreedVaultAccount } from '../landing/vault-account.ts';
import { applyOrderEvent } from '../machine.ts';
import { isRecurring } from '../order-plan.ts';
import { findSale, type OrderSale } from '../order-sale.ts';
import type { OrderTransaction, WaitingOrder, WaitReason } from '../waiting-order.ts';
import { type UntimedEvent, repeatUntilAnswered, type WriteContext } from './kept-orders.ts';

/** The aggregator's error when a route pays less than its threshold. */
const SLIPPAGE_EXCEEDED = 6_001;

/** The next round of an order is later by this part of its interval at most, and by this many milliseconds at most. */
const MAX_DELAY_SHARE = 0.05;
const MAX_DELAY_MS = 5 * 60_000;

export interface FinishContext extends WriteContext {
  readonly chain: Chain;
  readonly describeFailure: DescribeFailure;
  /** Returns a random number from 0 on, and less than 1. */
  readonly random: () => number;
  /** Returns what a successful fill did. */
  readonly readFill: (landed: LandedTransaction, sale: OrderSale) => MovedByFill;
}

/** What a successful fill moved, in atoms. */
export interface MovedByFill {
  /** What left the order's account. */
  readonly input: bigint;
  /** What arrived in the wallet. */
  readonly output: bigint;
  /** Whether nothing is left in the account, because it is closed. */
  readonly isWhole: boolean;
}

/** How the chain ended a fill, and the order after that. */
export interface FinishedFill {
  readonly outcome: Exclude<OrderTransaction['outcome'], 'pending'>;
  /** Null when it landed and the network does not return it, or when it did not land. */
  readonly landed: LandedTransaction | null;
  /** Null if the store has no such order any more. */
  readonly order: WaitingOrder | null;
}

/**
 * Sends a recorded fill until the chain has decided how it ends, and saves that. Any number of keepers may do this with one fill
 * at a time: the chain takes it once, and the first to save wins.
 *
 * It has not landed only if its blockhash has expired, the network denies it again and again, and the order's account holds what
 * it held. A refusal of a node never counts, because another keeper may have sent it to others.
 *
 * Returns null while the outcome is not known, or cannot be saved. Then it has to be done again later.
 */
export async function finishFill(
  context: FinishContext,
  order: WaitingOrder,
  transaction: OrderTransaction,
): Promise<FinishedFill | null> {
  const { chain, timers } = context;
  const submitted = await submitAndConfirm(chain, timers, transaction, true);
  const save = (ending: FillEnding) => saveEnd(context, order.id, transaction, ending);
  if (submitted.kind === 'expired') {
    if (!(await isUntouched(context, order, transaction))) return null;
    return save({ outcome: 'expired', landed: null, event: { kind: 'fill-ended', reason: 'unavailable' } });
  }
  if (submitted.kind !== 'landed') return null;
  const read = await readOutcome(context, submitted.signature, submitted.status);
  const { transaction: landed } = read;
  if (read.kind === 'failed') {
    const event = { kind: 'fill-ended', reason: toWaitReason(read.failure) } as const;
    return save({ outcome: 'failed', landed, event });
  }
  // What a fill paid is only known from the transaction.
  if (landed === null) return null;
  const sale = findSale(order, transaction.leg ?? 'single');
  const { input: moved, output, isWhole } = context.readFill(landed, sale);
  // Of shares in place of the input, it was recorded how much of the input they stand for.
  const input = getEarnMint(order.plan) === null ? moved : transaction.inputAmount;
  // Less than remained can have been there: an issuer that may take tokens from everybody has taken some.
  const spent = isWhole ? maximum(input, sale.remaining) : input;
  const delayMs = pickDelayMs(order, context.random);
  const event = { kind: 'fill-landed', input: spent, output, delayMs } as const;
  return save({ outcome: 'success', landed, event, outputAmount: output });
}

/** Returns how much later than its interval the next round is due, so that nobody knows when the order will sell. */
function pickDelayMs({ plan }: WaitingOrder, random: () => number): number {
  if (!isRecurring(plan)) return 0;
  return Math.floor(random() * Math.min(plan.intervalMs * MAX_DELAY_SHARE, MAX_DELAY_MS));
}

/**
 * Whether the account that a fill sells from holds what it held when the fill was planned. Nodes can deny a fill that has landed, and
 * the order would then be filled again.
 *
 * A fill of everything closes the account or gives it away, and nobody but the vault can open one there. So while the vault has it,
 * such a fill has not landed, whatever the issuer has taken from it since.
 */
async function isUntouched(
  context: FinishContext,
  order: WaitingOrder,
  { held, inputAmount, leg }: OrderTransaction,
): Promise<boolean> {
  const { account, vault, remaining, exactly } = findSale(order, leg ?? 'single');
  const found = await readAgreedVaultAccount(context, account, vault);
  if (found.kind !== 'held') return false;
  // Of shares, it is recorded how much of the input they stand for, which does not say whether they were all.
  const isEarning = getEarnMint(order.plan) !== null;
  const isWhole = !isEarning && exactly === null && held !== null && inputAmount >= held;
  // An older version did not record what it held. It was no less than what remained of the order.
  return isWhole || found.amount >= (held ?? remaining);
}

interface FillEnding extends Omit<FinishedFill, 'order'> {
  readonly event: UntimedEvent;
  readonly outputAmount?: bigint;
}

/** Saves how a fill ended, unless somebody has done it already. */
async function saveEnd(
  context: FinishContext,
  id: string,
  { number }: OrderTransaction,
  { outcome, landed, event, ...rest }: FillEnding,
): Promise<FinishedFill | null> {
  const { orders } = context;
  const order = await repeatUntilAnswered(context, async () => {
    for (;;) {
      const current = await orders.get(id);
      // The order is only in this state while its newest transaction is pending.
      if (current === null || current.transactions !== number) return current;
      const at = await orders.now();
      const applied = applyOrderEvent(current, { ...event, at });
      if (!applied.ok) return current;
      const ended = { ...rest, number, outcome, endedAt: at };
      if (await orders.update(applied.value, current.revision, { ended })) return applied.value;
    }
  });
  return order === 'unanswered' ? null : { outcome, landed, order };
}

function toWaitReason({ code, program }: TransactionFailure): WaitReason {
  return program === AGGREGATOR_PROGRAM && code === SLIPPAGE_EXCEEDED ? 'price' : 'refused';
}
