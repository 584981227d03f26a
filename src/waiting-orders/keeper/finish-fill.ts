import type { Chain } from '../../chain/chain.ts';
import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import { submitAndConfirm } from '../../transactions/submit/submit-and-confirm.ts';
import { readOutcome } from '../../transactions/submit/submit-and-read.ts';
import type { DescribeFailure, TransactionFailure } from '../../transactions/transaction-failure.ts';
import { applyOrderEvent } from '../machine.ts';
import type { OrderTransaction, WaitingOrder, WaitReason } from '../waiting-order.ts';
import { type UntimedEvent, repeatUntilAnswered, type WriteContext } from './kept-orders.ts';

/** The aggregator's error when a route pays less than its threshold. */
const SLIPPAGE_EXCEEDED = 6_001;

export interface FinishContext extends WriteContext {
  readonly chain: Chain;
  readonly describeFailure: DescribeFailure;
  /** Returns what a successful fill took from the order's account and paid to the wallet, in atoms. */
  readonly readFill: (
    landed: LandedTransaction,
    order: WaitingOrder,
  ) => { readonly input: bigint; readonly output: bigint };
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
 * It has not landed only if its blockhash has expired and the network denies it again and again. A refusal of a node never
 * counts, because another keeper may have sent it to others.
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
  const { input, output } = context.readFill(landed, order);
  const event = { kind: 'fill-landed', input, output } as const;
  return save({ outcome: 'success', landed, event, outputAmount: output });
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
