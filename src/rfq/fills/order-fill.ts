import type { AccountUpdate } from '../../chain/accounts.ts';
import { requireAvailable, type SignatureStatus } from '../../chain/chain.ts';
import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import type { SignedClaim } from '../books/reservations.ts';
import type { FillCheck, FillRefusal, FillRequest } from './prospects/co-signing.ts';
import type { ChainLookup, FillSubmission, SubmissionResult } from './fill-execution.ts';
import { searchMessage } from '../../transactions/submit/message-search.ts';
import {
  isConfirmed,
  searchAgain,
  readSignatureStatus,
} from '../../transactions/submit/submit-and-confirm.ts';
import { isBrokenByMaker, computeShortfall } from './prospects/broken-fills.ts';
import { Code, type ExecutionResult, createSwapFailure } from '../../swaps/orders/execution-result.ts';
import { checkNow, FillProspects, checkBlocksLeft } from './prospects/fill-prospects.ts';
import type { TakerCommitment, TakerCommitments } from './prospects/taker-commitments.ts';
import type { SignedFills, WatchedFill } from './prospects/signed-fills.ts';
import type { StoredOrder } from '../../swaps/orders/stored-order.ts';
import { readResult, writeResult } from '../../swaps/orders/stored-result.ts';
import { readLandedResult, type SubmitDependencies, submitOrder } from '../../swaps/orders/submit-order.ts';

export interface OrderFillDependencies extends Omit<SubmitDependencies, 'onFailed'> {
  readonly commitments: TakerCommitments;
  readonly signedFills: SignedFills;
}

/** The code of a fill that was not executed, by reason. */
const REFUSAL_CODES = {
  expired: Code.QUOTE_EXPIRED,
  rejected: Code.SWAP_REJECTED,
  failed: Code.MAKER_UNKNOWN,
  known: Code.MAKER_UNKNOWN,
} as const;

/** Added to the reason of a refusal with an unknown outcome, once its transaction can no longer land. */
const ENDED = ', and its transaction can no longer land';

/** Swaps with makers have codes of their own for how their submission ends. */
const SUBMISSION_CODES: ReadonlyMap<number, number> = new Map([
  [Code.FAILED_TO_LAND, Code.MAKER_FAILED_TO_LAND],
  [Code.UNKNOWN, Code.MAKER_UNKNOWN],
  [Code.INVALID_TRANSACTION, Code.MAKER_INVALID_TRANSACTION],
]);

/** Checks, submits and looks up the transaction of one order that a maker has to sign. */
export class OrderFill implements FillSubmission {
  readonly #dependencies: OrderFillDependencies;
  readonly #order: StoredOrder;
  readonly #request: FillRequest;
  #commitment: TakerCommitment | null = null;
  #stopCounting: () => void = () => {};
  #stopWatch: () => void = () => {};
  /** From the check until the maker has signed, when `watchSigned` takes it over. */
  #watched: WatchedFill | null = null;
  #claim: SignedClaim | null = null;

  constructor(dependencies: OrderFillDependencies, order: StoredOrder, request: FillRequest) {
    this.#dependencies = dependencies;
    this.#order = order;
    this.#request = request;
  }

