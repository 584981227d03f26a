import type { Incoming } from '../ledger/incoming.ts';
import { type ProcessedTransaction, processTransaction } from '../runtime/process-transaction.ts';
import type { Live } from './slot-view.ts';
import { refusalAt } from '../runtime/admission.ts';
import type { TransactionError } from '../records/transaction-error.ts';

/** RPC nodes send a transaction that did not land again every two seconds. */
const RETRY_SLOTS = 5n;
/** Transactions that can wait to land. */
const CAPACITY = 10_000;

/** Errors that no later attempt can mend. */
const FINAL: ReadonlySet<TransactionError> = new Set([
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

interface Waiting {
  readonly incoming: Incoming;
  /** The slot of the next attempt. */
  readonly due: bigint;
  readonly retriesLeft: number;
}

/** Lands transactions at once where nothing stands in the way, and later what has to wait or is tried again. */
export class Submission {
  readonly #live: Live;
  readonly #onIncluded: (landing: Extract<ProcessedTransaction, { kind: 'included' }>) => void;
  #waiting: Waiting[] = [];

  constructor(
    live: Live,
    onIncluded: (landing: Extract<ProcessedTransaction, { kind: 'included' }>) => void,
  ) {
    this.#live = live;
    this.#onIncluded = onIncluded;
  }

  get isFull(): boolean {
    return this.#waiting.length >= CAPACITY;
  }

  /** `retries` counts attempts after one that was lost or refused for now. */
  submit(incoming: Incoming, retries: number): void {
    const { ledger, faults } = this.#live;
    const due = ledger.blocks.open.slot + BigInt(faults.delay());
    this.#attemptOrWait({ incoming, due, retriesLeft: retries });
  }

  /** To be called when a slot begins. */
  runDue(): void {
    const { slot } = this.#live.ledger.blocks.open;
    const waiting = this.#waiting;
    this.#waiting = waiting.filter((entry) => entry.due > slot);
    for (const entry of waiting) if (entry.due <= slot) this.#attemptOrWait(entry);
  }

  #attemptOrWait(entry: Waiting): void {
    const next = this.#attempt(entry);
    if (next !== null && !this.isFull) this.#waiting.push(next);
  }

  /** What is left to do: null when the transaction landed or never will. */
  #attempt(entry: Waiting): Waiting | null {
    const { ledger, faults, open } = this.#live;
    const { incoming } = entry;
    const { slot } = ledger.blocks.open;
    if (entry.due > slot) return entry;
    if (faults.drops()) return retried(entry, slot);
    if (incoming.fee.price < faults.faults.congestion) {
      return refusalAt(ledger, incoming, slot) === null ? { ...entry, due: slot + 1n } : null;
    }
    const landing = processTransaction(ledger, incoming, open.length);
    if (landing.kind === 'included') {
      this.#onIncluded(landing);
      return null;
    }
    return isFinal(landing.error) ? null : retried(entry, slot);
  }
}

function retried(entry: Waiting, slot: bigint): Waiting | null {
  if (entry.retriesLeft <= 0) return null;
  return { ...entry, due: slot + RETRY_SLOTS, retriesLeft: entry.retriesLeft - 1 };
}

/** An instruction can only fail without being included when its compute budget is not valid. */
function isFinal(error: TransactionError): boolean {
  return typeof error === 'object' ? !('InsufficientFundsForRent' in error) : FINAL.has(error);
}
