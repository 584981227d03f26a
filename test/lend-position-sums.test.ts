import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../src/testing/random.ts';
import { GENESIS_TIME } from '../src/sandbox/genesis/build-genesis.ts';
import { earnReceipts } from '../src/protocols/jupiter-lend/lending/positions.ts';
import { LENDING } from '../src/protocols/jupiter-lend/lending/layouts.ts';
import { LENDING_PROGRAM, VAULTS_PROGRAM } from '../src/protocols/jupiter-lend/lending-base/programs.ts';
import {
  POSITION,
  VAULT_CONFIG,
  VAULT_STATE,
  type VaultState,
} from '../src/protocols/jupiter-lend/vaults/state/layouts.ts';
import { toAtoms } from '../src/protocols/jupiter-lend/lending-base/amounts.ts';
import { deriveReserveAddress } from '../src/protocols/jupiter-lend/liquidity/addresses.ts';
import { computeExchangePricesAt } from '../src/protocols/jupiter-lend/liquidity/exchange-prices.ts';
import { RESERVE } from '../src/protocols/jupiter-lend/liquidity/layouts.ts';
import { computeVaultPricesAt } from '../src/protocols/jupiter-lend/vaults/model/exchange-prices.ts';
import { deriveVaultConfigAddress } from '../src/protocols/jupiter-lend/vaults/state/addresses.ts';
import { toTokenAtoms } from '../src/protocols/jupiter-lend/vaults/state/limits.ts';
import { vaultPositions } from '../src/protocols/jupiter-lend/vaults/positions.ts';
import { TestView } from '../src/testing/protocols/wallet-view.ts';
import type { Address } from '../src/solana/address.ts';
import { isTokenProgram } from '../src/solana/program-addresses.ts';
import { decodeTokenAccount, isTokenAccount } from '../src/solana/programs/token/account.ts';
import { decodeMint } from '../src/solana/programs/token/mint.ts';
import { collectAmounts } from '../src/testing/svm/positions.ts';
import {
  genesis,
  accountOf,
  viewOf,
  elementsOf,
  sumsOf,
  expectSum,
  weights,
  parts,
  giveParts,
} from './position-sums.ts';

describe('the positions of all wallets', () => {
  it('in an earn vault are what all of its receipt tokens are worth', async () => {
    const found = genesis.accounts.filter(
      ({ account }) => account.owner === LENDING_PROGRAM && LENDING.matches(account.data),
    );
    for (const { address, account } of found) {
      const lending = LENDING.decode(account.data);
      const { supply } = decodeMint(accountOf(lending.fTokenMint).data);
      if (supply === 0n) continue;
      const sources = [address, lending.fTokenMint, lending.tokenReservesLiquidity, lending.rewardsRateModel];
      const alone = viewOf(...sources);
      giveParts(alone, lending.fTokenMint, [supply]);
      const [exact] = await sumsOf(alone, 1, earnReceipts);
      expect(exact).toBeGreaterThan(0n);
      await assertProperty(
        fc.asyncProperty(weights, async (by) => {
          const view = viewOf(...sources);
          giveParts(view, lending.fTokenMint, parts(supply, by));
          const [sum] = await sumsOf(view, by.length, earnReceipts);
          expectSum(sum, exact, by.length);
        }),
        { cases: 5, seed: SEED },
      );
    }
    expect(found.length).toBeGreaterThan(0);
  });

  it('in a borrow vault are what it has in all, liquidated ones included', async () => {
    const view = new TestView(genesis.accounts);
    view.setClock({ epoch: 0n, unixTimestamp: GENESIS_TIME });
    const sums = new Map<number, VaultSum>();
    for (const owner of positionHolders()) {
      for (const element of await elementsOf(view, owner, vaultPositions)) {
        if (element.type !== 'borrowlend') continue;
        const vault = Number(/^Vault (\d+)/.exec(element.name ?? '')?.[1]);
        const sum = sums.get(vault) ?? { supplied: 0n, borrowed: 0n, count: 0, liquidated: 0 };
        sum.supplied += collectAmounts(element.suppliedAssets)[0] ?? 0n;
        sum.borrowed += collectAmounts(element.borrowedAssets)[0] ?? 0n;
        sum.count++;
        if (element.tags?.includes('Liquidated')) sum.liquidated++;
        sums.set(vault, sum);
      }
    }
    for (const { account } of genesis.accounts) {
      if (account.owner !== VAULTS_PROGRAM || !VAULT_STATE.matches(account.data)) continue;
      const state = VAULT_STATE.decode(account.data);
      const { supplied = 0n, borrowed = 0n, count = 0, liquidated = 0 } = sums.get(state.vaultId) ?? {};
      expect(count).toBe(state.totalPositions);
      const [inAll, owedInAll, unit] = worthOf(state);
      // What a liquidation leaves of a position is rounded down by up to a hundredth of a percent.
      const lost = (of: bigint) => (liquidated === 0 ? 0n : of / 10_000n);
      expect(supplied).toBeLessThanOrEqual(inAll);
      expect(supplied).toBeGreaterThan(inAll - lost(inAll) - BigInt(count) - 1n);
      // The tick of a debt counts for a unit of collateral more, and is rounded up.
      expect(borrowed).toBeLessThanOrEqual(owedInAll + BigInt(count) * (2n * unit + 2n));
      expect(borrowed).toBeGreaterThan(owedInAll - lost(owedInAll) - BigInt(count) - 1n);
    }
    expect([...sums.values()].some(({ liquidated }) => liquidated > 0)).toBe(true);
  });
});

