import { ALREADY_PROCESSED, requireAvailable } from '../../chain/chain.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import {
  addSignatures,
  parseTransaction,
  type Transaction,
  getTransactionSignature,
} from '../../solana/messages/transaction.ts';
import { type Attempt, ExecutionLost, type PreparedTransaction } from '../prepared/store.ts';
import { simulateCost } from '../cost/simulated-cost.ts';
import type { SubmittableTransaction } from '../submit/submit-and-confirm.ts';
import { isKnown } from '../submit/transaction-lookup.ts';
import {
  isFinalOutcome,
  type SubmissionDependencies,
  submitAndRead,
  type TransactionOutcome,
} from '../submit/submit-and-read.ts';
import { describeBudgetRefusal, isBudgetLost, type SponsorBudget } from './budget.ts';
import type { HeldLamports } from './held-lamports.ts';
import { computeExposure, type SponsorPolicy } from './exposure.ts';
import type { TakerLeases } from './taker-leases.ts';

/** The operator's wallet that pays for the transactions of takers who have little or no SOL. */
export interface Sponsor {
  readonly keypair: Keypair;
  readonly budget: SponsorBudget;
  /** The minimum value of a sponsored transaction in US dollars. */
  readonly leastDollars: number;
  /** Mints that the operator accepts fees in. Anybody can create the sponsor's token account for any other mint. */
  readonly feeMints: ReadonlySet<Address>;
  /** What the budget counts for transactions under way. Default: nobody watches it. */
  readonly held?: HeldLamports;
}

/** What sponsoring reads and acts upon. */
export interface SponsorDependencies extends SubmissionDependencies {
  /** Null without a sponsor. */
  readonly sponsor: Sponsor | null;
  readonly takerLeases: TakerLeases;
}

/** The outcome of a sponsored transaction. `withheld`: the sponsor did not sign, so nothing was sent. */
export type SponsoredOutcome = TransactionOutcome | { readonly kind: 'withheld'; readonly reason: string };

/**
 * Adds the sponsor's signature to a transaction that the taker has signed, and submits it. The sponsor signs last,
 * and only a message that the policy admits, that would succeed now, that costs it no more lamports than
 * `Sponsorship.chargedLamports`, and that the budget has room for. Each taker can have one transaction executing at a
 * time. A transaction that fails on chain costs the sponsor two signatures and at most `MAX_SPONSORED_PRIORITY_FEE`.
 * The budget counts the most that a transaction can cost until its outcome is known. Then it counts what the sponsor was
 * not paid for: the cost of a transaction that failed, and nothing of one whose fee covered it.
 * @param prepared - The transaction as it was handed out.
 * @param transaction - The prepared message with the taker's signature.
 * @param attempt - The attempt at executing the transaction; `noteSending` is called right before anything is sent.
 * @param policy - The policy of the product.
 * @returns the outcome of the transaction; `withheld` if the sponsor did not sign
 * @throws ChainUnavailable before anything was sent, while the chain is out of date
 * @throws Unavailable before anything was sent, while what the sponsor spends cannot be counted
 * @throws ExecutionLost before this attempt has sent anything, when another instance may have answered the request
 */
export async function submitSponsored(
  dependencies: SponsorDependencies,
  prepared: PreparedTransaction,
  transaction: Transaction,
  attempt: Attempt,
  policy: SponsorPolicy,
): Promise<SponsoredOutcome> {
  const { chain, sponsor, takerLeases } = dependencies;
  requireAvailable(chain);
  const { taker, requestId } = prepared;
  let isOver = true;
  let counted = 0n;
  let release = () => {};
  const onCounted = (lamports: bigint) => {
    counted = lamports;
    release = sponsor?.held?.hold(lamports) ?? release;
  };
  try {
    const signed = await withSignature(dependencies, prepared, transaction, { attempt, policy, onCounted });
    if (signed.kind === 'withheld') {
      await attempt.requireHeld();
      return signed;
    }
    isOver = false;
    const outcome = await submitAndRead(dependencies, signed.transaction, attempt.mayBeOut);
    isOver = isFinalOutcome(outcome);
    const covered = policy.paysBack ? (prepared.sponsorship?.chargedLamports ?? 0n) : 0n;
    const uncovered = uncoveredCost(outcome, counted, covered);
    if (uncovered < counted) sponsor?.budget.giveBack(taker, counted - uncovered);
    return outcome;
  } catch (error) {
    if (error instanceof ExecutionLost) {
      // An instance that has taken over has the taker's lease as well, and counts what it spends itself.
      isOver = error.run === 'free';
      if (error.run !== 'unknown' && counted > 0n) sponsor?.budget.giveBack(taker, counted);
    }
    throw error;
  } finally {
    release();
    if (isOver) await takerLeases.release(taker, requestId);
  }
}

