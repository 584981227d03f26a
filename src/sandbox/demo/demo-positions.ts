import { toLedgerMint } from '../../protocol/genesis/mints.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { parseDecimalAmount } from '../../solana/codec/decimal-amount.ts';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeStakeAccount, STAKE_ACCOUNT_SIZE } from '../../solana/programs/stake.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import {
  deriveVestingEscrow,
  encodeVestingEscrow,
  LOCK_PROGRAM,
  LockMode,
  LockTokenProgram,
} from '../../protocols/jupiter-lock/layout.ts';
import { addAirdrop } from './airdrop.ts';
import { addCollectible } from './collectible.ts';
import { type DemoContext, deriveDemoAddress } from './demo-context.ts';
import { addGovernanceStake } from './governance.ts';
import { addOrders } from './orders.ts';
import { addPerpetuals } from './perpetuals.ts';

const DAY = 86_400n;
const NEVER = (1n << 64n) - 1n;

/**
 * Writes a position of the owner in each program that portfolios read and that is not in the embedded network: stakes, a
 * governance stake, a lock, orders, perpetuals, a loan, an airdrop and a collectible. The accounts are as the public programs
 * would have written them, and they never change. Shares of pools are given by `addWalletPositions`, and positions of the
 * lending programs by the genesis of their protocol.
 */
export function addDemoPositions(demo: DemoContext): void {
  addStakes(demo);
  addGovernanceStake(demo);
  addLock(demo);
  addOrders(demo);
  addPerpetuals(demo);
  addAirdrop(demo);
  addCollectible(demo);
}

/**
 * Adds a stake of 25 SOL that is active from the start, with a surplus of 0.04 SOL, and one of 10 SOL that is
 * deactivating.
 */
function addStakes({ ledger, owner }: DemoContext): void {
  const voter = deriveDemoAddress('validator');
  const stakes = [
    { name: 'stake 0', lamports: 25_000_000_000n, surplus: 40_000_000n, deactivationEpoch: NEVER },
    { name: 'stake 1', lamports: 10_000_000_000n, surplus: 0n, deactivationEpoch: 0n },
  ];
  for (const { name, lamports, surplus, deactivationEpoch } of stakes) {
    const data = encodeStakeAccount({
      rentExemptReserve: computeRentExemptMinimum(STAKE_ACCOUNT_SIZE),
      staker: owner,
      withdrawer: owner,
      lockup: { unixTimestamp: 0n, epoch: 0n, custodian: SYSTEM_PROGRAM },
      delegation: { voter, stake: lamports, activationEpoch: NEVER, deactivationEpoch },
    });
    ledger.addData(deriveDemoAddress(name), STAKE_PROGRAM, data, lamports + surplus);
  }
}

/**
 * Adds a lock of 4,000 PYTH. A quarter unlocks after a month, and the rest in twelve monthly parts. Nothing was claimed
 * yet.
 */
function addLock({ ledger, owner, foundedAt }: DemoContext): void {
  const pyth = getGenesisToken('PYTH');
  const part = parseDecimalAmount('250', pyth.decimals);
  const base = deriveDemoAddress('lock base');
  const escrow = deriveVestingEscrow(base).address;
  const data = encodeVestingEscrow({
    recipient: owner,
    mint: pyth.mint,
    creator: deriveDemoAddress('lock creator'),
    base,
    tokenProgramFlag: LockTokenProgram.TOKEN,
    updateRecipientMode: LockMode.NOBODY,
    cancelMode: LockMode.NOBODY,
    vestingStartTime: foundedAt + 30n * DAY,
    cliffTime: foundedAt + 30n * DAY,
    frequency: 30n * DAY,
    cliffUnlockAmount: 4n * part,
    amountPerPeriod: part,
    periods: 12n,
    claimed: 0n,
    cancelledAt: 0n,
  });
  ledger.addData(escrow, LOCK_PROGRAM, data);
  ledger.addAssociatedTokens(toLedgerMint(pyth), { owner: escrow, amount: 16n * part });
}
