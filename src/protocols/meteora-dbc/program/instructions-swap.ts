import type { Address } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
} from '../../../solana/messages/instruction.ts';
import { SYSVAR_INSTRUCTIONS } from '../../../solana/program-addresses.ts';
import type { DbcPoolKeys } from './addresses.ts';
import { createDbcInstruction, DBC_EVENT_ACCOUNTS } from './instruction.ts';
import { METEORA_DBC_AUTHORITY, METEORA_DBC_PROGRAM } from './program.ts';

/** Who swaps. The payer signs, and owns the account of the input. */
export interface DbcSwapParties {
  readonly payer: Address;
  readonly inputTokenAccount: Address;
  readonly outputTokenAccount: Address;
  /** A token account that gets a share of the protocol's fee. */
  readonly referralTokenAccount?: Address;
  /** Adds the instructions sysvar, which a rate limiter and the discount of a first swap need. */
  readonly showsInstructions?: boolean;
}

/** The amounts of `swap2`, whose meaning follows from a `DbcSwapMode`. */
export interface DbcSwap2Arguments {
  readonly amount0: bigint;
  readonly amount1: bigint;
  readonly swapMode: number;
}

/** Pays at least `minimumAmountOut` for `amountIn`. */
export function swapDbc(
  pool: DbcPoolKeys,
  parties: DbcSwapParties,
  args: { readonly amountIn: bigint; readonly minimumAmountOut: bigint },
): Instruction {
  return createDbcInstruction(
    'swap',
    listDbcSwapAccounts(pool, readonlySigner(parties.payer), parties),
    new ByteWriter(16).u64(args.amountIn).u64(args.minimumAmountOut).finish(),
  );
}

export function swap2Dbc(pool: DbcPoolKeys, parties: DbcSwapParties, args: DbcSwap2Arguments): Instruction {
  return createDbcInstruction(
    'swap2',
    listDbcSwapAccounts(pool, readonlySigner(parties.payer), parties),
    new ByteWriter(17).u64(args.amount0).u64(args.amount1).u8(args.swapMode).finish(),
  );
}

/** The 15 accounts of both swaps, and the instructions sysvar behind them. `payer` is given with its role. */
export function listDbcSwapAccounts(
  pool: DbcPoolKeys,
  payer: AccountMeta,
  parties: Omit<DbcSwapParties, 'payer'>,
): AccountMeta[] {
  const { inputTokenAccount, outputTokenAccount, referralTokenAccount } = parties;
  return [
    readonly(METEORA_DBC_AUTHORITY),
    readonly(pool.config),
    ...[pool.pool, inputTokenAccount, outputTokenAccount, pool.baseVault, pool.quoteVault].map(writable),
    ...[pool.baseMint, pool.quoteMint].map(readonly),
    payer,
    ...[pool.tokenBaseProgram, pool.tokenQuoteProgram].map(readonly),
    referralTokenAccount === undefined ? readonly(METEORA_DBC_PROGRAM) : writable(referralTokenAccount),
    ...DBC_EVENT_ACCOUNTS,
    ...(parties.showsInstructions === true ? [readonly(SYSVAR_INSTRUCTIONS)] : []),
  ];
}
