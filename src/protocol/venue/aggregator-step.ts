import { type Address, address } from '../../solana/address.ts';
import type { ByteReader } from '../../solana/codec/byte-reader.ts';
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
  meteoraDynamicBondingCurveSwap: 78,
  stabbleStableSwapV2: 79,
  meteoraDynamicBondingCurveSwapWithRemainingAccounts: 88,
  jupiterLendDeposit: 101,
  jupiterLendRedeem: 102,
  raydiumV2: 105,
  meteoraDammV2WithRemainingAccounts: 108,
  manifest: 116,
  bisonFi: 117,
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
  meteoraDynamicBondingCurveSwap: Uint8Array.of(TAG.meteoraDynamicBondingCurveSwap),
  meteoraDynamicBondingCurveSwapWithRemainingAccounts: Uint8Array.of(
    TAG.meteoraDynamicBondingCurveSwapWithRemainingAccounts,
  ),
  stabbleStableSwapV2: Uint8Array.of(TAG.stabbleStableSwapV2),
  jupiterLendDeposit: Uint8Array.of(TAG.jupiterLendDeposit),
  jupiterLendRedeem: Uint8Array.of(TAG.jupiterLendRedeem),
  raydiumV2: Uint8Array.of(TAG.raydiumV2),
  meteoraDammV2WithRemainingAccounts: Uint8Array.of(TAG.meteoraDammV2WithRemainingAccounts),
  manifest: (side: AggregatorSide) => Uint8Array.of(TAG.manifest, side),
  bisonFi: (aToB: boolean) => Uint8Array.of(TAG.bisonFi, aToB ? 1 : 0),
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

/** How many accounts follow those that a venue always has. */
export type StepTail =
  /** None. */
  | 'none'
  /** As many as the slices in the step's fields count. */
  | 'slices'
  /** All up to the address of the aggregator, which ends them. */
  | 'until-end';

/** The accounts of a step, after the venue's program. */
export interface StepLayout {
  readonly program: Address;
  /** The accounts that every step of the kind has. */
  readonly count: number;
  /** The places of the token accounts that the step takes from and pays into. */
  readonly input: number;
  readonly output: number;
  readonly tail: StepTail;
}

/** The fields of a step as far as its layout depends on them. */
export interface StepFields {
  readonly flag: boolean;
  /** Accounts that the slices count; 0 without slices. */
  readonly sliced: number;
}

/** Reads the fields of a step, after the tag of its kind. */
type ReadFields = (reader: ByteReader) => StepFields;

interface StepKind extends StepLayout {
  readonly fields: ReadFields;
  /** Whether the flag exchanges input and output. */
  readonly swapsOnFlag?: true;
}

const NO_FIELDS: StepFields = { flag: false, sliced: 0 };
const none: ReadFields = () => NO_FIELDS;
const flag: ReadFields = (reader) => ({ flag: reader.bool(), sliced: 0 });
const skipped =
  (bytes: number): ReadFields =>
  (reader) => {
    reader.skip(bytes);
    return NO_FIELDS;
  };
const sliced: ReadFields = (reader) => ({ flag: false, sliced: readSlices(reader) });
const flagAndMaybeSliced: ReadFields = (reader) => ({
  flag: reader.bool(),
  sliced: reader.bool() ? readSlices(reader) : 0,
});

function readSlices(reader: ByteReader): number {
  const count = reader.u32();
  let accounts = 0;
  for (let read = 0; read < count; read++) {
    reader.u8();
    accounts += reader.u8();
  }
  return accounts;
}

const WHIRLPOOL = address('whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc');
const RAYDIUM_AMM = address('675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8');
const RAYDIUM_CLMM = address('CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK');
const RAYDIUM_CPMM = address('CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C');
const METEORA_DLMM = address('LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo');
const METEORA_DAMM_V2 = address('cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG');
const METEORA_DBC = address('dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN');
const STABBLE = address('swapNyd8XiQwJ6ianp9snpu4brUqFxadzvHebnAXjJZ');
const STAKEDEX = address('stkitrT1Uoy18Dk1fTrgPw8W6MVzoCfYoAFT4MLsmhq');
const LEND = address('jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9');
const SABER = address('SSwpkEEcbUqx4vtoEByFjSkhKdCT862DNVb52nZg1UZ');
const TOKEN_SWAP = address('SwaPpA9LAaLfeLi3a68M4DjnLqgtticKg6CnyNwgAC8');
const SANCTUM = address('5ocnV1qiCgaQR8Jb8xWnVbApfaygJ8tNoZfgPwsgx9kx');
const MANIFEST = address('MNFSTqtC93rEfYHB6hF82sKdZpUDFWkViLByLd1k1Ms');
/** The program of makers' fills. The layout of its steps is not stated here. */
const MAKER_FILLS = address('fd3nMFYTQjX1yr5ER8u7tPdHJB7qt8RpDpNtLQX2Br5');
const FORECAST = address('2sVcg2dBSUzXkmdZ8M5cp1LbnzDrWJmr6hktkHwB8nY3');

/**
 * The accounts of each kind of step, as the aggregator's interface has them, apart from makers' fills, which need the signature of
 * the maker too. They are stated apart from the venues, so that what a venue builds can be checked before a key signs it.
 */
