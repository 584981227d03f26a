import type { IncomingTransaction } from '../ledger/incoming-transaction.ts';
import { type ProcessedTransaction, processTransaction } from '../runtime/process-transaction.ts';
import type { LiveState } from './live-state.ts';
import { findRefusalAt } from '../runtime/admission.ts';
import type { TransactionError } from '../../records/transaction-error.ts';

/** Two seconds, the interval at which RPC nodes send a transaction again. */
const RETRY_SLOTS = 5n;
/** The maximum number of waiting transactions. */
const MAX_WAITING = 10_000;

/** Errors after which no later attempt can succeed. */
const FINAL_ERRORS: ReadonlySet<TransactionError> = new Set([
  'AccountLoadedTwice',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'InvalidAccountIndex',
  'InvalidLoadedAccountsDataSizeLimit',
  'MissingSignatureForFee',
  'SanitizeFailure',
  'SignatureFailure',
  'TooManyAccountLocks',
  'UnsupportedVersion',
]);

interface PendingSubmission {
  readonly incoming: IncomingTransaction;
  /** The slot of the next attempt. */
  readonly due: bigint;
  readonly retriesLeft: number;
  /** The error with which an injected fault lets it fail. Null when it is executed as usual. */
  readonly injected: TransactionError | null;
}

/** Processes submitted transactions: at once if possible, and later if they have to wait or to be tried again. */
export class SubmissionQueue {
  readonly #live: LiveState;
  readonly #onIncluded: (landing: Extract<ProcessedTransaction, { kind: 'included' }>) => void;
  #waiting: PendingSubmission[] = [];

  constructor(
    live: LiveState,
    onIncluded: (landing: Extract<ProcessedTransaction, { kind: 'included' }>) => void,
  ) {
    this.#live = live;
    this.#onIncluded = onIncluded;
  }

  get isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING;
  }

  /** Submits a transaction. `retries` is the maximum number of further attempts. */
  submit(incoming: IncomingTransaction, retries: number): void {
    const { ledger, faults, nextFaults } = this.#live;
    const { slot } = ledger.blocks.open;
    const strike = nextFaults.strike(incoming, slot);
    if (strike?.fault.effect === 'drop') return;
    const delayed = strike?.fault.effect === 'delay' ? strike.slot + BigInt(strike.fault.slots) : slot;
    const due = (delayed > slot ? delayed : slot) + BigInt(faults.delay());
    const injected: TransactionError | null =
      strike?.fault.effect === 'fail' ? { InstructionError: [0, { Custom: strike.fault.code }] } : null;
    this.#attemptOrWait({ incoming, due, retriesLeft: retries, injected });
  }

  /** Processes the transactions that are due. Called when a slot begins. */
  runDue(): void {
    const { slot } = this.#live.ledger.blocks.open;
    const waiting = this.#waiting;
    this.#waiting = waiting.filter((entry) => entry.due > slot);
    for (const entry of waiting) if (entry.due <= slot) this.#attemptOrWait(entry);
  }

  #attemptOrWait(entry: PendingSubmission): void {
    const next = this.#attempt(entry);
    if (next !== null && !this.isFull) this.#waiting.push(next);
  }

  /** Makes one attempt. Returns what is left to do, or null when the transaction landed or never will. */
  #attempt(entry: PendingSubmission): PendingSubmission | null {
    const { ledger, faults, open } = this.#live;
    const { incoming } = entry;
    const { slot } = ledger.blocks.open;
    if (entry.due > slot) return entry;
    if (faults.drops()) return retried(entry, slot);
    if (incoming.fee.price < faults.faults.congestion) {
      return findRefusalAt(ledger, incoming, slot) === null ? { ...entry, due: slot + 1n } : null;
    }
    const landing = processTransaction(ledger, incoming, open.length, entry.injected);
    if (landing.kind === 'included') {
      this.#onIncluded(landing);
      return null;
    }
    return isFinal(landing.error) ? null : retried(entry, slot);
  }
}

function retried(entry: PendingSubmission, slot: bigint): PendingSubmission | null {
  if (entry.retriesLeft <= 0) return null;
  return { ...entry, due: slot + RETRY_SLOTS, retriesLeft: entry.retriesLeft - 1 };
}

/** Whether the error is final. An instruction error without inclusion means that the compute budget is invalid. */
function isFinal(error: TransactionError): boolean {
  return typeof error === 'object' ? !('InsufficientFundsForRent' in error) : FINAL_ERRORS.has(error);
}
