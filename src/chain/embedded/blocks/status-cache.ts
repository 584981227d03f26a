import { MAX_BLOCKHASH_AGE } from '../../recent-blockhashes.ts';
import type { TransactionError } from '../records/transaction-error.ts';

/** What is known of a transaction that was included while its blockhash could still be used. */
export interface CachedStatus {
  readonly signature: string;
  /** Hash of the message: two signatures of one message are one transaction. */
  readonly messageHash: string;
  readonly slot: bigint;
  readonly height: bigint;
  readonly error: TransactionError | null;
}

/** Remembers included transactions until their blockhash has expired, so that none is executed twice. */
export class StatusCache {
  readonly #bySignature = new Map<string, CachedStatus>();
  readonly #messages = new Set<string>();
  /** Oldest first; those before `#first` were forgotten. */
  #order: CachedStatus[] = [];
  #first = 0;

  add(status: CachedStatus): void {
    this.#bySignature.set(status.signature, status);
    this.#messages.add(status.messageHash);
    this.#order.push(status);
  }

  get(signature: string): CachedStatus | null {
    return this.#bySignature.get(signature) ?? null;
  }

  hasMessage(messageHash: string): boolean {
    return this.#messages.has(messageHash);
  }

  entries(): readonly CachedStatus[] {
    return this.#order.slice(this.#first);
  }

  /** To be called when the tip's height rose: forgets transactions whose blockhash expired before it. */
  forgetBefore(height: bigint): void {
    while (this.#first < this.#order.length) {
      const status = this.#order[this.#first];
      if (status === undefined || status.height + MAX_BLOCKHASH_AGE >= height) break;
      this.#bySignature.delete(status.signature);
      this.#messages.delete(status.messageHash);
      this.#first++;
    }
    if (this.#first * 2 > this.#order.length) {
      this.#order = this.#order.slice(this.#first);
      this.#first = 0;
    }
  }
}
