import { describe, expect, it } from 'vitest';
import {
  LENDING_PROGRAM,
  LIQUIDITY_PROGRAM,
  VAULTS_PROGRAM,
} from '../../protocols/jupiter-lend/lending-base/programs.ts';
import type { AccountLayout } from '../../protocols/jupiter-lend/lending-base/account-layout.ts';
import { LENDING } from '../../protocols/jupiter-lend/lending/layouts.ts';
import { BORROW_POSITION, RESERVE, SUPPLY_POSITION } from '../../protocols/jupiter-lend/liquidity/layouts.ts';
import { POSITION, VAULT_CONFIG, VAULT_STATE } from '../../protocols/jupiter-lend/vaults/state/layouts.ts';
import { decodeDammPosition } from '../../protocols/meteora-damm-v2/positions/layout.ts';
import {
  CollectFeeMode,
  decodeTerms,
  isPoolData,
  readChanges,
} from '../../protocols/meteora-damm-v2/program/layout.ts';
import { POSITION_TAG } from '../../protocols/meteora-damm-v2/program/layout-position.ts';
import { METEORA_DAMM_V2_PROGRAM } from '../../protocols/meteora-damm-v2/program/program.ts';
import { decodeSaber, isSaberData } from '../../protocols/saber/layout.ts';
import { SABER_PROGRAM } from '../../protocols/saber/program.ts';
import { decodeStakePool, isStakePoolData } from '../../protocols/spl-stake-pool/layout.ts';
import { STAKE_POOL_PROGRAM } from '../../protocols/spl-stake-pool/program.ts';
import type { Address } from '../../solana/address.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import { sumAmounts } from '../../solana/units.ts';
import { buildGenesis } from './build-genesis.ts';

describe('the pools in the genesis', () => {
  it('of staked SOL are the sum of their reserves, and of the tokens that they have issued', () => {
    const pools = ofProgram(STAKE_POOL_PROGRAM).filter(({ account }) => isStakePoolData(account.data));
    expect(pools).not.toEqual([]);
    for (const { account } of pools) {
      const { reserve, mint, totalLamports, tokenSupply } = decodeStakePool(account.data);
      const held = byAddress.get(reserve);
      expect(held?.lamports).toBe(totalLamports + computeRentExemptMinimum(held?.data.length ?? 0));
      expect(decodeMint(dataOf(mint)).supply).toBe(tokenSupply);
    }
  });

  it('of Meteora are the sum of their positions', () => {
    const pools = ofProgram(METEORA_DAMM_V2_PROGRAM).filter(({ account }) => isPoolData(account.data));
    const positions = ofProgram(METEORA_DAMM_V2_PROGRAM)
      .filter(({ account }) => POSITION_TAG.every((byte, at) => account.data[at] === byte))
      .map(({ account }) => decodeDammPosition(account.data));
    expect(pools).not.toEqual([]);
    for (const { address, account } of pools) {
      const own = positions.filter(({ pool }) => pool === address);
      const sums = own.map(
        ({ unlocked, vested, permanentlyLocked }) => unlocked + vested + permanentlyLocked,
      );
      // A pool that compounds its fees keeps some liquidity that belongs to nobody.
      const dead = decodeTerms(account.data).collectFeeMode === CollectFeeMode.COMPOUNDING ? 100n << 64n : 0n;
      expect(readChanges(account.data).liquidity, address).toBe(sumAmounts(sums) + dead);
    }
  });

  it('of Saber have reserves of their own, and shares that somebody holds', () => {
    const pools = ofProgram(SABER_PROGRAM).filter(({ account }) => isSaberData(account.data));
    expect(pools).not.toEqual([]);
    for (const { account } of pools) {
      const { reserves, mints, lpMint } = decodeSaber(account.data);
      const held = reserves.map((each) => decodeTokenAccount(dataOf(each)));
      expect(held.map(({ mint }) => mint)).toEqual(mints);
      expect(decodeMint(dataOf(lpMint)).supply > 0n).toBe(true);
    }
  });
});

describe('the lending programs in the genesis', () => {
  it('have reserves that are the sums of what protocols supply and borrow, and hold at least the difference', () => {
    const supplies = decodeAll(LIQUIDITY_PROGRAM, SUPPLY_POSITION);
    const borrows = decodeAll(LIQUIDITY_PROGRAM, BORROW_POSITION);
    const reserves = decodeAll(LIQUIDITY_PROGRAM, RESERVE);
    expect(reserves).not.toEqual([]);
    for (const { values } of reserves) {
      const total = (
        of: readonly { values: { mint: Address; withInterest: boolean; amount: bigint } }[],
        with_: boolean,
      ) =>
        sumAmounts(
          of
            .filter((each) => each.values.mint === values.mint && each.values.withInterest === with_)
            .map((each) => each.values.amount),
        );
      expect([values.totalSupplyWithInterest, values.totalSupplyInterestFree]).toEqual([
        total(supplies, true),
        total(supplies, false),
      ]);
      expect([values.totalBorrowWithInterest, values.totalBorrowInterestFree]).toEqual([
        total(borrows, true),
        total(borrows, false),
      ]);
      const supplied = toAtoms(values.totalSupplyWithInterest, values.supplyExchangePrice);
      const borrowed = toAtoms(values.totalBorrowWithInterest, values.borrowExchangePrice);
      const difference =
        supplied + values.totalSupplyInterestFree - borrowed - values.totalBorrowInterestFree;
      // What the vault holds beyond the difference is the program's share of the interest.
      const { amount } = decodeTokenAccount(dataOf(values.vault));
      expect(amount, values.mint).toBeGreaterThanOrEqual(difference);
    }
  });

  it('have earn tokens and vaults that count their shares and positions', () => {
    const lendings = decodeAll(LENDING_PROGRAM, LENDING);
    expect(lendings).not.toEqual([]);
    for (const { values } of lendings) {
      const supplied = SUPPLY_POSITION.decode(dataOf(values.supplyPositionOnLiquidity));
      expect([supplied.mint, supplied.amount > 0n], values.mint).toEqual([values.mint, true]);
      expect(decodeMint(dataOf(values.fTokenMint)).supply > 0n).toBe(true);
    }
    const positions = decodeAll(VAULTS_PROGRAM, POSITION);
    const states = decodeAll(VAULTS_PROGRAM, VAULT_STATE);
    expect(states).toHaveLength(decodeAll(VAULTS_PROGRAM, VAULT_CONFIG).length);
    for (const { values } of states) {
      const own = positions.filter((each) => each.values.vaultId === values.vaultId);
      expect(values.totalPositions, `vault ${values.vaultId}`).toBe(own.length);
      expect(values.nextPositionId).toBe(own.length + 1);
    }
  });
});

const { accounts } = buildGenesis('pools of public programs');
const byAddress = new Map(accounts.map(({ address, account }) => [address, account]));

function ofProgram(program: Address) {
  return accounts.filter(({ account }) => account.owner === program);
}

function decodeAll<Values>(program: Address, layout: AccountLayout<Values>) {
  return ofProgram(program)
    .filter(({ account }) => layout.matches(account.data))
    .map(({ address, account }) => ({ address, values: layout.decode(account.data) }));
}

/** Prices have 12 decimals. */
function toAtoms(raw: bigint, price: bigint): bigint {
  return (raw * price) / 10n ** 12n;
}

function dataOf(address: Address): Uint8Array {
  return byAddress.get(address)?.data ?? new Uint8Array(0);
}
