import { ByteWriter } from '../../solana/codec/byte-writer.ts';

/** The side of the book that the taker is on: Bid buys base, Ask sells base. */
export const AggregatorSide = { BID: 0, ASK: 1 } as const;
export type AggregatorSide = (typeof AggregatorSide)[keyof typeof AggregatorSide];

/** A number of extra accounts behind a step's own, and their purpose. */
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
  /** Indexes of the two tokens in the pool's list. */
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
  whirlpoolSwapV2,
  stabbleStableSwap: Uint8Array.of(TAG.stabbleStableSwap),
  stakeDexWithdrawWrappedSol: Uint8Array.of(TAG.stakeDexWithdrawWrappedSol),
  meteoraDlmmSwapV2,
  meteoraDammV2: Uint8Array.of(TAG.meteoraDammV2),
  stabbleStableSwapV2: Uint8Array.of(TAG.stabbleStableSwapV2),
  jupiterLendDeposit: Uint8Array.of(TAG.jupiterLendDeposit),
  jupiterLendRedeem: Uint8Array.of(TAG.jupiterLendRedeem),
  raydiumV2: Uint8Array.of(TAG.raydiumV2),
  meteoraDammV2WithRemainingAccounts: Uint8Array.of(TAG.meteoraDammV2WithRemainingAccounts),
  manifest: (side: AggregatorSide) => Uint8Array.of(TAG.manifest, side),
  jupiterRfqV2,
} as const;

/** Tag, two u8 counts, two u32 indices. */
function sanctumS(swap: SanctumSwap): Uint8Array {
  return new ByteWriter(11)
    .u8(TAG.sanctumS)
    .u8(swap.sourceCalculatorAccounts)
    .u8(swap.destinationCalculatorAccounts)
    .u32(swap.sourceIndex)
    .u32(swap.destinationIndex)
    .finish();
}

/** Tag, side, then `fillData` (the fill's parameters without side and amount) behind its u32 length. */
function jupiterRfqV2(side: AggregatorSide, fillData: Uint8Array): Uint8Array {
  return new ByteWriter(6 + fillData.length)
    .u8(TAG.jupiterRfqV2)
    .u8(side)
    .u32(fillData.length)
    .bytes(fillData)
    .finish();
}

/** Tag, a_to_b, then the option of `RemainingAccountsInfo`. */
function whirlpoolSwapV2(aToB: boolean, slices: readonly RemainingAccountsSlice[] | null): Uint8Array {
  const to = new ByteWriter(16)
    .u8(TAG.whirlpoolSwapV2)
    .bool(aToB)
    .bool(slices !== null);
  return slices === null ? to.finish() : writeSlices(to, slices).finish();
}

function meteoraDlmmSwapV2(slices: readonly RemainingAccountsSlice[]): Uint8Array {
  return writeSlices(new ByteWriter(16).u8(TAG.meteoraDlmmSwapV2), slices).finish();
}

/** `RemainingAccountsInfo`: u32 count, then two bytes per slice. */
function writeSlices(to: ByteWriter, slices: readonly RemainingAccountsSlice[]): ByteWriter {
  to.u32(slices.length);
  for (const { accountsType, length } of slices) to.u8(accountsType).u8(length);
  return to;
}
