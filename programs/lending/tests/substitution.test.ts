import { describe, expect, it } from 'vitest';
import {
  type EarnAction,
  createEarnInstruction,
} from '../../../src/protocols/jupiter-lend/lending/instructions.ts';
import type { Address } from '../../../src/solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { substituteAccounts } from '../../../src/testing/svm/substitution.ts';
import { initRewardsRateModel, rewardsAddress } from '../../lending-reward-rate-model/tests/instructions.ts';
import { rateModelAddress, reserveAddress, supplyPositionAddress } from '../../liquidity/tests/addresses.ts';
import { initTokenReserve, reserveVault } from '../../liquidity/tests/instructions.ts';
import { token, writeTokenAccount } from '../../raydium-cpmm/tests/fixture.ts';
import { updateRate } from './instructions.ts';
import { LendingWorld } from './world.ts';

describe('an instruction with another account in any place', () => {
  it.each([
    ['deposit', 5_000_000n],
    ['mint', 5_000_000n],
    ['withdraw', 3_000_000n],
    ['redeem', 3_000_000n],
  ] as const)('is refused, or does the same: %s', (action, amount) => {
    const world = lendingWithDeposit();
    const others = accountsOfOthers(world);
    const found = substituteAccounts(world.network, [earn(world, action, amount)], others);
    expect(found.surprises).toEqual([]);
    expect(found.refused).toBeGreaterThan(50);
  });

  it('is refused, or does the same: update_rate', () => {
    const world = lendingWithDeposit();
    const others = accountsOfOthers(world);
    const found = substituteAccounts(world.network, [updateRate(world.token.mint)], others);
    expect(found.surprises).toEqual([]);
    expect(found.refused).toBeGreaterThan(10);
  });
});

/** Returns an earn token with a deposit and a borrower. */
function lendingWithDeposit(): LendingWorld {
  const world = new LendingWorld();
  world.liquidity.must(earn(world, 'deposit', 40_000_000n));
  world.liquidity.operate(world.liquidity.protocol(), 0n, 9_000_000n);
  world.liquidity.pass(1_000_000n);
  return world;
}

function earn({ user, token: { mint, tokenProgram } }: LendingWorld, action: EarnAction, amount: bigint) {
  return createEarnInstruction(action, { signer: user, mint, tokenProgram }, amount);
}

/** Returns accounts of another user and another protocol, and accounts of another token. */
function accountsOfOthers({ network, liquidity, token: own, receipt }: LendingWorld): readonly Address[] {
  const { admin } = liquidity;
  const other = token('other');
  const mint = { mintAuthority: null, supply: 1n << 50n, decimals: 6, freezeAuthority: null, extensions: [] };
  network.setData(other.mint, other.tokenProgram, encodeMint(mint));
  liquidity.must(initTokenReserve(admin, other));
  liquidity.must(initRewardsRateModel(admin, other.mint));
  const user = network.newWallet();
  const holdings = [own, receipt, other].map((each) => {
    const address = deriveAssociatedTokenAddress(user, each.mint, each.tokenProgram);
    writeTokenAccount(network, address, user, each, 50_000_000n);
    return address;
  });
  return [
    user,
    ...holdings,
    other.mint,
    reserveAddress(other.mint),
    rateModelAddress(other.mint),
    reserveVault(other),
    rewardsAddress(other.mint),
    supplyPositionAddress(own.mint, liquidity.protocol()),
  ];
}
