import { ByteReader } from '../../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../../solana/codec/byte-writer.ts';
import { MIN_TICK, NO_TICK, TICKS_PER_ARRAY } from './limits.ts';

/** A bit for each of 2,048 ticks, which is set when the tick has debt. */
export interface TickHasDebtArray {
  readonly vaultId: number;
  readonly index: number;
  /** 256 bytes. The lowest bit of the first byte is that of the lowest tick. */
  readonly bits: Uint8Array;
}

const DISCRIMINATOR = new Uint8Array(Buffer.from('5be83c1d7c6731fc', 'hex'));
const BITS_BYTES = TICKS_PER_ARRAY / 8;
const TICK_HAS_DEBT_SIZE = 8 + 3 + BITS_BYTES;

/** @throws LayoutInvalid when the data is not an array of a vault. */
export function decodeTickHasDebt(data: Uint8Array): TickHasDebtArray {
  const from = new ByteReader(data, 'tick has debt array');
  from.expect(DISCRIMINATOR, 'discriminator');
  return { vaultId: from.u16(), index: from.u8(), bits: from.bytes(BITS_BYTES) };
}

/** @throws RangeError unless there are 256 bytes of bits. */
export function encodeTickHasDebt({ vaultId, index, bits }: TickHasDebtArray): Uint8Array {
  if (bits.length !== BITS_BYTES) {
    throw new RangeError(`an array has ${BITS_BYTES} bytes of bits, not ${bits.length}`);
  }
  return new ByteWriter(TICK_HAS_DEBT_SIZE).bytes(DISCRIMINATOR).u16(vaultId).u8(index).bytes(bits).finish();
}

export function isTickHasDebtData(data: Uint8Array): boolean {
  return data.length === TICK_HAS_DEBT_SIZE && DISCRIMINATOR.every((byte, at) => data[at] === byte);
}

/** Returns the index of the array with the bit of a tick. */
export function toArrayIndex(tick: number): number {
  return Math.floor((tick - MIN_TICK) / TICKS_PER_ARRAY);
}

/**
 * Reads an array of a vault. Returns null when the account does not exist, which means that none of its ticks has debt.
 */
export type TickHasDebtReader = (index: number) => TickHasDebtArray | null;

/**
 * Finds the highest tick with debt below a tick.
 *
 * @param tick - From -16383 to 16383.
 * @returns `NO_TICK` when there is none.
 */
export function findNextTickWithDebt(read: TickHasDebtReader, tick: number): number {
  let bit = (tick - MIN_TICK) % TICKS_PER_ARRAY;
  for (let index = toArrayIndex(tick); index >= 0; index--) {
    const found = highestBitBelow(read(index)?.bits ?? null, bit);
    if (found >= 0) return MIN_TICK + index * TICKS_PER_ARRAY + found;
    bit = TICKS_PER_ARRAY;
  }
  return NO_TICK;
}

/** Returns the number of the highest bit that is set below `end`, or -1. */
function highestBitBelow(bits: Uint8Array | null, end: number): number {
  if (bits === null) return -1;
  for (let at = (end - 1) >> 3; at >= 0; at--) {
    const first = at * 8;
    const room = Math.min(end - first, 8);
    const byte = (bits[at] ?? 0) & ((1 << room) - 1);
    if (byte !== 0) return first + 31 - Math.clz32(byte);
  }
  return -1;
}
