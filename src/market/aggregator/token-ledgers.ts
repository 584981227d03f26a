import type { Chain } from '../../chain/chain.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { runAs } from '../../common/party.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { findProgramAddress } from '../../solana/pda.ts';
import { U64_MAX } from '../../solana/units.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import { decodeTokenLedger, TOKEN_LEDGER_DISCRIMINATOR, TOKEN_LEDGER_SIZE } from './token-accounts.ts';

/** Swaps of one slot that use the same ledger run one after the other, so several are in use. */
const MAX_USED = 16;
/** How long a network without ledgers is not searched again. */
const SEARCH_INTERVAL_MS = 30_000;

/**
 * The token ledgers of the network that the aggregator's routes can use. Any ledger will do: it is written and read in
 * the same transaction, and the program alone writes it.
 *
 * @example
 * ```ts
 * import type { Chain } from '../../chain/chain.ts';
 * import type { Address } from '../../solana/address.ts';
 * import { TokenLedgers } from './token-ledgers.ts';
 *
 * async function ledgerFor(chain: Chain, taker: Address): Promise<Address | null> {
 *   return new TokenLedgers(chain, Date.now).pick(taker);
 * }
 * ```
 */
export class TokenLedgers {
  readonly #chain: Pick<Chain, 'getProgramAccounts'>;
  readonly #now: () => number;
  #search: Promise<readonly Address[]> | null = null;
  #searchedAt = 0;

  /** @param now - Returns the time in milliseconds. */
  constructor(chain: Pick<Chain, 'getProgramAccounts'>, now: () => number) {
    this.#chain = chain;
    this.#now = now;
  }

  /**
   * Returns a ledger, always the same one for the same taker while the set of ledgers is known; null if the network has
   * none.
   * @throws ChainUnavailable when the network does not answer
   */
  async pick(taker: Address): Promise<Address | null> {
    const ledgers = await this.#known();
    return ledgers[(toAddressBytes(taker)[0] ?? 0) % ledgers.length] ?? null;
  }

  async #known(): Promise<readonly Address[]> {
    if (this.#search === null) {
      this.#searchedAt = this.#now();
      // All callers wait for it, and none may be refused because another has used up its calls.
      this.#search = runAs('own', () => findLedgers(this.#chain));
    }
    const search = this.#search;
    const forget = () => {
      if (this.#search === search) this.#search = null;
    };
    const found = await search.catch((error: unknown) => {
      forget();
      throw error;
    });
    if (found.length === 0 && this.#now() - this.#searchedAt >= SEARCH_INTERVAL_MS) forget();
    return found;
  }
}

async function findLedgers(chain: Pick<Chain, 'getProgramAccounts'>): Promise<readonly Address[]> {
  // The source of the program is not public, so the search is not by the size of a ledger.
  const filter = { memcmp: { offset: 0, bytes: TOKEN_LEDGER_DISCRIMINATOR } };
  try {
    const found = await chain.getProgramAccounts(AGGREGATOR_PROGRAM, 'confirmed', filter);
    const ledgers = found.filter(({ account }) => account !== null && decodeTokenLedger(account) !== null);
    return ledgers
      .map(({ address }) => address)
      .sort()
      .slice(0, MAX_USED);
  } catch (error) {
    // The RPC refuses to list accounts of a program, so none can be found over it.
    if (error instanceof OperatorError) return [];
    throw error;
  }
}

const LEDGERS_OF_THE_EMBEDDED_NETWORK = 4;
const SEED = new TextEncoder().encode('token_ledger');

/** Returns the empty token ledgers of the embedded network, which are the same at every start. */
export function createEmbeddedTokenLedgers() {
  return Array.from({ length: LEDGERS_OF_THE_EMBEDDED_NETWORK }, (_, index) => {
    const data = new Uint8Array(TOKEN_LEDGER_SIZE);
    data.set(TOKEN_LEDGER_DISCRIMINATOR);
    return {
      address: findProgramAddress(AGGREGATOR_PROGRAM, [SEED, Uint8Array.of(index)]).address,
      account: {
        lamports: computeRentExemptMinimum(TOKEN_LEDGER_SIZE),
        owner: AGGREGATOR_PROGRAM,
        data,
        executable: false,
        rentEpoch: U64_MAX,
      },
    };
  });
}
