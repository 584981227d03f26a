import { OperatorError } from '../../../common/operator-error.ts';
import { readFileSync } from 'node:fs';
import { writeDurably } from '../../../common/files/durable-file.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { FileKind, encodeFileHeader, encodeFrameHeader, openFile, readFrames } from './log-frames.ts';
import { decodeSnapshot, encodeSnapshot, type NetworkState } from '../blocks/snapshot-codec.ts';

/** The maximum size of a snapshot that is packed, in bytes. Its base64 form fits the bodies of the admin interface. */
export const MAX_PACKED_BYTES = 12 * 1024 * 1024;

/** Writes a snapshot whole or not at all. Yields to other work between parts of about a megabyte. */
export function writeSnapshot(path: string, sequence: bigint, state: NetworkState): Promise<void> {
  return writeDurably(path, snapshotParts(sequence, state));
}

function* snapshotParts(sequence: bigint, state: NetworkState): Generator<Buffer> {
  yield encodeFileHeader(FileKind.SNAPSHOT, sequence);
  for (const part of encodeSnapshot(state)) yield Buffer.concat([encodeFrameHeader(part), ...part]);
}

/** @throws OperatorError when the file is damaged or too new. */
export function readSnapshot(path: string): { sequence: bigint; state: NetworkState } {
  return parseSnapshot(readFileSync(path), path);
}

/**
 * Parses the content of a snapshot's file.
 *
 * @param name - The subject of error messages.
 * @param maxAccounts - The maximum number of accounts.
 * @throws OperatorError when it is damaged or too new.
 */
export function parseSnapshot(
  content: Buffer,
  name: string,
  maxAccounts = Infinity,
): { sequence: bigint; state: NetworkState } {
  const { sequence, body } = openFile(content, FileKind.SNAPSHOT, name);
  const { payloads, whole } = readFrames(body, name);
  try {
    if (whole !== content.length) throw new LayoutInvalid(`byte ${whole} begins no whole part`);
    return { sequence, state: decodeSnapshot(payloads, maxAccounts) };
  } catch (error) {
    if (!(error instanceof LayoutInvalid)) throw error;
    throw new OperatorError(
      `${name} is damaged: ${error.message}. Restore the file from a copy, or use another data folder`,
    );
  }
}

/** Returns the content of a snapshot's file. */
export function formatSnapshot(sequence: bigint, state: NetworkState): Buffer {
  return Buffer.concat([...snapshotParts(sequence, state)]);
}
