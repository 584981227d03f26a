import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { type Instruction, readonly } from '../../solana/messages/instruction.ts';
import { LIGHTHOUSE_PROGRAM } from './program.ts';

const ASSERT_ACCOUNT_DATA = 2;
const SILENT = 0;
const EQUAL = 0;
const [U8, U32, U64] = [1, 5, 7];

/** A value in the data of an account, and where it stands. */
export interface AssertedValue {
  readonly offset: number;
  readonly size: 'u8' | 'u32' | 'u64';
  readonly value: bigint;
}

/**
 * Creates `AssertAccountData`, by which a transaction fails unless an account holds a value. It also fails if the account has no
 * data, for example because it was closed.
 *
 * @example
 * ```ts
 * import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
 * import { createAssertAccountData } from './assert-account-data.ts';
 *
 * createAssertAccountData(SYSTEM_PROGRAM, { offset: 8, size: 'u64', value: 0n });
 * ```
 */
export function createAssertAccountData(
  account: Address,
  { offset, size, value }: AssertedValue,
): Instruction {
  const data = writeCompact(new ByteWriter().u8(ASSERT_ACCOUNT_DATA).u8(SILENT), offset);
  if (size === 'u8') data.u8(U8).u8(Number(value));
  else if (size === 'u32') data.u8(U32).u32(Number(value));
  else data.u8(U64).u64(value);
  return {
    programAddress: LIGHTHOUSE_PROGRAM,
    accounts: [readonly(account)],
    data: data.u8(EQUAL).finish(),
  };
}

/** Writes a number in groups of seven bits, the least significant first. */
function writeCompact(to: ByteWriter, value: number): ByteWriter {
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) to.u8((rest & 0x7f) | 0x80);
  return to.u8(rest);
}
