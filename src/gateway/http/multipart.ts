import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { Readable } from 'node:stream';
import { formatForError } from '../../common/format-for-error.ts';
import type { MultipartBody, UploadedFile } from '../../products/raw-body.ts';

/** A body that is not what its type says. The message is a sentence for the client. */
export class BodyUnreadable extends Error {
  override readonly name = 'BodyUnreadable';
}

/** More parts than any form of this server has. */
const MAX_PARTS = 32;
const MAX_HEADERS_OF_PART = 16;
const MAX_HEADER_BYTES_OF_PART = 4_096;
/** The parser is given so much at once, and stopped between two pieces. */
const PIECE_BYTES = 4_096;
/** The only character that PostgreSQL cannot store. */
const UNSTORABLE = '\0';

/**
 * Reads a form that has arrived completely. A part with a file name, or of the type `application/octet-stream`, is a file; any
 * other is a field. The name of the file is not kept.
 *
 * @param contentType - The header, whose `boundary` separates the parts.
 * @throws BodyUnreadable if it is no form, has a name twice, more than 32 parts, or a field longer than `maxFieldBytes`
 */
export async function parseMultipart(
  contentType: string,
  body: Buffer,
  maxFieldBytes: number,
): Promise<MultipartBody> {
  const fields = new Map<string, string>();
  const files = new Map<string, UploadedFile>();
  const parser = createParser(contentType, maxFieldBytes);
  const source = Readable.from(splitIntoPieces(body), { objectMode: false });
  await new Promise<void>((resolve, reject) => {
    const refuse = (message: string) => {
      // The parser would read on, and a form may have a million parts.
      source.destroy();
      reject(new BodyUnreadable(message));
    };
    const isNew = (name: string | undefined): name is string => {
      if (name === undefined) refuse('Each part of the form must have a name');
      else if (fields.has(name) || files.has(name))
        refuse(`The form must have each name once, got ${formatForError(name)} twice`);
      else return true;
      return false;
    };
    parser.on('field', (name: string | undefined, value, _nameIsCut, isCut) => {
      if (!isNew(name)) return;
      if (isCut) refuse(`${formatForError(name)} must have at most ${maxFieldBytes} bytes`);
      if (`${name}${value}`.includes(UNSTORABLE))
        refuse(`${formatForError(name)} must not contain the character U+0000`);
      fields.set(name, value);
    });
    parser.on('file', (name: string | undefined, stream, _fileName, _encoding, type) => {
      // Without a listener, a form that ends within a file would end the process.
      stream.on('error', () => refuse(NO_FORM));
      if (!isNew(name)) {
        stream.resume();
        return;
      }
      files.set(name, { contentType: type, bytes: Buffer.alloc(0) });
      collect(stream, (bytes) => files.set(name, { contentType: type, bytes }));
    });
    parser.on('partsLimit', () => refuse(`The form must have at most ${MAX_PARTS} parts`));
    parser.on('error', () => refuse(NO_FORM));
    parser.on('finish', resolve);
    source.pipe(parser);
  });
  return { fields, files };
}

function* splitIntoPieces(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
}

const NO_FORM = 'The body is not a complete form of the type multipart/form-data';

function createParser(contentType: string, maxFieldBytes: number) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        parts: MAX_PARTS,
        fieldSize: maxFieldBytes,
        headerPairs: MAX_HEADERS_OF_PART,
        headerSize: MAX_HEADER_BYTES_OF_PART,
      },
    });
  } catch {
    throw new BodyUnreadable('content-type must name the boundary of the form');
  }
}

function collect(stream: BusboyFileStream, take: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => take(Buffer.concat(chunks)));
}
