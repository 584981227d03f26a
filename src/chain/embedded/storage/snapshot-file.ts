import { readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { DataRefused, FileKind, fileHeader, frameHeader, openFile, readFrames } from './log-frames.ts';
import { decodeSnapshot, encodeSnapshot, type NetworkState } from '../blocks/snapshot-codec.ts';
import { syncFolder } from './write-ahead-log.ts';

/**
 * Writes a snapshot to a temporary file, which is renamed once it is durable, so that the file is never incomplete.
 * Yields to other work between parts of about a megabyte.
 */
export async function writeSnapshot(path: string, sequence: bigint, state: NetworkState): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w');
  try {
    try {
      await file.writeFile(fileHeader(FileKind.SNAPSHOT, sequence));
      for (const part of encodeSnapshot(state)) {
        await file.writeFile(Buffer.concat([frameHeader(part), ...part]));
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    // On a full disk, the file would take the space that the log needs.
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** @throws DataRefused when the file is damaged or too new. */
export function readSnapshot(path: string): { sequence: bigint; state: NetworkState } {
  return parseSnapshot(readFileSync(path), path);
}

/**
 * Parses the content of a snapshot's file.
 *
 * @param name The subject of error messages.
 * @param maxAccounts More accounts are refused.
 * @throws DataRefused when it is damaged or too new.
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
    throw new DataRefused(
      `${name} is damaged: ${error.message}. Restore the file from a copy, or use another data folder`,
    );
  }
}

/** Returns the content of a snapshot's file. */
export function formatSnapshot(sequence: bigint, state: NetworkState): Buffer {
  const parts = [...encodeSnapshot(state)].flatMap((part) => [frameHeader(part), ...part]);
  return Buffer.concat([fileHeader(FileKind.SNAPSHOT, sequence), ...parts]);
}
