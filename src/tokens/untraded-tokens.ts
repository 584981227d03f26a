import { BoundedCache } from '../common/collections/bounded-cache.ts';
import type { Timers } from '../common/ports/timers.ts';
import { PartyShares } from '../common/collections/fair-shares.ts';
import { getCurrentWorker } from '../common/party.ts';
import { Unavailable } from '../common/unavailable.ts';
import type { Address } from '../solana/address.ts';
import type { ReadMint } from './read-mints.ts';
import type { TokenRecord } from './records.ts';

export interface UntradedTokensOptions {
  readonly timers: Pick<Timers, 'now'>;
  readonly read: (mints: readonly Address[]) => Promise<readonly ReadMint[]>;
  readonly recordOf: (read: ReadMint) => TokenRecord;
}

/** The most reads in flight at once that requests cause, of which each caller has a share. */
const MAX_READS = 8;
const RETRY_AFTER_SECONDS = 1;
/** For how long a token is remembered, so that clients which ask again and again cause no reads. */
const REMEMBERED_MS = 2_000;
const MAX_REMEMBERED = 2_000;

/** The tokens that no pool trades. They are read from the chain when a request names them, and remembered for two seconds. */
export class UntradedTokens {
  readonly #options: UntradedTokensOptions;
  readonly #records = new BoundedCache<Address, TokenRecord>(MAX_REMEMBERED);
  readonly #reads = new PartyShares(MAX_READS);

  constructor(options: UntradedTokensOptions) {
    this.#options = options;
  }

  /** Returns null for a token that was not read lately. */
  get(mint: Address): TokenRecord | null {
    const record = this.#records.get(mint);
    if (record === undefined || this.#options.timers.now() - record.readAt > REMEMBERED_MS) return null;
    return record;
  }

  /** @throws Unavailable if too many reads are in flight, or too many of whoever asks */
  async read(mints: readonly Address[]): Promise<void> {
    const giveBack = this.#reads.take(getCurrentWorker());
    if (giveBack === null) {
      throw new Unavailable('too many tokens that no pool trades are being read; ask again in a second', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    try {
      const { read, recordOf } = this.#options;
      for (const each of await read(mints)) this.#records.set(each.mint, recordOf(each));
    } finally {
      giveBack();
    }
  }
}
