import type { Account } from '../../chain/chain.ts';
import type { Faults } from '../../chain/embedded/faults.ts';
import type { Address } from '../../solana/address.ts';

/**
 * What the admin interface does to the embedded network. What cannot be done throws `FaucetRefused` or `AdminRefused`
 * with a sentence for whoever asked.
 */
export interface NetworkControls {
  /** Atoms of `mint` to the wallet's associated token account. */
  faucet(
    wallet: Address,
    mint: Address,
    amount: bigint,
  ): Promise<{ readonly signature: string; readonly account: Address }>;
  /** Jumps ahead by empty slots and by seconds of the chain's clock. */
  warp(by: {
    readonly slots: number;
    readonly seconds: number;
  }): Promise<{ readonly slot: bigint; readonly unixTimestamp: bigint }>;
  /** Null deletes. Resolves to the slot. */
  setAccounts(
    accounts: readonly { readonly address: Address; readonly account: Account | null }[],
  ): Promise<bigint>;
  saveSnapshot(name: string): Promise<void>;
  restoreSnapshot(name: string): Promise<void>;
  deleteSnapshot(name: string): Promise<void>;
  snapshots(): Promise<readonly { readonly name: string; readonly slot: bigint }[]>;
  setFaults(faults: Faults): Promise<void>;
  faults(): Promise<Faults>;
}
