import type { TSchema } from 'typebox';

/** A file that a request brings. */
export interface UploadedFile {
  /** The media type that the client named, in lower case and without parameters; empty if it named none. */
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** The parts of a form, by their names. A form that repeats a name is refused. */
export interface MultipartBody {
  readonly fields: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, UploadedFile>;
}

/** A body that is one file, of any media type: its endpoint decides which ones it takes. */
export interface FileBodyForm {
  readonly kind: 'file';
  /** The media types that the documentation names. */
  readonly contentTypes: readonly string[];
  /** A longer body is answered with 413. */
  readonly maxBytes: number;
}

/** A body of the type `multipart/form-data`. A body of any other type is answered with 415. */
export interface MultipartBodyForm {
  readonly kind: 'multipart';
  /** The fields and files that the documentation names. Nothing is validated by it. */
  readonly schema: TSchema;
  /** A longer body is answered with 413. */
  readonly maxBytes: number;
  /** A form with a longer field is refused. */
  readonly maxFieldBytes: number;
}

/** How a body that is not JSON is read. */
export type RawBodyForm = FileBodyForm | MultipartBodyForm;

/** The type of a body by its form; `Json` if the endpoint takes JSON. */
export type ReadBody<Form extends RawBodyForm | null, Json> = Form extends FileBodyForm
  ? UploadedFile
  : Form extends MultipartBodyForm
    ? MultipartBody
    : Json;

/** An answer that is a file: bytes that are sent as they are. */
export class FileAnswer {
  readonly contentType: string;
  readonly content: Buffer | FileChunks;
  readonly headers: Readonly<Record<string, string>>;

  /** @param content - A large file is sent in chunks, so that a slow client keeps no more than one of them in memory. */
  constructor(
    contentType: string,
    content: Buffer | FileChunks,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.contentType = contentType;
    this.content = content;
    this.headers = headers;
  }
}

/** The content of a file in chunks. The next one is requested when the client has taken the one before. */
export interface FileChunks {
  /** The length of all chunks together, in bytes. */
  readonly length: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}
