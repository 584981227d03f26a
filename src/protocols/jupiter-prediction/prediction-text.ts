import type { ByteReader } from '../../solana/codec/byte-reader.ts';
import type { ByteWriter } from '../../solana/codec/byte-writer.ts';

/** Writes a text as the program does: its length in bytes as a u32, and its UTF-8. */
export function writePredictionText(to: ByteWriter, text: string): ByteWriter {
  const bytes = Buffer.from(text, 'utf8');
  return to.u32(bytes.length).bytes(bytes);
}

/** Writes a text that may be missing: one byte that says whether it is there, and the text. */
export function writeOptionalPredictionText(to: ByteWriter, text: string | null): ByteWriter {
  return text === null ? to.u8(0) : writePredictionText(to.u8(1), text);
}

/**
 * Reads a text that `writePredictionText` wrote.
 *
 * @throws LayoutInvalid when the text is cut short.
 */
export function readPredictionText(from: ByteReader): string {
  return Buffer.from(from.bytes(from.u32())).toString('utf8');
}

/**
 * Reads a text that may be missing.
 *
 * @throws LayoutInvalid when the text is cut short.
 */
export function readOptionalPredictionText(from: ByteReader): string | null {
  return from.bool() ? readPredictionText(from) : null;
}
