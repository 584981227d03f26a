import type { Address } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
} from '../../../solana/messages/instruction.ts';
import { MEMO_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import type { SwapParties } from '../../../protocol/venue/venue.ts';
import { deriveWhirlpoolOracleAddress } from '../program/addresses.ts';
import type { WhirlpoolPool } from './pool.ts';
import { SWAP_TICK_ARRAYS, WHIRLPOOL_PROGRAM } from '../program/program.ts';

/** What both swap instructions take. A price limit of 0 is none. */
export interface SwapArguments {
  readonly amount: bigint;
  /** The least output for an exact input, the most input for an exact output. */
  readonly otherAmountThreshold: bigint;
  readonly sqrtPriceLimit: bigint;
  readonly exactIn: boolean;
}

/** The part of a pool that its swap's accounts follow from. */
export type WhirlpoolSwapPool = Pick<
  WhirlpoolPool,
  'address' | 'mints' | 'tokenPrograms' | 'vaults' | 'down' | 'up'
>;

const TAG = {
  swap: Uint8Array.of(0xf8, 0xc6, 0x9e, 0x91, 0xe1, 0x75, 0x87, 0xc8),
  swapV2: Uint8Array.of(0x2b, 0x04, 0xed, 0x0b, 0x1a, 0xc9, 0x1e, 0x62),
} as const;

/** Swaps between two mints of SPL Token. For Token-2022, use `swapV2`. */
export function swap(
  pool: WhirlpoolSwapPool,
  inputMint: Address,
  user: SwapParties,
  args: SwapArguments,
): Instruction {
  const aToB = isAToB(pool, inputMint);
  const [ownerA, ownerB] = userAccounts(aToB, user);
  return {
    programAddress: WHIRLPOOL_PROGRAM,
    accounts: [
      readonly(TOKEN_PROGRAM),
      readonlySigner(user.authority),
      ...[pool.address, ownerA, pool.vaults[0], ownerB, pool.vaults[1]].map(writable),
      ...tickArrays(pool, aToB).map(writable),
      readonly(deriveWhirlpoolOracleAddress(pool.address)),
    ],
    data: swapData(TAG.swap, args, aToB).finish(),
  };
}

/** Swaps between mints of either token program, without accounts for transfer hooks or further tick arrays. */
export function swapV2(
  pool: WhirlpoolSwapPool,
  inputMint: Address,
  user: SwapParties,
  args: SwapArguments,
): Instruction {
  const aToB = isAToB(pool, inputMint);
  return {
    programAddress: WHIRLPOOL_PROGRAM,
    accounts: swapV2Accounts(pool, aToB, readonlySigner(user.authority), user),
    data: swapData(TAG.swapV2, args, aToB).bool(false).finish(),
  };
}

/** The 15 accounts of `swap_v2`. `authority` is given with its role: a route's step need not mark it as signer. */
export function swapV2Accounts(
  pool: WhirlpoolSwapPool,
  aToB: boolean,
  authority: AccountMeta,
  user: SwapParties,
): AccountMeta[] {
  const [ownerA, ownerB] = userAccounts(aToB, user);
  const { head, vaultA, vaultB, tail } = poolAccounts(pool, aToB);
  return [
    ...head.programs,
    authority,
    ...head.pool,
    writable(ownerA),
    vaultA,
    writable(ownerB),
    vaultB,
    ...tail,
  ];
}

/** The accounts of `swap_v2` that are the same for every user. */
interface PoolAccounts {
  readonly head: { readonly programs: readonly AccountMeta[]; readonly pool: readonly AccountMeta[] };
  readonly vaultA: AccountMeta;
  readonly vaultB: AccountMeta;
  readonly tail: readonly AccountMeta[];
}

/** By pool state and direction. */
const accountsOfPools = new WeakMap<WhirlpoolSwapPool, [PoolAccounts | null, PoolAccounts | null]>();

function poolAccounts(pool: WhirlpoolSwapPool, aToB: boolean): PoolAccounts {
  let both = accountsOfPools.get(pool);
  if (both === undefined) {
    both = [null, null];
    accountsOfPools.set(pool, both);
  }
  both[aToB ? 0 : 1] ??= {
    head: {
      programs: [...pool.tokenPrograms, MEMO_PROGRAM].map(readonly),
      pool: [writable(pool.address), ...pool.mints.map(readonly)],
    },
    vaultA: writable(pool.vaults[0]),
    vaultB: writable(pool.vaults[1]),
    tail: [...tickArrays(pool, aToB), deriveWhirlpoolOracleAddress(pool.address)].map(writable),
  };
  return both[aToB ? 0 : 1] as PoolAccounts;
}

/** Whether token A is the input; throws `RangeError` when the mint is neither of the pool's. */
export function isAToB({ mints }: Pick<WhirlpoolSwapPool, 'mints'>, inputMint: Address): boolean {
  if (inputMint === mints[0]) return true;
  if (inputMint === mints[1]) return false;
  throw new RangeError(`the pool trades ${mints[0]} and ${mints[1]}, not ${inputMint}`);
}

/** At the ends of the price range fewer than three arrays exist: the last one is named again. */
function tickArrays(pool: WhirlpoolSwapPool, aToB: boolean): Address[] {
  const arrays = (aToB ? pool.down : pool.up).map(({ address }) => address);
  const last = arrays.at(-1) ?? pool.address;
  while (arrays.length < SWAP_TICK_ARRAYS) arrays.push(last);
  return arrays;
}

function userAccounts(aToB: boolean, { source, destination }: SwapParties): readonly [Address, Address] {
  return aToB ? [source, destination] : [destination, source];
}

function swapData(tag: Uint8Array, args: SwapArguments, aToB: boolean): ByteWriter {
  return new ByteWriter(48)
    .bytes(tag)
    .u64(args.amount)
    .u64(args.otherAmountThreshold)
    .u128(args.sqrtPriceLimit)
    .bool(args.exactIn)
    .bool(aToB);
}
