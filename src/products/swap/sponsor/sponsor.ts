import { ALREADY_PROCESSED, type LandedTransaction, requireAvailable } from '../../../chain/chain.ts';
import type { Address } from '../../../solana/address.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import {
  addSignatures,
  parseTransaction,
  type Transaction,
  transactionSignature,
} from '../../../solana/messages/transaction.ts';
import type { ExecuteResponse } from '../execution/execute-schema.ts';
import { Code, failed, type LandParts, landOrder } from '../execution/land-order.ts';
import { isKnown, type SubmittableTransaction } from '../../../transactions/submit-and-confirm.ts';
import type { Attempt, Execution, StoredOrder } from '../execution/order-store.ts';
import { simulatedCost } from '../../../transactions/simulated-cost.ts';
import { transactionFailure } from '../../../transactions/transaction-failure.ts';
import type { SponsorBudget } from './budget.ts';
import { exposureOf } from './exposure.ts';
import type { TakerLeases } from './taker-leases.ts';

/** The operator's wallet that pays for the transactions of takers who have next to no SOL. */
export interface Sponsor {
  readonly keypair: Keypair;
  readonly budget: SponsorBudget;
  /** US dollars that a swap must be worth to be sponsored. */
  readonly leastDollars: number;
  /** Mints that the operator takes fees in. Anybody can open the sponsor's token account for any other. */
  readonly feeMints: ReadonlySet<Address>;
}

export interface SponsorParts extends LandParts {
  readonly sponsor: Sponsor | null;
  readonly takerLeases: TakerLeases;
}

/**
 * Signs for the sponsor what the taker has signed, and lands it. The sponsor signs last, and only a message that it is
 * shown to be safe in, that would succeed now, that costs it no more lamports than the order charged for
 * (`Sponsorship.chargedLamports`), and that the budget has room for. One swap of each taker is executed at a time; one
 * that fails on chain nevertheless costs two signatures and at most `MAX_SPONSORED_PRIORITY_FEE`. The budget counts the
 * most that a transaction can cost until it is known what it has cost.
 */
export async function landSponsored(
  parts: SponsorParts,
  order: StoredOrder,
  transaction: Transaction,
  attempt: Attempt,
): Promise<Execution<ExecuteResponse>> {
  requireAvailable(parts.chain);
  let isOver = true;
  let counted = 0n;
  const onCounted = (lamports: bigint) => {
    counted = lamports;
  };
  try {
    const signed = await withSignature(parts, order, transaction, attempt, onCounted);
    if (typeof signed === 'string') return refused(signed);
    isOver = false;
    const { execution, cost } = await landAtCost(parts, order, signed);
    isOver = execution.final;
    if (cost !== null && cost < counted) parts.sponsor?.budget.giveBack(order.taker, counted - cost);
    return execution;
  } finally {
    if (isOver) await parts.takerLeases.release(order.taker, order.requestId);
  }
}

/** Lands it, and says how many lamports its fee payer has spent on it; null while that is not known for good. */
async function landAtCost(
  parts: SponsorParts,
  order: StoredOrder,
  signed: SubmittableTransaction,
): Promise<{ readonly execution: Execution<ExecuteResponse>; readonly cost: bigint | null }> {
  let spent: bigint | null = null;
  const note = ({ preBalances: [before], postBalances: [after] }: LandedTransaction) => {
    if (before === undefined || after === undefined) return;
    spent = before > after ? before - after : 0n;
  };
  const execution = await landOrder(
    {
      ...parts,
      onSwapped: (swapped, landed) => {
        note(landed);
        parts.onSwapped?.(swapped, landed);
      },
      onFailed: (failure, landed) => {
        note(landed);
        parts.onFailed?.(failure, landed);
      },
    },
    order,
    signed,
  );
  const neverLands = execution.final && execution.answer.slot === undefined;
  return { execution, cost: neverLands ? 0n : spent };
}

/** Nothing was sent: the same request may be made again. */
function refused(reason: string): Execution<ExecuteResponse> {
  return { final: false, answer: failed(Code.INVALID_TRANSACTION, `the sponsor does not sign: ${reason}`) };
}

/**
 * The transaction with both signatures, or why the sponsor withholds its own. What it has signed before is not judged
 * again: it may have landed, after which no simulation passes, and it is paid for. Its signature is the same each time,
 * so that the chain can be asked for it before it is given.
 * @param onCounted called with the lamports that this attempt has counted in the budget
 */
async function withSignature(
  { sponsor, chain, takerLeases }: SponsorParts,
  { taker, requestId, sponsorship, lastValidBlockHeight }: StoredOrder,
  transaction: Transaction,
  attempt: Attempt,
  onCounted: (lamports: bigint) => void,
): Promise<SubmittableTransaction | string> {
  if (sponsor === null || sponsorship === undefined) return 'there is none here';
  const parties = { sponsor: sponsor.keypair.address, taker };
  const exposure = exposureOf(transaction.message, parties);
  if (exposure.problem !== undefined) return exposure.problem;
  const wire = addSignatures(transaction, [sponsor.keypair]);
  const signature = transactionSignature(parseTransaction(wire));
  const landable = { wire, signature, lastValidBlockHeight };
  if (attempt.mayBeOut || (await isKnown(chain, signature))) return landable;
  if (!(await takerLeases.acquire(taker, requestId))) {
    return `another sponsored swap of ${taker} is being executed; send this one again when that has ended`;
  }
  const cost = await simulatedCost(chain, wire, parties.sponsor);
  if (!('lamports' in cost)) {
    if (cost.error === ALREADY_PROCESSED) return landable;
    return `the swap would fail at present: ${transactionFailure(cost.error, cost.logs).message}`;
  }
  const { chargedLamports } = sponsorship;
  if (cost.lamports > chargedLamports) {
    return `the swap would cost it ${cost.lamports} lamports by now, and the order charged for ${chargedLamports}; ask for a new order`;
  }
  // Spent before the signature leaves this process: what may have been signed is counted.
  const unpaid = await sponsor.budget.spend(taker, exposure.lamports);
  if (unpaid !== null) return unpaid;
  onCounted(exposure.lamports);
  await attempt.noteSending();
  return landable;
}
