import { crc32 } from 'node:zlib';
import { OperatorError } from '../../../common/operator-error.ts';

/** The newest version of the file layout that this program reads and writes. */
const DATA_VERSION = 1;

const FILE_MAGIC = Buffer.from('SLUICENT');
/** The size of a file header: magic, version, kind, sequence, and the CRC-32 of all before it. */
export const FILE_HEADER = 8 + 4 + 4 + 8 + 4;

const FRAME_MAGIC = 0x4c53_4652;
/** The size of a frame header: magic, payload length, CRC-32 of the payload, and CRC-32 of the three fields before it. */
const FRAME_HEADER = 16;

export const FileKind = { SNAPSHOT: 1, LOG: 2 } as const;
export type FileKind = (typeof FileKind)[keyof typeof FileKind];

/** Returns the header of a file, with its kind and the sequence number of the last record before it. */
export function encodeFileHeader(kind: FileKind, sequence: bigint): Buffer {
  const header = Buffer.alloc(FILE_HEADER);
  FILE_MAGIC.copy(header);
  header.writeUInt32LE(DATA_VERSION, 8);
  header.writeUInt32LE(kind, 12);
  header.writeBigUInt64LE(sequence, 16);
  header.writeUInt32LE(crc32(header.subarray(0, 24)), 24);
  return header;
}

/**
 * Checks the header of a file and returns the rest.
 *
 * @throws OperatorError when the file is not of this kind or is too new.
 */
export function openFile(file: Buffer, kind: FileKind, name: string): { sequence: bigint; body: Buffer } {
  if (file.length < FILE_HEADER || !file.subarray(0, 8).equals(FILE_MAGIC)) {
    throw new OperatorError(`${name} is not a file of the embedded network: it does not begin with its mark`);
  }
  const version = file.readUInt32LE(8);
  if (version > DATA_VERSION) {
    throw new OperatorError(
      `${name} has data format ${version}; this program knows formats up to ${DATA_VERSION}. ` +
        'It was written by a newer version: start that one, or use another data folder',
    );
  }
  if (crc32(file.subarray(0, 24)) !== file.readUInt32LE(24) || file.readUInt32LE(12) !== kind) {
    throw new OperatorError(`${name} is damaged: its header does not match its checksum`);
  }
  return { sequence: file.readBigUInt64LE(16), body: file.subarray(FILE_HEADER) };
}

/** Returns the frame header for `payload`, which may have several parts. */
export function encodeFrameHeader(payload: readonly Uint8Array[]): Buffer {
  let length = 0;
  let checksum = 0;
  for (const part of payload) {
    length += part.length;
    // For an empty part, zlib would restart from 0.
    if (part.length > 0) checksum = crc32(part, checksum);
  }
  const header = Buffer.alloc(FRAME_HEADER);
  header.writeUInt32LE(FRAME_MAGIC, 0);
  header.writeUInt32LE(length, 4);
  header.writeUInt32LE(checksum, 8);
  header.writeUInt32LE(crc32(header.subarray(0, 12)), 12);
  return header;
}

export interface LogFrames {
  readonly payloads: readonly Uint8Array[];
  /** The length up to the end of the last complete frame. The rest is a tail from an incomplete write. */
  readonly whole: number;
}

/**
 * Reads frames until the end, or until an incomplete one.
 *
 * @throws OperatorError when a complete frame follows an incomplete one, because that is damage and not a torn tail.
 */
export function readFrames(body: Buffer, name: string): LogFrames {
  const payloads: Uint8Array[] = [];
  let at = 0;
  for (let frame = frameAt(body, at); frame !== null; frame = frameAt(body, at)) {
    // A plain Uint8Array, whose `slice` copies, so that parts of a record do not keep the file in memory.
    payloads.push(new Uint8Array(frame.buffer, frame.byteOffset, frame.length));
    at += FRAME_HEADER + frame.length;
  }
  const next = nextFrame(body, claimedEnd(body, at) ?? at + 1);
  if (next !== null) {
    throw new OperatorError(
      `${name} is damaged: the record at byte ${FILE_HEADER + at} does not match its checksum, but whole records ` +
        `follow at byte ${FILE_HEADER + next}. Restore the file from a copy, or use another data folder`,
    );
  }
  return { payloads, whole: FILE_HEADER + at };
}

/** Returns the payload of the frame at `at`, or null when there is no complete frame. */
function frameAt(body: Buffer, at: number): Buffer | null {
  if (at + FRAME_HEADER > body.length || body.readUInt32LE(at) !== FRAME_MAGIC) return null;
  if (crc32(body.subarray(at, at + 12)) !== body.readUInt32LE(at + 12)) return null;
  const start = at + FRAME_HEADER;
  const end = start + body.readUInt32LE(at + 4);
  if (end > body.length) return null;
  const payload = body.subarray(start, end);
  return crc32(payload) === body.readUInt32LE(at + 8) ? payload : null;
}

/**
 * Returns where the damaged frame at `at` ends by its header, if that is intact. Its payload comes from users, so
 * searching for frames inside it would let them forge one.
 */
function claimedEnd(body: Buffer, at: number): number | null {
  if (at + FRAME_HEADER > body.length || crc32(body.subarray(at, at + 12)) !== body.readUInt32LE(at + 12)) {
    return null;
  }
  return at + FRAME_HEADER + body.readUInt32LE(at + 4);
}

/**
 * How many times the length of the file is read, at most, to find a whole frame after a damaged one. Frames do not overlap,
 * so that one reading suffices, unless headers were forged: each of them could claim the rest of the file.
 */
const MAX_READINGS = 8;

/** Returns where the next whole frame begins, or null if none was found within the bound. */
function nextFrame(body: Buffer, from: number): number | null {
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(FRAME_MAGIC);
  let left = MAX_READINGS * body.length;
  for (let at = body.indexOf(mark, from); at >= 0 && left > 0; at = body.indexOf(mark, at + 1)) {
    const end = claimedEnd(body, at);
    if (end === null || end > body.length) continue;
    if (frameAt(body, at) !== null) return at;
    left -= end - at;
  }
  return null;
}
