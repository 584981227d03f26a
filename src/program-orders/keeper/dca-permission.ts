import type { Account } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import { decodeDcaFeeAuthority } from '../../protocols/jupiter-dca/dca-fee-authority.ts';
import { DCA_FEE_AUTHORITY, DCA_PROGRAM } from '../../protocols/jupiter-dca/dca-program.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';

/** Follows whether the program lets a key fill DCA orders. */
export class DcaPermission {
  readonly #keeper: Address | null;
  readonly #onChange: () => void;
  #isGiven = false;
  #slot = -1n;

  /** @param keeper - Null has no permission. */
  constructor(keeper: Address | null, onChange: () => void) {
    this.#keeper = keeper;
    this.#onChange = onChange;
  }

  get isGiven(): boolean {
    return this.#isGiven;
  }

  /**
   * Reads the account that names the keepers, and follows it until the returned function is called.
   *
   * @throws ChainUnavailable when the network does not answer
   */
  async follow(chain: Pick<Chain, 'getAccounts' | 'watchAccounts'>): Promise<() => void> {
    if (this.#keeper === null) return () => undefined;
    const { address } = DCA_FEE_AUTHORITY;
    const stop = chain.watchAccounts([address], (updates) => {
      for (const { slot, account } of updates) this.#note(slot, account);
    });
    try {
      for (const { slot, account } of await chain.getAccounts([address])) this.#note(slot, account);
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  #note(slot: bigint, account: Account | null): void {
    if (slot < this.#slot) return;
    this.#slot = slot;
    const isGiven = this.#keeper !== null && listKeepers(account).includes(this.#keeper);
    if (isGiven === this.#isGiven) return;
    this.#isGiven = isGiven;
    this.#onChange();
  }
}

/** On the public network, the account has no data: there the keepers are written into the program itself. */
function listKeepers(account: Account | null): readonly Address[] {
  if (account === null || account.owner !== DCA_PROGRAM) return [];
  try {
    return decodeDcaFeeAuthority(account.data).keepers;
  } catch (error) {
    if (error instanceof LayoutInvalid) return [];
    throw error;
  }
}
