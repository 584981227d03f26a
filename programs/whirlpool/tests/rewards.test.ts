import { beforeEach, describe, expect, it } from 'vitest';
import { encodeWhirlpool } from '../../../src/protocols/whirlpool/program/layout.ts';
import { WHIRLPOOL_PROGRAM } from '../../../src/protocols/whirlpool/program/program.ts';
import {
  namedAddress,
  token,
  withTransferFee,
  writeMint,
  writeTokenAccount,
} from '../../raydium-cpmm/tests/fixture.ts';
import { USER } from './fixture.ts';
import { changeLiquidity, closePosition, type LiquidityAccounts, updateFees } from './instructions.ts';
import { collectReward, collectRewardV2, type RewardAccounts } from './instructions-v2.ts';
import {
  ADMIN,
  createPool,
  network,
  openWith,
  pool,
  refuse,
  send,
  startOver,
  state,
  succeed,
} from './liquidity-world.ts';

let accounts: LiquidityAccounts;
/** Prepares a pool whose only position has earned two rewards for a while. */
beforeEach(setUp);

describe('rewards', () => {
  it('are paid once, and only as much as is recorded', () => {
    succeed(collectReward(accounts, plain));
    expect(paid(plain)).toBe(OWED);
    succeed(collectReward(accounts, plain));
    expect(paid(plain)).toBe(OWED);
  });

  it('of Token-2022 are paid less the fee of the transfer, by the newer instruction', () => {
    expect(send(collectReward(accounts, taxed)).error?.custom).toBe(3007);
    const { logs } = succeed(collectRewardV2(accounts, taxed));
    expect(logs.some((line) => line.includes('TFe: 100, 700'))).toBe(true);
    expect(paid(taxed)).toBe(OWED - 700n);
    succeed(collectRewardV2(accounts, plain));
    expect(paid(plain)).toBe(OWED);
  });

  it('stay recorded if the vault has too little', () => {
    writeVault(plain, OWED - 1n);
    succeed(collectReward(accounts, plain));
    expect(paid(plain)).toBe(OWED - 1n);
    writeVault(plain, 5n);
    succeed(collectRewardV2(accounts, plain));
    expect(paid(plain)).toBe(OWED);
    expect(network.tokenBalance(plain.vault)).toBe(4n);
  });

  it('are those of the position’s holder, from the pool’s vault', () => {
    const thief = { ...accounts, position: { ...accounts.position, owner: ADMIN } };
    for (const collect of [collectReward, collectRewardV2]) {
      refuse(6019, collect(thief, plain));
      refuse(2012, collect(accounts, { ...plain, vault: plain.owner }));
      refuse(2003, collect(accounts, { ...plain, index: 2 }));
      expect(send(collect(accounts, { ...plain, index: 3 })).error?.kind).toBe('ProgramFailedToComplete');
    }
    refuse(2012, collectRewardV2(accounts, { ...plain, token: { ...plain.token, mint: taxed.token.mint } }));
    refuse(6048, collectRewardV2(accounts, plain, [[0, 1]]));
    refuse(6049, collectRewardV2(accounts, plain, [[2, 1]]));
  });

  it('keep a position from being closed until they are paid', () => {
    succeed(changeLiquidity('decrease', accounts, 1n << 40n, [0n, 0n]));
    refuse(6005, closePosition(accounts.position, USER));
    succeed(collectReward(accounts, plain), collectRewardV2(accounts, taxed));
    succeed(closePosition(accounts.position, USER));
  });
});

const NOW = 1_700_000_000n;
const SECONDS = 100n;
const EMISSIONS = 1_000n;
const OWED = SECONDS * EMISSIONS;

const plain = rewardOf(0, token('reward'));
const taxed = rewardOf(
  1,
  token('reward with fee', [withTransferFee({ basisPoints: 100, maximumFee: 700n })]),
);

function rewardOf(index: number, of: ReturnType<typeof token>) {
  const [vault, owner] = [namedAddress(`reward vault ${index}`), namedAddress(`reward owner ${index}`)];
  return { index, token: of, vault, owner };
}

function writeVault({ token: of, vault }: typeof plain, amount: bigint): void {
  writeTokenAccount(network, vault, pool.address, of, amount);
}

function setUp(): void {
  startOver();
  createPool();
  const before = state();
  const used = (index: 0 | 1, { token: of, vault }: typeof plain) => ({
    ...before.rewards[index],
    mint: of.mint,
    vault,
    emissionsPerSecond: EMISSIONS << 64n,
  });
  const rewards = [used(0, plain), used(1, taxed), before.rewards[2]] as const;
  network.setData(pool.address, WHIRLPOOL_PROGRAM, encodeWhirlpool({ ...before, rewards }));
  for (const each of [plain, taxed]) {
    writeMint(network, each.token);
    writeVault(each, 1n << 40n);
    writeTokenAccount(network, each.owner, USER, each.token, 0n);
  }
  accounts = openWith(-640, 640, 1n << 40n);
  network.setUnixTime(NOW + SECONDS);
  succeed(updateFees(accounts));
}

const paid = ({ owner }: RewardAccounts) => network.tokenBalance(owner);
