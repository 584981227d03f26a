import { OperatorError } from '../../common/operator-error.ts';
import { formatForError } from '../../common/format-for-error.ts';

/** The archive is a POSIX ustar of regular files, which `tar -tz` can list. Sizes are in bytes. */
const BLOCK = 512;
const FIELD = { name: 100, mode: 8, id: 8, size: 12, time: 12, sum: 8 } as const;
const REGULAR = '0';
/** Eleven octal digits. */
const MAX_FILE_BYTES = 8 ** 11 - 1;
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/;

export interface TarEntry {
  /** Relative, with slashes. */
  readonly name: string;
  readonly size: number;
}

/** @throws OperatorError when the file is too large for the archive, or has a name that a restore would refuse. */
export function encodeTarHeader({ name, size }: TarEntry, modifiedSeconds: number): Buffer {
  if (!isSafeName(name) || size > MAX_FILE_BYTES) {
    throw new OperatorError(
      `${name} has ${size} bytes, but a backup holds files of at most ${MAX_FILE_BYTES} bytes whose names have at most ${FIELD.name} letters, digits, dots, hyphens and underscores`,
    );
  }
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  const unsummed = ' '.repeat(FIELD.sum);
  const fields = [
    name.padEnd(FIELD.name, '\0'),
    octal(0o600, FIELD.mode),
    octal(0, FIELD.id),
    octal(0, FIELD.id),
    octal(size, FIELD.size),
    octal(modifiedSeconds, FIELD.time),
    unsummed,
    REGULAR,
    '\0'.repeat(FIELD.name),
    'ustar\x0000',
  ];
  header.write(fields.join(''), 'latin1');
  header.write(`${octal(sumBytes(header), FIELD.sum - 1)} `, SUM_AT, 'latin1');
  return header;
}

/** Returns the bytes that fill a file of this size up to a whole block. */
export function createTarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

export const TAR_END: Buffer = Buffer.alloc(2 * BLOCK);

/** A part of an archive: the beginning of a file, or some of its bytes. */
export type TarPart =
  | { readonly kind: 'file'; readonly entry: TarEntry }
  | { readonly kind: 'bytes'; readonly bytes: Buffer };

/**
 * Reads an archive from a stream.
 *
 * @throws OperatorError when it was not written by `encodeTarHeader`, is cut short, or holds anything but regular files with
 *   safe names.
 */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarPart> {
  let waiting: Buffer = Buffer.alloc(0);
  let left = 0;
  let padding = 0;
  let ended = false;
  for await (const chunk of chunks) {
    waiting = waiting.length === 0 ? Buffer.from(chunk) : Buffer.concat([waiting, chunk]);
    for (;;) {
      if (left > 0) {
        const bytes = waiting.subarray(0, left);
        if (bytes.length === 0) break;
        left -= bytes.length;
        waiting = waiting.subarray(bytes.length);
        yield { kind: 'bytes', bytes };
      } else if (padding > 0) {
        if (waiting.length < padding) break;
        waiting = waiting.subarray(padding);
        padding = 0;
      } else {
        if (waiting.length < BLOCK) break;
        const header = waiting.subarray(0, BLOCK);
        waiting = waiting.subarray(BLOCK);
        if (header.every((byte) => byte === 0)) ended = true;
        else if (ended) throw damaged('something follows its end');
        else {
          const entry = decodeTarEntry(header);
          left = entry.size;
          padding = createTarPadding(entry.size).length;
          yield { kind: 'file', entry };
        }
      }
    }
  }
  if (!ended || left > 0 || waiting.length > 0) throw damaged('it is cut short');
}

const SUM_AT = FIELD.name + FIELD.mode + 2 * FIELD.id + FIELD.size + FIELD.time;
const SIZE_AT = FIELD.name + FIELD.mode + 2 * FIELD.id;
const TYPE_AT = SUM_AT + FIELD.sum;

function decodeTarEntry(header: Buffer): TarEntry {
  const text = (start: number, length: number) =>
    header.toString('latin1', start, start + length).replace(/[\0 ].*$/s, '');
  const summed = Buffer.from(header);
  summed.fill(' ', SUM_AT, SUM_AT + FIELD.sum);
  const name = header.toString('latin1', 0, FIELD.name).replace(/\0.*$/s, '');
  const size = text(SIZE_AT, FIELD.size);
  if (Number.parseInt(text(SUM_AT, FIELD.sum), 8) !== sumBytes(summed))
    throw damaged('a header does not add up');
  if (header.toString('latin1', TYPE_AT, TYPE_AT + 1) !== REGULAR || !isSafeName(name)) {
    throw damaged(`it holds ${formatForError(name)}, which is no file of a data folder`);
  }
  if (!/^[0-7]{11}$/.test(size)) throw damaged(`the size of ${name} is no number`);
  return { name, size: Number.parseInt(size, 8) };
}

function sumBytes(header: Buffer): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}

/** Refuses names that lead out of the folder, and hidden files. */
function isSafeName(name: string): boolean {
  return name.length <= FIELD.name && NAME.test(name);
}

function damaged(how: string): OperatorError {
  return new OperatorError(`the file is not a complete backup: ${how}`);
}
