import fc from 'fast-check';
import { expect } from 'vitest';
import { buildGenesis, GENESIS_TIME } from '../src/sandbox/genesis/build-genesis.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import type { Account } from '../src/chain/accounts.ts';
import type { Element } from '../src/protocol/positions/element.ts';
import type { PositionFetcher } from '../src/protocol/positions/fetcher.ts';
import { TestView } from '../src/testing/protocols/wallet-view.ts';
import { openWalletReader } from '../src/protocol/positions/wallet-reader.ts';
import { type Address, toAddress } from '../src/solana/address.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../src/solana/programs/token/account.ts';
import { collectAmounts, collectLiquidities } from '../src/testing/svm/positions.ts';

// However many wallets share a pool or a vault, their positions together are what it has. Each position is rounded down, so
// the sum is never more, and less by under one atom for each position. Debts, and what liquidations leave, have bounds of
// their own.

export const genesis = buildGenesis('sums of positions');
const accounts = new Map(genesis.accounts.map(({ address, account }) => [address, account]));

/** Returns an address that nothing of the genesis has. Those of one index and several kinds belong together. */
export const numbered = (index: number, kind = 1): Address =>
  toAddress(Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? kind : at === 1 ? index : 200)));

export function accountOf(address: Address): Account {
  const account = accounts.get(address);
  if (account === undefined) throw new Error(`the genesis has no account ${address}`);
  return account;
}

/** Returns a view of some accounts of the genesis, at the time of the genesis. */
export function viewOf(...addresses: readonly Address[]): TestView {
  const view = new TestView(addresses.map((address) => ({ address, account: accountOf(address) })));
  view.setClock({ epoch: 0n, unixTimestamp: GENESIS_TIME });
  return view;
}

/** Replaces the data of an account of the genesis. */
export function patch(view: TestView, address: Address, data: Uint8Array): void {
  view.set(address, accountOf(address).owner, data);
}

/** Returns a token account of the genesis with another balance. */
export function withAmount(address: Address, amount: bigint): Uint8Array {
  return encodeTokenAccount({ ...decodeTokenAccount(accountOf(address).data), amount });
}

/** Runs a fetcher that has to read everything of the wallet. */
export async function elementsOf(
  view: TestView,
  owner: Address,
  fetcher: PositionFetcher,
): Promise<readonly Element[]> {
  const failed = (_: string, error: unknown) => {
    throw error;
  };
  const wallet = openWalletReader(view, owner, [fetcher], failed, SYSTEM_TIMERS);
  const { elements, unreadable = [] } = await fetcher.fetch(wallet);
  expect(unreadable).toEqual([]);
  return elements;
}

/** The sums of both sides over the first `count` numbered wallets. */
export async function sumsOf(
  view: TestView,
  count: number,
  fetcher: PositionFetcher,
): Promise<[bigint, bigint]> {
  const sums: [bigint, bigint] = [0n, 0n];
  for (let index = 0; index < count; index++) {
    for (const { assets } of collectLiquidities(await elementsOf(view, numbered(index), fetcher))) {
      const [a = 0n, b = 0n] = collectAmounts(assets);
      sums[0] += a;
      sums[1] += b;
    }
  }
  return sums;
}

/** Asserts that a sum of `count` amounts, each rounded down, is of `exact`. */
export function expectSum(sum: bigint, exact: bigint, count: number): void {
  expect(sum).toBeLessThanOrEqual(exact);
  expect(sum).toBeGreaterThan(exact - BigInt(count) - 1n);
}

/** The shares of one to five wallets. */
export const weights = fc.array(fc.bigInt(1n, 1n << 32n), { minLength: 1, maxLength: 5 });

/** Splits a whole into parts by weight. Parts may be 0. */
export function parts(whole: bigint, by: readonly bigint[]): bigint[] {
  const total = by.reduce((sum, each) => sum + each, 0n);
  const shares = by.slice(1).map((each) => (whole * each) / total);
  return [whole - shares.reduce((sum, each) => sum + each, 0n), ...shares];
}

/** Gives each numbered wallet its part of a token of the genesis. */
export function giveParts(view: TestView, mint: Address, split: readonly bigint[]): void {
  split.forEach((part, index) => {
    view.set(numbered(index, 2), accountOf(mint).owner, tokenAccount(mint, numbered(index), part));
  });
}

export function tokenAccount(mint: Address, owner: Address, amount: bigint): Uint8Array {
  return encodeTokenAccount({
    mint,
    owner,
    amount,
    delegate: null,
    state: 'initialized',
    nativeReserve: null,
    delegatedAmount: 0n,
    closeAuthority: null,
    extensions: [],
  });
}
