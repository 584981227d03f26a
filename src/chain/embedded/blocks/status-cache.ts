import type { TransactionError } from '../../records/transaction-error.ts';

/** The status of an included transaction whose blockhash has not expired. */
export interface CachedStatus {
  readonly signature: string;
  /** The hash of the message. Transactions with the same message count as one, whatever their signatures. */
  readonly messageHash: string;
  readonly slot: bigint;
  readonly height: bigint;
  readonly error: TransactionError | null;
}

/** Remembers included transactions until their blockhash has expired, so that none is executed twice. */
export class StatusCache {
  readonly #bySignature = new Map<string, CachedStatus>();
  readonly #messages = new Set<string>();
  /** Oldest first. Those before `#first` were dropped. */
  #order: CachedStatus[] = [];
  #first = 0;
  readonly #blockhashLifetime: bigint;

  constructor(blockhashLifetime: bigint) {
    this.#blockhashLifetime = blockhashLifetime;
  }

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

  /** Drops transactions whose blockhash expired before `height`. Called when the tip's height has risen. */
  forgetBefore(height: bigint): void {
    while (this.#first < this.#order.length) {
      const status = this.#order[this.#first];
      if (status === undefined || status.height + this.#blockhashLifetime >= height) break;
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
