import { expect, test } from 'vitest';
import { AccountsType, AggregatorSide, Swap } from './aggregator-step.ts';

test.each([
  ['RaydiumCP', Swap.raydiumCp, '2e'],
  ['Whirlpool b to a', Swap.whirlpool(false), '1100'],
  ['WhirlpoolSwapV2 without slices', Swap.whirlpoolSwapV2(true, null), '2f0100'],
  ['WhirlpoolSwapV2 with an empty list', Swap.whirlpoolSwapV2(false, []), '2f000100000000'],
  [
    'WhirlpoolSwapV2 with slices',
    Swap.whirlpoolSwapV2(true, [
      { accountsType: AccountsType.TRANSFER_HOOK_B, length: 4 },
      { accountsType: AccountsType.SUPPLEMENTAL_TICK_ARRAYS, length: 3 },
    ]),
    '2f01010200000001040603',
  ],
  ['MeteoraDlmmSwapV2', Swap.meteoraDlmmSwapV2([{ accountsType: 0, length: 2 }]), '4b010000000002'],
  ['MeteoraDammV2', Swap.meteoraDammV2, '4d'],
  ['MeteoraDammV2WithRemainingAccounts', Swap.meteoraDammV2WithRemainingAccounts, '6c'],
  ['MeteoraDynamicBondingCurveSwap', Swap.meteoraDynamicBondingCurveSwap, '4e'],
  [
    'MeteoraDynamicBondingCurveSwapWithRemainingAccounts',
    Swap.meteoraDynamicBondingCurveSwapWithRemainingAccounts,
    '58',
  ],
  [
    'SanctumS',
    Swap.sanctumS({
      sourceCalculatorAccounts: 4,
      destinationCalculatorAccounts: 1,
      sourceIndex: 258,
      destinationIndex: 0xffff_ffff,
    }),
    '2b040102010000ffffffff',
  ],
  ['RaydiumV2', Swap.raydiumV2, '69'],
  ['Manifest', Swap.manifest(AggregatorSide.ASK), '7401'],
  ['BisonFi', Swap.bisonFi(true), '7501'],
  ['JupiterRfqV2', Swap.jupiterRfqV2(AggregatorSide.BID, Uint8Array.of(9, 8, 7)), '780003000000090807'],
])('%s', (_, bytes, expected) => {
  expect(hex(bytes)).toBe(expected);
});

test('a slice longer than a byte can say is refused', () => {
  expect(() => Swap.whirlpoolSwapV2(true, [{ accountsType: 0, length: 256 }])).toThrow(
    /256 does not fit in a u8/,
  );
});

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
