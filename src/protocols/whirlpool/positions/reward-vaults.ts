import type { WalletReader } from '../../../protocol/positions/fetcher.ts';
import { readTokenBalance } from '../../../protocol/positions/token-balance.ts';
import type { Address } from '../../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import type { Whirlpool } from '../program/layout.ts';

/** Atoms that the vaults of pools can still pay as rewards. */
export class RewardVaults {
  readonly #left: Map<Address, bigint>;

  constructor(left: Map<Address, bigint>) {
    this.#left = left;
  }

  /**
   * Takes what a position has earned, as far as the vault reaches. The program pays no more, and what positions have earned can
   * be far more than was put into the vault. All positions of a wallet share a vault.
   */
  take(vault: Address, earned: bigint): bigint {
    const left = this.#left.get(vault) ?? 0n;
    const taken = earned < left ? earned : left;
    this.#left.set(vault, left - taken);
    return taken;
  }
}

/** Reads the vaults of all rewards that the pools have. */
export async function readRewardVaults(
  wallet: WalletReader,
  pools: ReadonlyMap<Address, Whirlpool>,
): Promise<RewardVaults> {
  const used = [...pools.values()].flatMap(({ rewards }) =>
    rewards.filter(({ mint }) => mint !== SYSTEM_PROGRAM).map(({ vault }) => vault),
  );
  const vaults = [...new Set(used)];
  const accounts = await wallet.accounts(vaults);
  return new RewardVaults(
    new Map(vaults.map((vault, index) => [vault, readTokenBalance(accounts[index] ?? null)])),
  );
}
