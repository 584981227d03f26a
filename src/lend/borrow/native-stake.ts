import type { Account } from '../../chain/accounts.ts';
import type { OracleAccount } from '../../protocols/jupiter-lend/oracle/layouts.ts';
import { cachePerAccount } from '../../protocol/venue/once-per-account.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { findProgramAddress } from '../../solana/pda.ts';
import { STAKE_PROGRAM } from '../../solana/program-addresses.ts';
import { decodeStakeAccount } from '../../solana/programs/stake.ts';

/** The program of pools that stake with one validator each. Its public source is `solana-program/single-pool`. */
const SINGLE_POOL_PROGRAM = 'SVSPxpvHdN29nkVg9rPapPNDddN5DipNLRUFhyjFThE' as Address;

/**
 * Finds the validator that the SOL behind a token is staked with. The oracle of a vault names the stake account of such a
 * token's pool, and everybody can create an oracle, so the token has to be the one of the validator's pool.
 *
 * @param read - Returns an account that the oracle names; null if it does not exist.
 * @returns the vote account; null for every other token
 */
export function findNativeStakeVoteAccount(
  mint: Address,
  { sources }: Pick<OracleAccount, 'sources'>,
  read: (address: Address) => Account | null,
): Address | null {
  for (const { source, sourceType } of sources) {
    const account = sourceType === 'singlePool' ? read(source) : null;
    const pool = account === null ? null : poolOf(account);
    if (pool !== null && pool.mint === mint) return pool.voteAccount;
  }
  return null;
}

const poolOf = cachePerAccount(({ owner, data }) => {
  if (owner !== STAKE_PROGRAM) return null;
  const voteAccount = findVoter(data);
  return voteAccount === null ? null : { voteAccount, mint: deriveSinglePoolMint(voteAccount) };
});

/** Returns the mint of the only pool that a vote account has. */
export function deriveSinglePoolMint(voteAccount: Address): Address {
  const pool = findProgramAddress(SINGLE_POOL_PROGRAM, [Buffer.from('pool'), toAddressBytes(voteAccount)]);
  return findProgramAddress(SINGLE_POOL_PROGRAM, [Buffer.from('mint'), toAddressBytes(pool.address)]).address;
}

function findVoter(data: Uint8Array): Address | null {
  try {
    return decodeStakeAccount(data).delegation?.voter ?? null;
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
