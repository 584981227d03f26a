import type { AccountUpdate } from '../../chain/accounts.ts';
import { requireAvailable, type SignatureStatus } from '../../chain/chain.ts';
import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import type { Prices } from '../../market/prices/prices.ts';
import type { ExecutionResult } from '../../swaps/orders/execution-result.ts';
import { searchByOtherSignatures } from '../../transactions/submit/submit-and-confirm.ts';
import {
  isConfirmed,
  searchAgain,
  readSignatureStatus,
} from '../../transactions/submit/transaction-lookup.ts';
import {
  isFinalOutcome,
  readOutcome,
  type SubmissionDependencies,
  submitAndRead,
  type TransactionOutcome,
} from '../../transactions/submit/submit-and-read.ts';
import type { SignedClaim } from '../books/reservations.ts';
import type { MakerTrades } from '../makers/maker-trades.ts';
import { toSubmittedResult } from './fill-outcomes.ts';
import { computeFillVolume } from './fill-volume.ts';
import { computeShortfall, isBrokenByMaker } from './prospects/broken-fills.ts';
import type { OrderLedger } from '../../swaps/ledger/order-ledger.ts';
import type { CoSignedOrder } from '../../swaps/orders/stored-order.ts';
import type { FillCheck, FillRefusal, FillRequest } from './prospects/co-signing.ts';
import { checkBlocksLeft, checkNow, FillProspects } from './prospects/fill-prospects.ts';
import type { SignedFills, WatchedFill } from './prospects/signed-fills.ts';
import type { TakerCommitment, TakerCommitments } from './prospects/taker-commitments.ts';
import type { FillLanding } from './settlement.ts';

export interface FillSubmissionDependencies extends SubmissionDependencies {
  /** Values what fills move, for the statistics of makers. */
  readonly prices: Pick<Prices, 'dollarsPerAtom'>;
  /** Counts fills that landed. */
  readonly trades: Pick<MakerTrades, 'traded'>;
  /** Notes what fills moved; null or absent if no ledger is kept. */
  readonly ledger?: Pick<OrderLedger, 'traded'> | null;
  readonly commitments: TakerCommitments;
  readonly signedFills: SignedFills;
}

/** How a submission ended, and what the taker learns of it. `unknown`: the transaction may still land. */
export interface SubmittedFill {
  readonly landing: FillLanding | 'unknown';
  readonly answer: ExecutionResult;
}

/** What the chain knows of a transaction that this process has not submitted. */
export type ChainLookup =
  | { readonly landing: FillLanding; readonly answer: ExecutionResult }
  /** `isOver`: the transaction can no longer land. */
  | { readonly landing: null; readonly isOver: boolean };

/** Checks, submits and looks up the transaction of one fill. */
export class FillSubmission {
  readonly #dependencies: FillSubmissionDependencies;
  readonly #order: CoSignedOrder;
  readonly #request: FillRequest;
  #commitment: TakerCommitment | null = null;
  #stopCounting: () => void = () => {};
  #stopWatch: () => void = () => {};
  /** From the check until the maker has signed, when `watchSigned` takes it over. */
  #watched: WatchedFill | null = null;
  #claim: SignedClaim | null = null;

  constructor(dependencies: FillSubmissionDependencies, request: FillRequest) {
    this.#dependencies = dependencies;
    this.#order = request.order;
    this.#request = request;
  }

