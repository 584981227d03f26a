import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleCases } from '../../testing/random.ts';
import { type Address, address, toAddress } from '../../solana/address.ts';
import type { BorrowLendElement } from '../../protocol/positions/element.ts';
import { TestView } from '../../testing/protocols/wallet-view.ts';
import { fetchForWallet, writeAccountData } from '../../testing/protocols/accounts.ts';
import { CUSTODIES, PERPETUALS_PROGRAM } from '../jupiter-perpetuals/layout.ts';
import { jupiterLoans } from './fetcher.ts';
import { JLP_MINT, deriveLoanAddress } from './layout.ts';

describe('jupiterLoans', () => {
  it('shows collateral and debt with its interest, without a search', async () => {
    // 7% of interest on 1,000.001 atoms are 70.00007, so 1,070.00107 are owed.
    const view = opened({ borrowed: 1_000_001n, snapshot: 100n, index: 107n, collateral: 5_000n });
    const { elements, unreadable } = await fetchForWallet(jupiterLoans, view, OWNER);
    expect(unreadable).toEqual([]);
    expect(view.reads).toEqual([1, 1]);
    expect(view.searched).toEqual([]);
    const [element] = elements as readonly BorrowLendElement[];
    expect(element).toMatchObject({
      type: 'borrowlend',
      label: 'Lending',
      suppliedAssets: [{ mint: JLP_MINT, amount: 5_000n }],
      borrowedAssets: [{ mint: USDC, amount: 1_071n }],
      liquidationThresholds: [0.95],
      ref: LOAN,
    });
    // 1,100 of 1,600 atoms are in use, which is 68.75%: 10% and 68.75/80 of the 25% up to the target, in whole basis points.
    const [[cost] = []] = element?.borrowedYields ?? [];
    expect(cost?.apr).toBeCloseTo(-Math.ceil(1_000 + (2_500 * 0.6875) / 0.8) / 10_000, 4);
    expect(cost?.apy).toBeCloseTo((1 + (cost?.apr ?? 0) / 365) ** 365 - 1, 9);
  });

  it('computes debts as the authors of the program do, rounded up', async () => {
    const amounts = fc.record({
      borrowed: fc.bigInt(1n, 1n << 80n),
      snapshot: fc.bigInt(1n, 1n << 60n),
      growth: fc.bigInt(0n, 1n << 60n),
    });
    for (const { borrowed, snapshot, growth } of sampleCases(amounts, {
      cases: 200,
      seed: SEED,
      against: 'the authors’ formulas',
    })) {
      const view = opened({ borrowed, snapshot, index: snapshot + growth, collateral: 1n });
      const { elements } = await fetchForWallet(jupiterLoans, view, OWNER);
      const [element] = elements as readonly BorrowLendElement[];
      const owed = roundedUp(borrowed + roundedUp(growth * borrowed, snapshot), 1_000n);
      expect(element?.borrowedAssets.map(({ amount }) => amount)).toEqual([owed]);
    }
  });

  it.each([
    ['has collateral alone', { collateral: 9n }, 9n, []],
    ['borrowed before there was an index', { collateral: 9n, borrowed: 2_000n }, 9n, [2n]],
  ])('shows a loan that %s', async (_, terms, collateral, debts) => {
    const { elements, unreadable } = await fetchForWallet(jupiterLoans, opened(terms), OWNER);
    const [element] = elements as readonly BorrowLendElement[];
    expect(element?.suppliedAssets.map(({ amount }) => amount)).toEqual([collateral]);
    expect(element?.borrowedAssets.map(({ amount }) => amount)).toEqual(debts);
    expect(unreadable).toEqual([]);
  });

  it('shows nothing of a closed loan, nor of an account that another program owns', async () => {
    expect(await fetchForWallet(jupiterLoans, opened({}), OWNER)).toEqual({ elements: [], unreadable: [] });
    const foreign = new TestView();
    foreign.set(LOAN, USDC, loan({ collateral: 5n }));
    expect(await fetchForWallet(jupiterLoans, foreign, OWNER)).toEqual({ elements: [] });
  });

  it.each([
    ['a wrong discriminator', (data: Uint8Array) => data.fill(0, 0, 8), CUSTODIES.SOL],
    ['a length that is cut', (data: Uint8Array) => data.subarray(0, 140), CUSTODIES.SOL],
    ['an index beyond that of its custody', () => loan({ borrowed: 5n, snapshot: 9n }), CUSTODIES.SOL],
    ['a custody that is missing', (data: Uint8Array) => data, CUSTODIES.USDC],
  ])('reports a loan with %s', async (_, spoil, missing) => {
    const view = opened({ collateral: 7n, borrowed: 1n });
    view.set(LOAN, PERPETUALS_PROGRAM, spoil(loan({ collateral: 7n, borrowed: 1n })));
    view.accounts.delete(missing);
    const { elements, unreadable } = await fetchForWallet(jupiterLoans, view, OWNER);
    expect(elements).toEqual([]);
    expect(unreadable?.map((each) => each.address)).toEqual([LOAN]);
  });
});

const SEED = 15_002;
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const OWNER: Address = toAddress(new Uint8Array(32).fill(1));
const LOAN = deriveLoanAddress(OWNER, CUSTODIES.USDC);

interface Terms {
  readonly borrowed?: bigint;
  readonly snapshot?: bigint;
  readonly collateral?: bigint;
  readonly index?: bigint;
}

/** The halves of a u128 at an offset, as fields. */
const u128 = (at: number, value: bigint) =>
  [
    [at, 'u64', BigInt.asUintN(64, value)],
    [at + 8, 'u64', value >> 64n],
  ] as const;

/** A loan as the program writes it. */
function loan({ borrowed = 0n, snapshot = 0n, collateral = 0n }: Terms): Uint8Array {
  return writeAccountData(169, 'f38c148b20f37237', [
    [8, 'address', OWNER],
    [72, 'address', CUSTODIES.USDC],
    ...u128(120, borrowed),
    ...u128(136, snapshot),
    [152, 'u64', collateral],
  ]);
}

/** The custody of USDC: half of 1,000 atoms and all of the 600 that are lent are in use, at the jump rate. */
function custody({ index = 1n }: Terms): Uint8Array {
  return writeAccountData(1_060, '01b830515d833f91', [
    [40, 'address', USDC],
    [104, 'u8', 6],
    [222, 'u64', 1_000n],
    [230, 'u64', 500n],
    [352, 'u64', 1_000n],
    [360, 'u64', 6_000n],
    [368, 'u64', 3_500n],
    [376, 'u64', 800_000_000n],
    ...u128(972, index),
    ...u128(1_004, 630_000_000_000n),
    ...u128(1_020, 30_000_000_000n),
  ]);
}

function opened(terms: Terms): TestView {
  const view = new TestView();
  view.set(LOAN, PERPETUALS_PROGRAM, loan(terms));
  view.set(CUSTODIES.USDC, PERPETUALS_PROGRAM, custody(terms));
  return view;
}

const roundedUp = (dividend: bigint, divisor: bigint) =>
  dividend / divisor + (dividend % divisor === 0n ? 0n : 1n);
