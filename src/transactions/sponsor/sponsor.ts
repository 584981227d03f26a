import { ALREADY_PROCESSED, type Chain, requireAvailable } from '../../chain/chain.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import {
  addSignatures,
  parseTransaction,
  type Transaction,
  transactionSignature,
} from '../../solana/messages/transaction.ts';
import type { Attempt, PreparedTransaction } from '../prepared/store.ts';
import { simulatedCost } from '../simulated-cost.ts';
import { isKnown, type SubmittableTransaction } from '../submit-and-confirm.ts';
import { isFinalOutcome, submitAndRead, type TransactionOutcome } from '../submit-and-read.ts';
import { transactionFailure } from '../transaction-failure.ts';
import type { SponsorBudget } from './budget.ts';
import { exposureOf, type SponsoredAction } from './exposure.ts';
import type { TakerLeases } from './taker-leases.ts';

/** The operator's wallet that pays for the transactions of takers who have next to no SOL. */
export interface Sponsor {
  readonly keypair: Keypair;
  readonly budget: SponsorBudget;
  /** US dollars that a transaction must be worth to be sponsored. */
  readonly leastDollars: number;
  /** Mints that the operator takes fees in. Anybody can open the sponsor's token account for any other. */
  readonly feeMints: ReadonlySet<Address>;
}

/** What sponsoring reads and acts upon. */
export interface SponsorDependencies {
  readonly chain: Chain;
  readonly timers: Timers;
  /** Null where nobody pays for takers. */
  readonly sponsor: Sponsor | null;
  readonly takerLeases: TakerLeases;
}

/** What became of a sponsored transaction. `withheld`: the sponsor did not sign, so nothing was sent. */
export type SponsoredOutcome = TransactionOutcome | { readonly kind: 'withheld'; readonly reason: string };

/**
 * Signs for the sponsor what the taker has signed, and submits it. The sponsor signs last. It only signs a message that
 * it is shown to be safe in, that would succeed now, that costs it no more lamports than `Sponsorship.chargedLamports`,
 * and that the budget has room for. One transaction of each taker is executed at a time; one that fails on chain
 * nevertheless costs two signatures and at most `MAX_SPONSORED_PRIORITY_FEE`. The budget counts the most that a
 * transaction can cost until it is known what it has cost.
 * @param transaction the prepared message with the taker's signature
 * @throws ChainUnavailable before anything was sent, while the chain is out of date
 */
export async function submitSponsored(
  dependencies: SponsorDependencies,
  prepared: PreparedTransaction,
  transaction: Transaction,
  attempt: Attempt,
  action: SponsoredAction,
): Promise<SponsoredOutcome> {
  const { chain, timers, sponsor, takerLeases } = dependencies;
  requireAvailable(chain);
  const { taker, requestId } = prepared;
  let isOver = true;
  let counted = 0n;
  const onCounted = (lamports: bigint) => {
    counted = lamports;
  };
  try {
    const signed = await withSignature(dependencies, prepared, transaction, { attempt, action, onCounted });
    if (typeof signed === 'string') return { kind: 'withheld', reason: signed };
    isOver = false;
    const outcome = await submitAndRead(chain, timers, signed);
    isOver = isFinalOutcome(outcome);
    const cost = costOf(outcome);
    if (cost !== null && cost < counted) sponsor?.budget.giveBack(taker, counted - cost);
    return outcome;
  } finally {
    if (isOver) await takerLeases.release(taker, requestId);
  }
}

/** Lamports that the fee payer has spent on a transaction; null while that is not known for good. */
function costOf(outcome: TransactionOutcome): bigint | null {
  if (outcome.kind !== 'succeeded' && outcome.kind !== 'failed') return isFinalOutcome(outcome) ? 0n : null;
  if (outcome.transaction === null) return null;
  const { preBalances, postBalances } = outcome.transaction;
  const [before, after] = [preBalances[0], postBalances[0]];
  if (before === undefined || after === undefined) return null;
  return before > after ? before - after : 0n;
}

/**
 * The transaction with both signatures, or why the sponsor withholds its own. What it has signed before is not judged
 * again: it may have landed, after which no simulation passes, and it is paid for. Its signature is the same each time,
 * so that the chain can be asked for it before it is given.
 * @param onCounted called with the lamports that this attempt has counted in the budget
 */
async function withSignature(
  { sponsor, chain, takerLeases }: SponsorDependencies,
  { taker, requestId, sponsorship, lastValidBlockHeight }: PreparedTransaction,
  transaction: Transaction,
  {
    attempt,
    action,
    onCounted,
  }: {
    readonly attempt: Attempt;
    readonly action: SponsoredAction;
    readonly onCounted: (lamports: bigint) => void;
  },
): Promise<SubmittableTransaction | string> {
  if (sponsor === null || sponsorship === undefined) return 'there is none here';
  const { noun } = action;
  const parties = { sponsor: sponsor.keypair.address, taker };
  const exposure = exposureOf(transaction.message, parties, action);
  if (exposure.problem !== undefined) return exposure.problem;
  const wire = addSignatures(transaction, [sponsor.keypair]);
  const signature = transactionSignature(parseTransaction(wire));
  const submittable = { wire, signature, lastValidBlockHeight };
  if (attempt.mayBeOut || (await isKnown(chain, signature))) return submittable;
  if (!(await takerLeases.acquire(taker, requestId))) {
    return `another sponsored ${noun} of ${taker} is being executed; send this one again when that has ended`;
  }
  const cost = await simulatedCost(chain, wire, parties.sponsor);
  if (!('lamports' in cost)) {
    if (cost.error === ALREADY_PROCESSED) return submittable;
    return `the ${noun} would fail at present: ${transactionFailure(cost.error, cost.logs).message}`;
  }
  const { chargedLamports } = sponsorship;
  if (cost.lamports > chargedLamports) {
    return `the ${noun} would cost it ${cost.lamports} lamports by now, and the order charged for ${chargedLamports}; ask for a new order`;
  }
  // Spent before the signature leaves this process: what may have been signed is counted.
  const unpaid = await sponsor.budget.spend(taker, exposure.lamports);
  if (unpaid !== null) return unpaid;
  onCounted(exposure.lamports);
  await attempt.noteSending();
  return submittable;
}