  /**
   * Begins the check of a fill that was not offered before.
   * Returns the check, or why it need not be made, because there is too little time for the maker.
   * @throws ChainUnavailable
   */
  beginFirstCheck(): FillRefusal | FillCheck {
    const { chain } = this.#dependencies;
    // A maker must not sign what could not be sent.
    requireAvailable(chain);
    return checkBlocksLeft(chain, this.#order) ?? this.beginCheck();
  }

  /** Begins the check of a fill, also of one that an ended process may have offered. */
  beginCheck(): FillCheck {
    // An earlier check of this execution has ended.
    this.close();
    const { chain, commitments, signedFills } = this.#dependencies;
    const { wire, signature } = this.#request;
    const { coSigner: terms, spends, taker } = this.#order;
    this.#commitment = spends === undefined ? null : { spending: spends, signature, isSigned: false };
    this.#stopCounting = this.#commitment === null ? () => {} : commitments.add(this.#commitment);
    const offered = { order: this.#order, terms, wire, commitment: this.#commitment };
    const prospects = new FillProspects(this.#dependencies, offered);
    const onChange = (updates: readonly AccountUpdate[]) => prospects.accountsChanged(updates);
    // Started before the accounts are read, so that no change is missed.
    const paying = spends === undefined ? [] : [taker, spends.account];
    const others = prospects.watched.filter((each) => !paying.includes(each));
    if (others.length > 0) this.#stopWatch = chain.watchAccounts(others, onChange);
    if (spends !== undefined) {
      const message = this.#order;
      this.#watched = signedFills.watch({ taker, signature, message, spending: spends, onChange });
    }
    const refusal = checkNow(this.#dependencies, offered);
    // A fill that is refused for another reason does not wait for its check.
    refusal.catch(() => {});
    return { refusal, prospects };
  }

  /**
   * Called once the maker has signed, and before `submit`. From then on, the claim is told whether the taker can still pay.
   * Returns a function that stops it, which is called when the fill has ended.
   */
  watchSigned(claim: SignedClaim): () => void {
    const { spends, taker } = this.#order;
    const { signature } = this.#request;
    this.#claim = claim;
    if (spends === undefined) return () => {};
    // A fill that is resumed after a restart was checked by the previous process.
    const watched =
      this.#watched ??
      this.#dependencies.signedFills.watch({ taker, signature, message: this.#order, spending: spends });
    this.#watched = null;
    watched.signed(claim);
    return () => watched.close();
  }

  /**
   * Submits the transaction and waits for the result. May be called more than once.
   * @param wire - The transaction with the signatures of the taker and the maker.
   * @throws ChainUnavailable if nothing was sent
   */
  async submit(wire: Uint8Array, signature: string): Promise<SubmittedFill> {
    if (this.#commitment !== null) this.#commitment.isSigned = true;
    const { lastValidBlockHeight } = this.#order;
    const transaction = { wire, signature, lastValidBlockHeight, isPaidByOthers: true };
    const outcome = await submitAndRead(this.#dependencies, transaction);
    const answer = this.#toAnswer(outcome);
    if (!isFinalOutcome(outcome)) return { landing: 'unknown', answer };
    if (answer.kind === 'succeeded') return { landing: 'landed', answer };
    return { landing: (await this.#isBroken(outcome)) ? 'broken' : 'lost', answer };
  }

  /** Looks for a transaction that the maker may have submitted itself. */
  async find(signature: string): Promise<ChainLookup> {
    const { chain, timers } = this.#dependencies;
    const { lastValidBlockHeight, messageBytes } = this.#order;
    const isPast = chain.blockHeight('finalized') > lastValidBlockHeight;
    const status = isPast
      ? await searchAgain(chain, timers, { signature, lastValidBlockHeight })
      : await readSignatureStatus(chain, signature);
    if (isConfirmed(status)) return this.#found(signature, status);
    if (status !== 'denied') return { landing: null, isOver: false };
    // The taker pays for the transaction, and can have signed it again.
    const end = await searchByOtherSignatures(chain, { messageBytes, lastValidBlockHeight });
    if (end?.kind === 'landed') return this.#found(end.signature, end.status);
    return { landing: null, isOver: end !== null };
  }

  /** Whether the transaction is on chain now. */
  async isOnChain(signature: string): Promise<boolean> {
    return isConfirmed(await readSignatureStatus(this.#dependencies.chain, signature));
  }

  /** Called when the execution has been answered. A fill that the maker has signed is still watched until its end. */
  close(): void {
    this.#stopCounting();
    this.#stopWatch();
    this.#watched?.close();
  }

  async #found(signature: string, status: SignatureStatus): Promise<ChainLookup> {
    const answer = this.#toAnswer(await readOutcome(this.#dependencies, signature, status));
    return { landing: answer.kind === 'succeeded' ? 'landed' : 'lost', answer };
  }

  #toAnswer(outcome: TransactionOutcome): ExecutionResult {
    if (outcome.kind === 'succeeded' && outcome.transaction !== null) {
      const { prices, trades, ledger } = this.#dependencies;
      const { requestId, coSigner } = this.#order;
      const volume = computeFillVolume(prices, coSigner, outcome.transaction);
      trades.traded(coSigner.makerId, volume);
      ledger?.traded(requestId, coSigner.makerId, volume);
    }
    return toSubmittedResult(this.#order, outcome);
  }

  /** Whether the transaction failed on chain because its maker no longer had what it had signed for. */
  async #isBroken(outcome: TransactionOutcome): Promise<boolean> {
    if (outcome.kind !== 'failed' || outcome.transaction === null) return false;
    const { transaction } = outcome;
    const { coSigner: terms, spends } = this.#order;
    return isBrokenByMaker(terms, spends, transaction) && !(await this.#isExcused(transaction));
  }

  /**
   * While a taker cannot pay, its fill does not count in full against the maker's inventory. If such fills landed
   * after all and took what the maker now lacks, its inventory was promised twice, and the maker is not at fault.
   */
  async #isExcused(landed: LandedTransaction): Promise<boolean> {
    const shortfall = computeShortfall(this.#order.coSigner, landed);
    if (shortfall === 0n || this.#claim?.wasOverbooked() !== true) return false;
    const { signedFills } = this.#dependencies;
    return (await signedFills.landedAfterAll(this.#claim, landed.slot, shortfall)) >= shortfall;
  }
}
