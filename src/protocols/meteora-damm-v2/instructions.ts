import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
} from '../../solana/messages/instruction.ts';
import type { SwapParties } from '../../protocol/venue/venue.ts';
import type { DammSides } from './program/layout.ts';
import type { MeteoraDammV2Pool } from './pool.ts';
import {
  METEORA_DAMM_V2_AUTHORITY,
  METEORA_DAMM_V2_EVENT_AUTHORITY,
  METEORA_DAMM_V2_PROGRAM,
} from './program/program.ts';

/** The part of a pool that its instructions' accounts follow from. */
export type DammSwapPool = Pick<MeteoraDammV2Pool, 'address' | 'mints' | 'tokenPrograms' | 'vaults'>;

/** How `swap2` reads its two amounts: input and least output, the same with less input, or output and most input. */
export const SwapMode = { EXACT_IN: 0, PARTIAL_FILL: 1, EXACT_OUT: 2 } as const;

export interface Swap2Arguments {
  readonly amounts: DammSides<bigint>;
  readonly mode: number;
  /** A token account that gets a share of the protocol's fee. */
  readonly referral?: Address;
}

const TAG = {
  swap: Uint8Array.of(248, 198, 158, 145, 225, 117, 135, 200),
  swap2: Uint8Array.of(65, 75, 63, 76, 235, 91, 91, 136),
} as const;

/** Pays at least `minimumOut` for `amountIn`. */
export function swap(
  pool: DammSwapPool,
  user: SwapParties,
  amountIn: bigint,
  minimumOut: bigint,
): Instruction {
  return {
    programAddress: METEORA_DAMM_V2_PROGRAM,
    accounts: listDammSwapAccounts(pool, readonlySigner(user.authority), user, null),
    data: new ByteWriter(24).bytes(TAG.swap).u64(amountIn).u64(minimumOut).finish(),
  };
}

export function swap2(pool: DammSwapPool, user: SwapParties, args: Swap2Arguments): Instruction {
  const [first, second] = args.amounts;
  return {
    programAddress: METEORA_DAMM_V2_PROGRAM,
    accounts: listDammSwapAccounts(pool, readonlySigner(user.authority), user, args.referral ?? null),
    data: new ByteWriter(25).bytes(TAG.swap2).u64(first).u64(second).u8(args.mode).finish(),
  };
}

/** The 14 accounts of both swaps. `authority` is given with its role: a route's step need not mark it as signer. */
export function listDammSwapAccounts(
  pool: DammSwapPool,
  authority: AccountMeta,
  { source, destination }: Pick<SwapParties, 'source' | 'destination'>,
  referral: Address | null,
): AccountMeta[] {
  return [
    readonly(METEORA_DAMM_V2_AUTHORITY),
    ...[pool.address, source, destination, ...pool.vaults].map(writable),
    ...pool.mints.map(readonly),
    authority,
    ...pool.tokenPrograms.map(readonly),
    referral === null ? readonly(METEORA_DAMM_V2_PROGRAM) : writable(referral),
    ...EVENT_ACCOUNTS,
  ];
}

/** The last accounts of every instruction in which the program records an event. */
export const EVENT_ACCOUNTS: readonly AccountMeta[] = [
  readonly(METEORA_DAMM_V2_EVENT_AUTHORITY),
  readonly(METEORA_DAMM_V2_PROGRAM),
];
