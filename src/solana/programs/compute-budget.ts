import { ByteReader } from '../codec/byte-reader.ts';
import { ByteWriter } from '../codec/byte-writer.ts';
import type { Instruction } from '../messages/instruction.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../program-addresses.ts';

/** The largest compute-unit limit that a transaction can request. */
export const MAX_COMPUTE_UNITS = 1_400_000;

const Tag = { HEAP_FRAME: 1, UNIT_LIMIT: 2, UNIT_PRICE: 3, LOADED_DATA_LIMIT: 4 } as const;

/** Limits the compute units that the transaction may use. */
export function setComputeUnitLimit(units: number): Instruction {
  return instruction(new ByteWriter(5).u8(Tag.UNIT_LIMIT).u32(units));
}

/** The number of different limits. */
const DISTINCT_LIMITS = 100_000;

/**
 * Sets a limit of at least `units` that differs by serial number, so that transactions of one blockhash that are alike
 * otherwise are distinct.
 */
export function setDistinctUnitLimit(units: number, serial: number): Instruction {
  return setComputeUnitLimit(units + (serial % DISTINCT_LIMITS));
}

/**
 * Sets the transaction's priority fee.
 *
 * @param microLamports - The price of one compute unit, in millionths of a lamport. It is paid in addition to the fee
 *   per signature.
 */
export function setComputeUnitPrice(microLamports: bigint): Instruction {
  return instruction(new ByteWriter(9).u8(Tag.UNIT_PRICE).u64(microLamports));
}

export type ComputeBudgetInstruction =
  /** The heap that each program gets. */
  | { readonly kind: 'requestHeapFrame'; readonly bytes: number }
  | { readonly kind: 'setComputeUnitLimit'; readonly units: number }
  | { readonly kind: 'setComputeUnitPrice'; readonly microLamports: bigint }
  /** The account data that the transaction may load. */
  | { readonly kind: 'setLoadedAccountsDataSizeLimit'; readonly bytes: number };

/**
 * Decodes the data of a compute-budget instruction. Like the chain, it ignores bytes after the arguments.
 *
 * Returns null for the deprecated tag 0 and for unknown tags, on which the chain fails the transaction.
 * @throws LayoutInvalid when the data is too short for its tag.
 */
export function decodeComputeBudget(data: Uint8Array): ComputeBudgetInstruction | null {
  const reader = new ByteReader(data, 'compute budget instruction');
  switch (reader.u8()) {
    case Tag.HEAP_FRAME:
      return { kind: 'requestHeapFrame', bytes: reader.u32() };
    case Tag.UNIT_LIMIT:
      return { kind: 'setComputeUnitLimit', units: reader.u32() };
    case Tag.UNIT_PRICE:
      return { kind: 'setComputeUnitPrice', microLamports: reader.u64() };
    case Tag.LOADED_DATA_LIMIT:
      return { kind: 'setLoadedAccountsDataSizeLimit', bytes: reader.u32() };
    default:
      return null;
  }
}

function instruction(data: ByteWriter): Instruction {
  return { programAddress: COMPUTE_BUDGET_PROGRAM, accounts: [], data: data.finish() };
}