const SEED = 15_006;

/** The positions of one vault. Amounts are atoms. */
interface VaultSum {
  supplied: bigint;
  borrowed: bigint;
  count: number;
  liquidated: number;
}

/**
 * What all of a vault's collateral and debt is worth at the time of the genesis, and what it owes for a unit of collateral,
 * in atoms.
 */
function worthOf(state: VaultState): [supplied: bigint, borrowed: bigint, perUnit: bigint] {
  const config = VAULT_CONFIG.decode(accountOf(deriveVaultConfigAddress(state.vaultId).address).data);
  const mints = [config.supplyToken, config.borrowToken] as const;
  const prices = mints.map((mint) =>
    computeExchangePricesAt(RESERVE.decode(accountOf(deriveReserveAddress(mint)).data), GENESIS_TIME),
  );
  const liquidity = { supply: prices[0]?.supply ?? 0n, borrow: prices[1]?.borrow ?? 0n };
  const price = computeVaultPricesAt(config, state, liquidity, GENESIS_TIME);
  const [decimals, borrowDecimals] = mints.map((mint) => decodeMint(accountOf(mint).data).decimals);
  if (price === null || decimals === undefined || borrowDecimals === undefined) {
    throw new Error(`vault ${state.vaultId} has no prices`);
  }
  const owed = toAtoms(state.totalBorrow, price.borrow);
  return [
    toTokenAtoms(toAtoms(state.totalSupply, price.supply), decimals),
    toTokenAtoms(owed, borrowDecimals),
    toTokenAtoms(owed / state.totalSupply + 1n, borrowDecimals),
  ];
}

/** The owners of all tokens that stand for positions in borrow vaults. */
function positionHolders(): ReadonlySet<Address> {
  const mints = new Set(
    genesis.accounts.flatMap(({ account }) =>
      account.owner === VAULTS_PROGRAM && POSITION.matches(account.data)
        ? [POSITION.decode(account.data).positionMint]
        : [],
    ),
  );
  return new Set(
    genesis.accounts.flatMap(({ account }) => {
      if (!isTokenProgram(account.owner) || !isTokenAccount(account.data)) return [];
      const token = decodeTokenAccount(account.data);
      return mints.has(token.mint) && token.amount === 1n ? [token.owner] : [];
    }),
  );
}
