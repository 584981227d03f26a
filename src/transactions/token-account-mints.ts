import type { Account } from '../chain/accounts.ts';
import type { Chain } from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';
import { BoundedCache } from '../common/collections/bounded-cache.ts';
import { isTokenProgram } from '../solana/program-addresses.ts';
import { decodeTokenAccount, isTokenAccount } from '../solana/programs/token/account.ts';

const REMEMBERED = 4_096;

/**
 * Finds the mint of a token account. The result is cached: an account rarely changes its mint, and the chain checks
 * it in the end.
 */
export class TokenAccountMints {
  readonly #chain: Chain;
  readonly #known = new BoundedCache<Address, Address>(REMEMBERED);

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  /** Returns null when there is no token account at the address. */
  async of(address: Address): Promise<Address | null> {
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    const [found] = await this.#chain.getAccounts([address]);
    const mint = decodeAccountMint(found?.account ?? null);
    // An account that does not exist may be created before the next request, so only existing ones are cached.
    if (mint !== null) this.#known.set(address, mint);
    return mint;
  }
}

function decodeAccountMint(account: Account | null): Address | null {
  if (account === null || !isTokenAccount(account.data)) return null;
  const { owner, data } = account;
  return isTokenProgram(owner) ? decodeTokenAccount(data).mint : null;
}