function withheld(reason: string): Extract<SponsoredOutcome, { kind: 'withheld' }> {
  return { kind: 'withheld', reason };
}

/**
 * Returns the lamports of a transaction that nobody pays back.
 * @param counted - The most that the transaction can cost, which applies while the cost is not known.
 * @param covered - What the fee of a transaction that succeeded pays back, even at the least output that the program
 *   accepts.
 */
function uncoveredCost(outcome: TransactionOutcome, counted: bigint, covered: bigint): bigint {
  const cost = findOutcomeCost(outcome) ?? counted;
  if (outcome.kind !== 'succeeded') return cost;
  return cost > covered ? cost - covered : 0n;
}

/** Returns the lamports that the fee payer has spent on a transaction; null while that is not final. */
function findOutcomeCost(outcome: TransactionOutcome): bigint | null {
  if (outcome.kind !== 'succeeded' && outcome.kind !== 'failed') return isFinalOutcome(outcome) ? 0n : null;
  if (outcome.transaction === null) return null;
  const { preBalances, postBalances } = outcome.transaction;
  const [before, after] = [preBalances[0], postBalances[0]];
  if (before === undefined || after === undefined) return null;
  return before > after ? before - after : 0n;
}

type SignedOutcome =
  | { readonly kind: 'signed'; readonly transaction: SubmittableTransaction }
  | Extract<SponsoredOutcome, { kind: 'withheld' }>;

/**
 * Adds the sponsor's signature. A message that the sponsor signed before is not checked again: the transaction may
 * have landed, after which no simulation passes, and it is counted already. The signature is the same each time, so
 * the chain can be asked for the transaction before the signature leaves this process.
 * @param onCounted - Called with the lamports that this attempt has counted in the budget.
 */
async function withSignature(
  { sponsor, chain, takerLeases, describeFailure }: SponsorDependencies,
  { taker, requestId, sponsorship, lastValidBlockHeight }: PreparedTransaction,
  transaction: Transaction,
  {
    attempt,
    policy,
    onCounted,
  }: {
    readonly attempt: Attempt;
    readonly policy: SponsorPolicy;
    readonly onCounted: (lamports: bigint) => void;
  },
): Promise<SignedOutcome> {
  if (sponsor === null || sponsorship === undefined) return withheld('there is none here');
  const { noun, plural } = policy;
  const parties = { sponsor: sponsor.keypair.address, taker };
  const exposure = computeExposure(transaction.message, parties, policy);
  if (exposure.problem !== undefined) return withheld(exposure.problem);
  const wire = addSignatures(transaction, [sponsor.keypair]);
  const signature = getTransactionSignature(parseTransaction(wire));
  const signed = { kind: 'signed', transaction: { wire, signature, lastValidBlockHeight } } as const;
  if (attempt.mayBeOut || (await isKnown(chain, signature))) return signed;
  if (!(await takerLeases.acquire(taker, requestId))) {
    return withheld(
      `another sponsored ${noun} of ${taker} is being executed; send this one again when that has ended`,
    );
  }
  const cost = await simulateCost(chain, wire, parties.sponsor, noun);
  if (!('lamports' in cost)) {
    if (cost.error === ALREADY_PROCESSED) return signed;
    const { message } = describeFailure(cost.error, cost.logs);
    return withheld(`the ${noun} would fail now: ${message}`);
  }
  const { chargedLamports } = sponsorship;
  if (cost.lamports > chargedLamports) {
    return withheld(
      `the ${noun} would cost it ${cost.lamports} lamports by now, and the order charged for ${chargedLamports}; ask for a new order`,
    );
  }
  // Counted before the signature leaves this process, so that everything that may have been signed is counted.
  const unpaid = await sponsor.budget.spend(taker, exposure.lamports);
  if (unpaid !== null && isBudgetLost(unpaid)) {
    await attempt.requireHeld();
    throw new Unavailable(
      `the sponsor does not sign: ${describeBudgetRefusal(unpaid, plural)}; nothing was sent, try again in a second`,
    );
  }
  if (unpaid !== null) return withheld(describeBudgetRefusal(unpaid, plural));
  onCounted(exposure.lamports);
  await attempt.noteSending();
  return signed;
}
