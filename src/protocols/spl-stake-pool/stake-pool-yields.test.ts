import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
import { encodeStakePool } from './layout.ts';
import { STAKE_POOL_PROGRAM } from './program.ts';
import { computeStakePoolApr, computeStakePoolYield, type StakePools } from './stake-pool-yields.ts';

describe('computeStakePoolYield', () => {
  it('compounds what the rate rose in the last epoch', () => {
    const yearly = computeStakePoolYield(poolWith(1_000_400_000n), MINT);
    expect(yearly).toBeCloseTo(1.0004 ** 182.5 - 1, 9);
    expect(computeStakePoolYield(poolWith(LAST_EPOCH), MINT)).toBeNull();
  });

  it('is told without interest on interest in hundredths of a percent, too', () => {
    // 0.04 % in each of 182.5 epochs are 7.3 %; compounded, 7.57 %.
    expect(computeStakePoolApr(poolWith(1_000_400_000n), MINT)).toBe(730);
    // Stake that was slashed is lost.
    expect(computeStakePoolApr(poolWith(999_900_000n), MINT)).toBe(-182);
    for (const lamports of [LAST_EPOCH, LAST_EPOCH + 1n, LAST_EPOCH - 1n]) {
      expect(computeStakePoolApr(poolWith(lamports), MINT)).toBeNull();
    }
  });

  it.each([1_060_000_000n, 100_000_000_000n, (1n << 64n) - 1n])(
    'tells no yield of a pool that was given lamports until it had %s',
    (lamports) => {
      // Compounded, a hundredfold rate would be infinite, which no JSON can say.
      expect(computeStakePoolYield(poolWith(lamports), MINT)).toBeNull();
      expect(computeStakePoolApr(poolWith(lamports), MINT)).toBeNull();
    },
  );
});

const [MINT, POOL] = [1, 2].map((byte) => toAddress(new Uint8Array(32).fill(byte))) as [Address, Address];
const LAST_EPOCH = 1_000_000_000n;

/** A stake pool whose rate was 1 in the last epoch, and that has so many lamports for as many tokens now. */
function poolWith(totalLamports: bigint): StakePools {
  const none = { numerator: 0n, denominator: 0n };
  const data = encodeStakePool({
    manager: MINT,
    staker: MINT,
    stakeDepositAuthority: MINT,
    withdrawAuthorityBump: 255,
    validatorList: MINT,
    reserve: MINT,
    mint: MINT,
    managerFeeAccount: MINT,
    tokenProgram: MINT,
    totalLamports,
    tokenSupply: LAST_EPOCH,
    lastUpdateEpoch: 1n,
    lockup: { unixTimestamp: 0n, epoch: 0n, custodian: MINT },
    epochFee: none,
    nextEpochFee: null,
    preferredDepositValidator: null,
    preferredWithdrawValidator: null,
    stakeDepositFee: none,
    stakeWithdrawalFee: none,
    nextStakeWithdrawalFee: null,
    stakeReferralFee: 0,
    solDepositAuthority: null,
    solDepositFee: none,
    solReferralFee: 0,
    solWithdrawAuthority: null,
    solWithdrawalFee: none,
    nextSolWithdrawalFee: null,
    lastEpochTokenSupply: LAST_EPOCH,
    lastEpochTotalLamports: LAST_EPOCH,
  });
  const account = { owner: STAKE_POOL_PROGRAM, data, lamports: 1n, executable: false, rentEpoch: 0n };
  const pools = { between: () => [{ pool: { address: POOL } }], account: () => account };
  return pools as unknown as StakePools;
}