  check(): FillRefusal | FillCheck {
    const { chain } = this.#dependencies;
    // A maker must not sign what could not be sent.
    requireAvailable(chain);
    return checkBlocksLeft(chain, this.#order) ?? this.recheck();
  }

  recheck(): FillCheck {
    // An earlier check of this execution has ended.
    this.close();
    const { chain, commitments, signedFills } = this.#dependencies;
    const { terms, wire, signature } = this.#request;
    const { spends, taker, lastValidBlockHeight } = this.#order;
    this.#commitment = spends === undefined ? null : { spending: spends, signature, isSigned: false };
    this.#stopCounting = this.#commitment === null ? () => {} : commitments.add(this.#commitment);
    const transaction = { wire, signature, lastValidBlockHeight };
    const offered = { order: this.#order, terms, transaction, commitment: this.#commitment };
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

  async submit(wire: Uint8Array, signature: string): Promise<SubmissionResult> {
    if (this.#commitment !== null) this.#commitment.isSigned = true;
    let broken: LandedTransaction | null = null;
    const onFailed = (order: StoredOrder, landed: LandedTransaction) => {
      broken = isBrokenByMaker(order, landed) ? landed : null;
    };
    const { lastValidBlockHeight } = this.#order;
    const transaction = { wire, signature, lastValidBlockHeight, isPaidByOthers: true };
    const { chain, timers, describeFailure, onSwapped } = this.#dependencies;
    const dependencies = { chain, timers, describeFailure, onSwapped, onFailed };
    const submitted = await submitOrder(dependencies, this.#order, transaction);
    const result = replaceCode(submitted.answer);
    if (submitted.final) {
      const isBroken = broken !== null && !(await this.#isExcused(broken));
      return { landing: toLanding(result, isBroken), answer: writeResult(result), ...toLandedAs(result) };
    }
    return { landing: 'unknown', answer: writeResult(openResult(result)) };
  }

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
    const search = await searchMessage(chain, { messageBytes, lastValidBlockHeight });
    if (search.kind === 'landed') return this.#found(search.signature, search.status);
    return { landing: null, isOver: search.kind === 'denied' };
  }

  async #found(signature: string, status: SignatureStatus): Promise<ChainLookup> {
    const result = await readLandedResult(this.#dependencies, this.#order, signature, { status });
    return {
      landing: toLanding(result, false),
      answer: writeResult(replaceCode(result)),
      ...toLandedAs(result),
    };
  }

  async isOnChain(signature: string): Promise<boolean> {
    return isConfirmed(await readSignatureStatus(this.#dependencies.chain, signature));
  }

  refusal({ refused, reason }: Parameters<FillSubmission['refusal']>[0], signature: string): string {
    return writeResult(createSwapFailure(REFUSAL_CODES[refused], reason, signature));
  }

  settledRefusal(answer: string, isOver: boolean): string {
    const result = readResult(answer);
    if (result.kind === 'succeeded') return answer;
    const { code, reason, signature } = result;
    if (isOver && code === Code.MAKER_UNKNOWN) {
      return writeResult(createSwapFailure(Code.MAKER_FAILED_TO_LAND, `${reason}${ENDED}`, signature));
    }
    if (!isOver && code === Code.MAKER_FAILED_TO_LAND) {
      return writeResult(createSwapFailure(Code.MAKER_UNKNOWN, reason.replace(ENDED, ''), signature));
    }
    return answer;
  }

  /** Called when the execution has been answered. A fill that the maker has signed is still watched until its end. */
  close(): void {
    this.#stopCounting();
    this.#stopWatch();
    this.#watched?.close();
  }

  /**
   * While a taker cannot pay, its fill does not count in full against the maker's inventory. If such fills landed
   * after all and took what the maker now lacks, its inventory was promised twice, and the maker is not at fault.
   */
  async #isExcused(landed: LandedTransaction): Promise<boolean> {
    const shortfall = computeShortfall(this.#order, landed);
    if (shortfall === 0n || this.#claim?.wasOverbooked() !== true) return false;
    const { signedFills } = this.#dependencies;
    return (await signedFills.landedAfterAll(this.#claim, landed.slot, shortfall)) >= shortfall;
  }
}

/** The signature of the swap on the chain, which is not the one that was offered if the taker has signed again. */
function toLandedAs({ signature }: ExecutionResult): { readonly landedAs?: string } {
  return signature === null ? {} : { landedAs: signature };
}

function replaceCode(result: ExecutionResult): ExecutionResult {
  if (result.kind === 'succeeded') return result;
  // The runtime failed it on chain, and no program. That is known, and asking again changes nothing.
  if (result.slot !== null && result.code === Code.UNKNOWN) {
    return { ...result, code: Code.MAKER_INVALID_TRANSACTION };
  }
  return { ...result, code: SUBMISSION_CODES.get(result.code) ?? result.code };
}

/** The transaction is still being sent: another node may accept what one refuses for now. */
function openResult(result: ExecutionResult): ExecutionResult {
  if (result.kind === 'succeeded' || result.code !== Code.MAKER_INVALID_TRANSACTION) return result;
  return { ...result, code: Code.MAKER_UNKNOWN };
}

function toLanding(
  result: ExecutionResult,
  isBroken: boolean,
): SubmissionResult['landing'] & ChainLookup['landing'] & string {
  if (result.kind === 'succeeded') return 'landed';
  return isBroken ? 'broken' : 'lost';
}
