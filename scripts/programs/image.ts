/** Where the parts of the program's image begin: file offset and address are the same number. */
export interface Image {
  /** Headers, then the parts; the headers' room is zero here. */
  readonly bytes: Buffer;
  readonly parts: readonly Part[];
  readonly entry: { readonly address: number; readonly size: number };
  /** Functions of the runtime that the program calls, in order of first use. */
  readonly imports: readonly string[];
  /** Places that the loader has to fix, in address order. */
  readonly fixups: readonly Fixup[];
}

export interface Part {
  readonly kind: PartKind;
  readonly start: number;
  readonly end: number;
}

/** `import` is an index into the imports for a call, and absent for an address within the program. */
export interface Fixup {
  readonly address: number;
  readonly import?: number;
}

export type PartKind = 'text' | 'rodata' | 'relro';

/** Sizes of the file header and of one program header, in bytes. */
export const FILE_HEADER = 64;
export const PROGRAM_HEADER = 56;
export const PROGRAM_HEADERS = 3;
/** Where the first part may begin. */
export const HEADERS = FILE_HEADER + PROGRAM_HEADERS * PROGRAM_HEADER;
