import { type Address, toAddressBytes } from '../../solana/address.ts';
import { type Unreadable, readEach, type WalletReader } from '../../protocol/positions/fetcher.ts';
import {
  decodePartialUnstake,
  decodeVoteEscrow,
  JUP_LOCKER,
  PARTIAL_UNSTAKE_ESCROW_AT,
  type PartialUnstake,
  VOTER_PROGRAM,
  type VoteEscrow,
  deriveVoteEscrowAddress,
} from './layout.ts';

/** The stake with which a wallet votes. */
export interface GovernanceStake {
  readonly escrow: VoteEscrow & { readonly address: Address };
  readonly unstaking: readonly (PartialUnstake & { readonly address: Address })[];
  readonly unreadable: readonly Unreadable[];
}

/**
 * Reads the wallet's stake in JUP's locker.
 *
 * Returns the stake, or null if the wallet has never staked.
 * @throws LayoutInvalid when its escrow cannot be read.
 */
export async function readGovernanceStake(wallet: WalletReader): Promise<GovernanceStake | null> {
  const address = deriveVoteEscrowAddress(JUP_LOCKER, wallet.owner);
  const [account] = await wallet.accounts([address]);
  if (account == null || account.owner !== VOTER_PROGRAM) return null;
  const escrow = { address, ...decodeVoteEscrow(account.data) };
  const memcmp = { offset: PARTIAL_UNSTAKE_ESCROW_AT, bytes: toAddressBytes(address) };
  // A memo makes the account longer, and the first version of the program wrote no memo at all, so the search is not by size.
  const found = await wallet.programAccounts(VOTER_PROGRAM, { memcmp });
  const { positions, unreadable } = readEach(found, (each) => ({
    address: each.address,
    ...decodePartialUnstake(each.account.data),
  }));
  return { escrow, unstaking: positions, unreadable };
}
