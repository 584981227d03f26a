import type { Account } from '../chain/accounts.ts';
import type { Chain } from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';
import { BoundedCache } from '../common/collections/bounded-cache.ts';
import { isTokenProgram } from '../solana/program-addresses.ts';
import { decodeTokenAccount, isTokenAccount } from '../solana/programs/token/account.ts';

const REMEMBERED = 4_096;
/**
 * The slots for which a mint is remembered, some 13 seconds. It is not longer, because the owner of an empty token account can
 * close it, and open one of another mint at its address.
 */
const REMEMBERED_SLOTS = 32n;

/** The mint of a token account, and the slot in which it was read. */
interface RememberedMint {
  readonly mint: Address;
  readonly slot: bigint;
}

/**
 * Finds the mint of a token account. The result is cached for some slots, because busy accounts are asked for with every
 * swap, and the chain checks it in the end.
 */
export class TokenAccountMints {
  readonly #chain: Pick<Chain, 'getAccounts' | 'slot'>;
  readonly #known = new BoundedCache<Address, RememberedMint>(REMEMBERED);

  constructor(chain: Pick<Chain, 'getAccounts' | 'slot'>) {
    this.#chain = chain;
  }

  /** Returns null when there is no token account at the address. */
  async of(address: Address): Promise<Address | null> {
    const slot = this.#chain.slot('processed');
    const known = this.#known.get(address);
    // A network that begins again has earlier slots, and maybe other accounts.
    if (known !== undefined && slot >= known.slot && slot - known.slot < REMEMBERED_SLOTS) return known.mint;
    const [found] = await this.#chain.getAccounts([address]);
    const mint = decodeAccountMint(found?.account ?? null);
    // An account that does not exist may be created before the next request, so only existing ones are cached.
    if (mint !== null) this.#known.set(address, { mint, slot });
    return mint;
  }
}

function decodeAccountMint(account: Account | null): Address | null {
  if (account === null || !isTokenAccount(account.data)) return null;
  const { owner, data } = account;
  return isTokenProgram(owner) ? decodeTokenAccount(data).mint : null;
}
