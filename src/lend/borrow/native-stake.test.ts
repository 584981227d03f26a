import { describe, expect, it } from 'vitest';
import type { Account } from '../../chain/accounts.ts';
import type { OracleSource, SourceType } from '../../protocols/jupiter-lend/oracle/layouts.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeStakeAccount, type StakeAccount } from '../../solana/programs/stake.ts';
import { findNativeStakeVoteAccount, deriveSinglePoolMint } from './native-stake.ts';

describe('findNativeStakeVoteAccount', () => {
  it('is the validator of the pool whose token it is', () => {
    expect(found(deriveSinglePoolMint(VOTE), stakeOf(VOTE))).toBe(VOTE);
  });

  it.each<[string, Address, Account | null, SourceType?]>([
    ['a token of another validator', deriveSinglePoolMint(VOTE), stakeOf(STRANGER)],
    ['any token with the oracle of a pool', POOL_MINT, stakeOf(VOTE)],
    ['a stake account that delegates nothing', deriveSinglePoolMint(VOTE), stakeOf(null)],
    ['an account of another program', deriveSinglePoolMint(VOTE), stakeOf(VOTE, SYSTEM_PROGRAM)],
    [
      'an account that is too short',
      deriveSinglePoolMint(VOTE),
      { ...stakeOf(VOTE), data: new Uint8Array(9) },
    ],
    ['no account', deriveSinglePoolMint(VOTE), null],
    ['a source of another kind', deriveSinglePoolMint(VOTE), stakeOf(VOTE), 'stakePool'],
  ])('is null for %s', (_, mint, account, sourceType) => {
    expect(found(mint, account, sourceType)).toBeNull();
  });
});

const numbered = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
const [VOTE, STRANGER, STAKE, POOL_MINT] = [1, 2, 3, 4].map(numbered) as [Address, Address, Address, Address];

function stakeOf(voter: Address | null, owner: Address = STAKE_PROGRAM): Account {
  const delegation =
    voter === null ? null : { voter, stake: 1n, activationEpoch: 0n, deactivationEpoch: (1n << 64n) - 1n };
  const stake: StakeAccount = {
    rentExemptReserve: 1n,
    staker: POOL_MINT,
    withdrawer: POOL_MINT,
    lockup: { unixTimestamp: 0n, epoch: 0n, custodian: SYSTEM_PROGRAM },
    delegation,
  };
  return { owner, data: encodeStakeAccount(stake), lamports: 1n, executable: false, rentEpoch: 0n };
}

function found(mint: Address, account: Account | null, sourceType: SourceType = 'singlePool') {
  const source = (address: Address): OracleSource => ({
    source: address,
    invert: false,
    multiplier: 1n,
    divisor: 1n,
    sourceType,
  });
  const read = (address: Address) => (address === STAKE ? account : null);
  return findNativeStakeVoteAccount(mint, { sources: [source(POOL_MINT), source(STAKE)] }, read);
}
