import { integer, U8_MAX } from './route-plan.ts';

/** Whose side of the book the taker is on: Bid buys base, Ask sells base. */
export const Side = { BID: 0, ASK: 1 } as const;
export type Side = (typeof Side)[keyof typeof Side];

/** A run of extra accounts behind a step's own: what they are for, and how many. */
export interface RemainingAccountsSlice {
  readonly accountsType: number;
  readonly length: number;
}

/** Values of `RemainingAccountsSlice.accountsType`. */
export const AccountsType = {
  TRANSFER_HOOK_A: 0,
  TRANSFER_HOOK_B: 1,
  TRANSFER_HOOK_REWARD: 2,
  TRANSFER_HOOK_INPUT: 3,
  TRANSFER_HOOK_INTERMEDIATE: 4,
  TRANSFER_HOOK_OUTPUT: 5,
  SUPPLEMENTAL_TICK_ARRAYS: 6,
  SUPPLEMENTAL_TICK_ARRAYS_ONE: 7,
  SUPPLEMENTAL_TICK_ARRAYS_TWO: 8,
} as const;

export interface SanctumSwap {
  /** How many accounts each token's value calculator takes. */
  readonly sourceCalculatorAccounts: number;
  readonly destinationCalculatorAccounts: number;
  /** Places of the two tokens in the pool's list. */
  readonly sourceIndex: number;
  readonly destinationIndex: number;
}

/** Tags of the `Swap` enum whose steps the stand-in carries out. */
const TAG = {
  saber: 0,
  tokenSwap: 3,
  raydium: 7,
  whirlpool: 17,
  raydiumClmm: 26,
  stakeDexStakeWrappedSol: 32,
  meteoraDlmm: 38,
  raydiumClmmV2: 40,
  sanctumS: 43,
  raydiumCp: 46,
  whirlpoolSwapV2: 47,
  stabbleStableSwap: 56,
  stakeDexWithdrawWrappedSol: 68,
  meteoraDlmmSwapV2: 75,
  meteoraDammV2: 77,
  stabbleStableSwapV2: 79,
  jupiterLendDeposit: 101,
  jupiterLendRedeem: 102,
  raydiumV2: 105,
  meteoraDammV2WithRemainingAccounts: 108,
  manifest: 116,
  jupiterRfqV2: 120,
} as const;

/**
 * Borsh forms of the `Swap` enum's variants: one tag byte, then the variant's fields.
 * For `RouteStep.swap`. Functions throw a RangeError when a number does not fit its field.
 */
export const Swap = {
  saber: Uint8Array.of(TAG.saber),
  tokenSwap: Uint8Array.of(TAG.tokenSwap),
  raydium: Uint8Array.of(TAG.raydium),
  whirlpool: (aToB: boolean) => Uint8Array.of(TAG.whirlpool, aToB ? 1 : 0),
  raydiumClmm: Uint8Array.of(TAG.raydiumClmm),
  stakeDexStakeWrappedSol: Uint8Array.of(TAG.stakeDexStakeWrappedSol),
  meteoraDlmm: Uint8Array.of(TAG.meteoraDlmm),
  raydiumClmmV2: Uint8Array.of(TAG.raydiumClmmV2),
  sanctumS,
  raydiumCp: Uint8Array.of(TAG.raydiumCp),
  whirlpoolSwapV2: (aToB: boolean, slices: readonly RemainingAccountsSlice[] | null) =>
    slices === null
      ? Uint8Array.of(TAG.whirlpoolSwapV2, aToB ? 1 : 0, 0)
      : Uint8Array.of(TAG.whirlpoolSwapV2, aToB ? 1 : 0, 1, ...encodeSlices(slices)),
  stabbleStableSwap: Uint8Array.of(TAG.stabbleStableSwap),
  stakeDexWithdrawWrappedSol: Uint8Array.of(TAG.stakeDexWithdrawWrappedSol),
  meteoraDlmmSwapV2: (slices: readonly RemainingAccountsSlice[]) =>
    Uint8Array.of(TAG.meteoraDlmmSwapV2, ...encodeSlices(slices)),
  meteoraDammV2: Uint8Array.of(TAG.meteoraDammV2),
  stabbleStableSwapV2: Uint8Array.of(TAG.stabbleStableSwapV2),
  jupiterLendDeposit: Uint8Array.of(TAG.jupiterLendDeposit),
  jupiterLendRedeem: Uint8Array.of(TAG.jupiterLendRedeem),
  raydiumV2: Uint8Array.of(TAG.raydiumV2),
  meteoraDammV2WithRemainingAccounts: Uint8Array.of(TAG.meteoraDammV2WithRemainingAccounts),
  manifest: (side: Side) => Uint8Array.of(TAG.manifest, side),
  jupiterRfqV2,
} as const;

/** Tag, two u8 counts, two u32 indices. */
function sanctumS(swap: SanctumSwap): Uint8Array {
  const data = new Uint8Array(11);
  const view = new DataView(data.buffer);
  data[0] = TAG.sanctumS;
  data[1] = integer('sourceCalculatorAccounts', swap.sourceCalculatorAccounts, U8_MAX);
  data[2] = integer('destinationCalculatorAccounts', swap.destinationCalculatorAccounts, U8_MAX);
  view.setUint32(3, integer('sourceIndex', swap.sourceIndex, 0xffff_ffff), true);
  view.setUint32(7, integer('destinationIndex', swap.destinationIndex, 0xffff_ffff), true);
  return data;
}

/** Tag, side, then `fillData` (the fill's parameters without side and amount) behind its u32 length. */
function jupiterRfqV2(side: Side, fillData: Uint8Array): Uint8Array {
  const data = new Uint8Array(6 + fillData.length);
  data[0] = TAG.jupiterRfqV2;
  data[1] = side;
  new DataView(data.buffer).setUint32(2, fillData.length, true);
  data.set(fillData, 6);
  return data;
}

/** `RemainingAccountsInfo`: u32 count, then two bytes per slice. */
function encodeSlices(slices: readonly RemainingAccountsSlice[]): Uint8Array {
  const data = new Uint8Array(4 + slices.length * 2);
  new DataView(data.buffer).setUint32(0, slices.length, true);
  slices.forEach((slice, index) => {
    data[4 + index * 2] = integer('accountsType', slice.accountsType, U8_MAX);
    data[5 + index * 2] = integer('length', slice.length, U8_MAX);
  });
  return data;
}
