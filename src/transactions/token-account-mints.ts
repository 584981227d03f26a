import type { Account, Chain } from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';
import { BoundedCache } from '../common/collections/bounded-cache.ts';
import { isTokenProgram } from '../solana/program-addresses.ts';
import { decodeTokenAccount, isTokenAccount } from '../solana/programs/token/account.ts';

const REMEMBERED = 4_096;

/** Which mint a token account is of. Looked up once: an account rarely ever changes its mint, and the chain has the last word. */
export class TokenAccountMints {
  readonly #chain: Chain;
  readonly #known = new BoundedCache<Address, Address>(REMEMBERED);

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  /** Null when there is no token account at the address. */
  async of(address: Address): Promise<Address | null> {
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    const [found] = await this.#chain.getAccounts([address]);
    const mint = mintOf(found?.account ?? null);
    // An account that is not there yet may be created before the next request, so only what exists is remembered.
    if (mint !== null) this.#known.set(address, mint);
    return mint;
  }
}

function mintOf(account: Account | null): Address | null {
  if (account === null || !isTokenAccount(account.data)) return null;
  const { owner, data } = account;
  return isTokenProgram(owner) ? decodeTokenAccount(data).mint : null;
}
