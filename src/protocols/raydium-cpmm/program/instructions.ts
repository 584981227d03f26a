import type { Address } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../solana/messages/instruction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_RENT,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../solana/program-addresses.ts';
import type { SwapParties } from '../../../protocol/venue/venue.ts';
import { type PoolAddresses, derivePermissionAddress } from './addresses.ts';
import type { RaydiumSides } from './layout.ts';
import { RAYDIUM_CPMM_AUTHORITY, RAYDIUM_CPMM_POOL_FEE_RECEIVER, RAYDIUM_CPMM_PROGRAM } from './program.ts';

/** A liquidity provider's own accounts; `tokens` in the order of the pool's mints. */
export interface LiquidityParties {
  readonly owner: Address;
  readonly lpToken: Address;
  readonly tokens: RaydiumSides<Address>;
}

/** Amounts that a new pool starts with, and the Unix second of its first swap. */
export interface PoolStart {
  readonly amounts: RaydiumSides<bigint>;
  readonly openTime: bigint;
}

const TAG = {
  initialize: Uint8Array.of(0xaf, 0xaf, 0x6d, 0x1f, 0x0d, 0x98, 0x9b, 0xed),
  initializeWithPermission: Uint8Array.of(0x3f, 0x37, 0xfe, 0x41, 0x31, 0xb2, 0x59, 0x79),
  deposit: Uint8Array.of(0xf2, 0x23, 0xc6, 0x89, 0x52, 0xe1, 0xf2, 0xb6),
  withdraw: Uint8Array.of(0xb7, 0x12, 0x46, 0x9c, 0x94, 0x6d, 0xa1, 0x22),
  swapBaseInput: Uint8Array.of(0x8f, 0xbe, 0x5a, 0xda, 0xc4, 0x1e, 0x33, 0xde),
  swapBaseOutput: Uint8Array.of(0x37, 0xd9, 0x62, 0x56, 0xa3, 0x4a, 0xb4, 0xad),
} as const;

/**
 * Creates the pool and gives the creator its LP tokens, less 100 atoms that stay locked. The creator's LP account
 * is its associated one. A pool that is not the pair's PDA must sign: pass `poolSigns`.
 */
export function initialize(
  pool: PoolAddresses,
  creator: LiquidityParties,
  start: PoolStart,
  poolSigns = false,
): Instruction {
  return instruction(
    TAG.initialize,
    [...start.amounts, start.openTime],
    [
      writableSigner(creator.owner),
      readonly(pool.config),
      readonly(RAYDIUM_CPMM_AUTHORITY),
      poolSigns ? writableSigner(pool.address) : writable(pool.address),
      ...newPoolAccounts(pool, creator),
      ...creationPrograms(pool),
      readonly(SYSVAR_RENT),
    ],
  );
}

/** As `initialize`, for a payer that holds a permission, with `creator` earning the creator fee on `creatorFeeOn`. */
export function initializeWithPermission(
  pool: PoolAddresses,
  payer: LiquidityParties,
  creator: Address,
  start: PoolStart,
  creatorFeeOn: number,
): Instruction {
  const built = instruction(
    TAG.initializeWithPermission,
    [...start.amounts, start.openTime],
    [
      writableSigner(payer.owner),
      readonly(creator),
      readonly(pool.config),
      readonly(RAYDIUM_CPMM_AUTHORITY),
      writable(pool.address),
      ...newPoolAccounts(pool, payer),
      readonly(derivePermissionAddress(payer.owner)),
      ...creationPrograms(pool),
    ],
  );
  return { ...built, data: Uint8Array.of(...built.data, creatorFeeOn) };
}

/** Mints exactly `lpAmount` for at most `maximums` of the tokens, transfer fees included. */
export function deposit(
  pool: PoolAddresses,
  owner: LiquidityParties,
  lpAmount: bigint,
  maximums: RaydiumSides<bigint>,
): Instruction {
  return instruction(TAG.deposit, [lpAmount, ...maximums], liquidityAccounts(pool, owner));
}

