import { ByteReader } from '../codec/byte-reader.ts';
import { ByteWriter } from '../codec/byte-writer.ts';
import type { Instruction } from '../messages/instruction.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../program-addresses.ts';

/** The most compute units that one transaction may ask for. */
export const MAX_COMPUTE_UNITS = 1_400_000;

const Tag = { HEAP_FRAME: 1, UNIT_LIMIT: 2, UNIT_PRICE: 3, LOADED_DATA_LIMIT: 4 } as const;

/** Compute units that the transaction may use. */
export function setComputeUnitLimit(units: number): Instruction {
  return instruction(new ByteWriter(5).u8(Tag.UNIT_LIMIT).u32(units));
}

/** Micro-lamports per compute unit, on top of the fee per signature. */
export function setComputeUnitPrice(microLamports: bigint): Instruction {
  return instruction(new ByteWriter(9).u8(Tag.UNIT_PRICE).u64(microLamports));
}

export type ComputeBudgetInstruction =
  /** Heap for each program. */
  | { readonly kind: 'requestHeapFrame'; readonly bytes: number }
  | { readonly kind: 'setComputeUnitLimit'; readonly units: number }
  | { readonly kind: 'setComputeUnitPrice'; readonly microLamports: bigint }
  /** Account data that the transaction may load. */
  | { readonly kind: 'setLoadedAccountsDataSizeLimit'; readonly bytes: number };

/**
 * Decodes an instruction's data; null for the deprecated tag 0 and for unknown ones, on which the chain fails the
 * transaction. Throws `LayoutInvalid` when the data is too short for its tag; bytes after it are ignored, as there.
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