const LAYOUTS: Readonly<Record<Exclude<keyof typeof TAG, 'jupiterRfqV2'>, StepKind>> = {
  saber: { program: SABER, fields: none, count: 9, input: 4, output: 6, tail: 'none' },
  tokenSwap: { program: TOKEN_SWAP, fields: none, count: 10, input: 4, output: 7, tail: 'none' },
  raydium: { program: RAYDIUM_AMM, fields: none, count: 17, input: 14, output: 15, tail: 'none' },
  whirlpool: {
    program: WHIRLPOOL,
    fields: flag,
    count: 11,
    input: 5,
    output: 3,
    swapsOnFlag: true,
    tail: 'none',
  },
  raydiumClmm: { program: RAYDIUM_CLMM, fields: none, count: 10, input: 3, output: 4, tail: 'until-end' },
  stakeDexStakeWrappedSol: {
    program: STAKEDEX,
    fields: none,
    count: 10,
    input: 1,
    output: 2,
    tail: 'until-end',
  },
  meteoraDlmm: { program: METEORA_DLMM, fields: none, count: 15, input: 4, output: 5, tail: 'until-end' },
  raydiumClmmV2: { program: RAYDIUM_CLMM, fields: none, count: 13, input: 3, output: 4, tail: 'until-end' },
  sanctumS: { program: SANCTUM, fields: skipped(10), count: 12, input: 3, output: 4, tail: 'until-end' },
  raydiumCp: { program: RAYDIUM_CPMM, fields: none, count: 13, input: 4, output: 5, tail: 'none' },
  whirlpoolSwapV2: {
    program: WHIRLPOOL,
    fields: flagAndMaybeSliced,
    count: 15,
    input: 9,
    output: 7,
    swapsOnFlag: true,
    tail: 'slices',
  },
  stabbleStableSwap: { program: STABBLE, fields: none, count: 12, input: 1, output: 2, tail: 'none' },
  stakeDexWithdrawWrappedSol: {
    program: STAKEDEX,
    fields: none,
    count: 7,
    input: 1,
    output: 2,
    tail: 'until-end',
  },
  meteoraDlmmSwapV2: {
    program: METEORA_DLMM,
    fields: sliced,
    count: 16,
    input: 4,
    output: 5,
    tail: 'until-end',
  },
  meteoraDammV2: { program: METEORA_DAMM_V2, fields: none, count: 14, input: 2, output: 3, tail: 'none' },
  meteoraDynamicBondingCurveSwap: {
    program: METEORA_DBC,
    fields: none,
    count: 15,
    input: 3,
    output: 4,
    tail: 'none',
  },
  meteoraDynamicBondingCurveSwapWithRemainingAccounts: {
    program: METEORA_DBC,
    fields: none,
    count: 15,
    input: 3,
    output: 4,
    tail: 'until-end',
  },
  stabbleStableSwapV2: { program: STABBLE, fields: none, count: 15, input: 3, output: 4, tail: 'none' },
  jupiterLendDeposit: { program: LEND, fields: none, count: 17, input: 1, output: 2, tail: 'none' },
  jupiterLendRedeem: { program: LEND, fields: none, count: 18, input: 1, output: 2, tail: 'none' },
  raydiumV2: { program: RAYDIUM_AMM, fields: none, count: 8, input: 5, output: 6, tail: 'none' },
  meteoraDammV2WithRemainingAccounts: {
    program: METEORA_DAMM_V2,
    fields: none,
    count: 14,
    input: 2,
    output: 3,
    tail: 'until-end',
  },
  manifest: {
    program: MANIFEST,
    fields: flag,
    count: 14,
    input: 5,
    output: 4,
    swapsOnFlag: true,
    tail: 'none',
  },
  bisonFi: {
    program: FORECAST,
    fields: flag,
    count: 10,
    input: 7,
    output: 6,
    swapsOnFlag: true,
    tail: 'none',
  },
};
/** Returns the program that a kind of step calls, by the name of the kind; null for a kind whose accounts are not known. */
export function findStepProgram(kind: string): Address | null {
  if (kind === 'JupiterRfqV2') return MAKER_FILLS;
  // The names of the interface begin with a capital, and some have more of them: `RaydiumCP`.
  return PROGRAMS_BY_KIND.get(kind.toLowerCase()) ?? null;
}

const PROGRAMS_BY_KIND: ReadonlyMap<string, Address> = new Map(
  Object.entries(LAYOUTS).map(([kind, { program }]) => [kind.toLowerCase(), program]),
);

const LAYOUTS_BY_TAG: ReadonlyMap<number, StepKind> = new Map(
  Object.entries(LAYOUTS).map(([kind, layout]) => [TAG[kind as keyof typeof LAYOUTS], layout]),
);

/**
 * Reads the kind of a step and its fields.
 *
 * @param reader - Stands at the tag of the kind.
 * @throws LayoutInvalid for a kind whose accounts are not known, or one of makers' fills
 */
export function readStepLayout(reader: ByteReader): StepLayout & StepFields {
  const tag = reader.u8();
  const kind = LAYOUTS_BY_TAG.get(tag);
  if (kind === undefined) return reader.fail(`steps of the kind ${tag} are not signed for`);
  const { program, count, tail } = kind;
  const fields = kind.fields(reader);
  const isSwapped = kind.swapsOnFlag === true && fields.flag;
  return {
    ...fields,
    program,
    count,
    tail,
    input: isSwapped ? kind.output : kind.input,
    output: isSwapped ? kind.input : kind.output,
  };
}