/** Burns exactly `lpAmount` for at least `minimums` of the tokens, as they arrive. */
export function withdraw(
  pool: PoolAddresses,
  owner: LiquidityParties,
  lpAmount: bigint,
  minimums: RaydiumSides<bigint>,
): Instruction {
  return instruction(
    TAG.withdraw,
    [lpAmount, ...minimums],
    [...liquidityAccounts(pool, owner), readonly(MEMO_PROGRAM)],
  );
}

/** Swaps exactly `amountIn` of `inputMint` for at least `minimumOut`, as it arrives. */
export function swapBaseInput(
  pool: PoolAddresses,
  inputMint: Address,
  user: SwapParties,
  amountIn: bigint,
  minimumOut: bigint,
): Instruction {
  return instruction(
    TAG.swapBaseInput,
    [amountIn, minimumOut],
    listRaydiumSwapAccounts(pool, inputMint, readonlySigner(user.authority), user),
  );
}

/** Swaps at most `maximumIn` of `inputMint` for exactly `amountOut`, as it arrives. */
export function swapBaseOutput(
  pool: PoolAddresses,
  inputMint: Address,
  user: SwapParties,
  maximumIn: bigint,
  amountOut: bigint,
): Instruction {
  return instruction(
    TAG.swapBaseOutput,
    [maximumIn, amountOut],
    listRaydiumSwapAccounts(pool, inputMint, readonlySigner(user.authority), user),
  );
}

/** The 13 accounts of both swaps. `authority` is given with its role: a route's step need not mark it as signer. */
export function listRaydiumSwapAccounts(
  pool: PoolAddresses,
  inputMint: Address,
  authority: AccountMeta,
  user: SwapParties,
): AccountMeta[] {
  const input = getTokenSide(pool, inputMint);
  const output = input === 0 ? 1 : 0;
  return [
    authority,
    readonly(RAYDIUM_CPMM_AUTHORITY),
    readonly(pool.config),
    writable(pool.address),
    writable(user.source),
    writable(user.destination),
    writable(pool.vaults[input]),
    writable(pool.vaults[output]),
    readonly(pool.tokenPrograms[input]),
    readonly(pool.tokenPrograms[output]),
    readonly(pool.mints[input]),
    readonly(pool.mints[output]),
    writable(pool.observation),
  ];
}

/** Which token of the pool `mint` is; throws `RangeError` when it is neither. */
function getTokenSide({ mints }: Pick<PoolAddresses, 'mints'>, mint: Address): 0 | 1 {
  if (mint === mints[0]) return 0;
  if (mint === mints[1]) return 1;
  throw new RangeError(`the pool trades ${mints[0]} and ${mints[1]}, not ${mint}`);
}

function newPoolAccounts(pool: PoolAddresses, { lpToken, tokens }: LiquidityParties): AccountMeta[] {
  return [
    ...pool.mints.map(readonly),
    ...[pool.lpMint, ...tokens, lpToken, ...pool.vaults].map(writable),
    writable(RAYDIUM_CPMM_POOL_FEE_RECEIVER),
    writable(pool.observation),
  ];
}

function creationPrograms({ tokenPrograms }: PoolAddresses): AccountMeta[] {
  return [TOKEN_PROGRAM, ...tokenPrograms, ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM].map(readonly);
}

function liquidityAccounts(pool: PoolAddresses, { owner, lpToken, tokens }: LiquidityParties): AccountMeta[] {
  return [
    readonlySigner(owner),
    readonly(RAYDIUM_CPMM_AUTHORITY),
    ...[pool.address, lpToken, ...tokens, ...pool.vaults].map(writable),
    ...[TOKEN_PROGRAM, TOKEN_2022_PROGRAM, ...pool.mints].map(readonly),
    writable(pool.lpMint),
  ];
}

function instruction(
  tag: Uint8Array,
  args: readonly bigint[],
  accounts: readonly AccountMeta[],
): Instruction {
  const data = new ByteWriter(tag.length + 8 * args.length + 1).bytes(tag);
  for (const each of args) data.u64(each);
  return { programAddress: RAYDIUM_CPMM_PROGRAM, accounts, data: data.finish() };
}
