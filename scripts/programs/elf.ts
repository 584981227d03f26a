/** What the linker reads of a relocatable ELF object, the form in which the assembler leaves a program. */
export interface ObjectFile {
  readonly sections: readonly Section[];
  readonly symbols: readonly SymbolEntry[];
}

export interface Section {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly alignment: number;
  /** Empty for sections that take no room in the file; `size` tells theirs. */
  readonly bytes: Uint8Array;
  readonly size: number;
  /** Relocations of this section, in file order. */
  readonly relocations: readonly Relocation[];
}

export interface SymbolEntry {
  readonly name: string;
  readonly kind: number;
  /** Index of the section that defines it; 0 when it is undefined. */
  readonly section: number;
  readonly value: number;
  readonly size: number;
}

export interface Relocation {
  readonly offset: number;
  readonly type: number;
  readonly symbol: number;
  readonly addend: bigint;
}

export class ElfError extends Error {
  override readonly name = 'ElfError';
}

export const SectionType = {
  PROGBITS: 1,
  SYMTAB: 2,
  STRTAB: 3,
  RELA: 4,
  DYNAMIC: 6,
  NOBITS: 8,
  REL: 9,
  DYNSYM: 11,
} as const;
export const SectionFlag = { WRITE: 1, ALLOC: 2, EXECUTE: 4 } as const;
export const SymbolKind = { SECTION: 3 } as const;
export const MACHINE_BPF = 247;

const FILE_HEADER = 64;
const SECTION_HEADER = 64;
const SYMBOL = 24;
const REL = 16;
const RELA = 24;
const MAX_SECTIONS = 10_000;

interface RawSection extends Omit<Section, 'relocations' | 'name'> {
  readonly nameOffset: number;
  readonly link: number;
  readonly info: number;
}

/** Reads a 64-bit little-endian BPF object; throws `ElfError` for anything else and for lengths that lie. */
export function readObject(file: Uint8Array): ObjectFile {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  checkFileHeader(bytes);
  const raw = readSectionHeaders(bytes);
  const names = rawAt(raw, bytes.readUInt16LE(62), 'the section that holds section names');
  const symbolTable = raw.find((section) => section.type === SectionType.SYMTAB);
  const symbols = symbolTable === undefined ? [] : readSymbols(symbolTable, raw);
  const sections = raw.map((section, index) => ({
    name: stringAt(names.bytes, section.nameOffset),
    type: section.type,
    flags: section.flags,
    alignment: section.alignment,
    bytes: section.bytes,
    size: section.size,
    relocations: raw
      .filter((table) => isRelocationTable(table) && table.info === index)
      .flatMap((table) => readRelocations(table, symbols.length)),
  }));
  return { sections, symbols };
}

function checkFileHeader(bytes: Buffer): void {
  if (bytes.length < FILE_HEADER)
    throw new ElfError(`an object has at least ${FILE_HEADER} bytes, got ${bytes.length}`);
  const identity = bytes.subarray(0, 6).toString('hex');
  if (identity !== '7f454c460201')
    throw new ElfError(`not a 64-bit little-endian ELF file: starts with ${identity}`);
  const type = bytes.readUInt16LE(16);
  if (type !== 1) throw new ElfError(`not a relocatable object: ELF type ${type}, expected 1`);
  const machine = bytes.readUInt16LE(18);
  if (machine !== MACHINE_BPF) throw new ElfError(`not for BPF: machine ${machine}, expected ${MACHINE_BPF}`);
}

function readSectionHeaders(bytes: Buffer): RawSection[] {
  const start = u64(bytes, 40);
  const count = bytes.readUInt16LE(60);
  if (count > MAX_SECTIONS) throw new ElfError(`more than ${MAX_SECTIONS} sections: ${count}`);
  const table = slice(bytes, start, count * SECTION_HEADER, 'section headers');
  return Array.from({ length: count }, (_, index) => {
    const at = index * SECTION_HEADER;
    const type = table.readUInt32LE(at + 4);
    const size = u64(table, at + 32);
    const inFile = type === SectionType.NOBITS || type === 0 ? 0 : size;
    return {
      nameOffset: table.readUInt32LE(at),
      type,
      flags: u64(table, at + 8),
      bytes: slice(bytes, u64(table, at + 24), inFile, `section ${index}`),
      size,
      link: table.readUInt32LE(at + 40),
      info: table.readUInt32LE(at + 44),
      alignment: Math.max(1, u64(table, at + 48)),
    };
  });
}

function readSymbols(table: RawSection, sections: readonly RawSection[]): SymbolEntry[] {
  const names = rawAt(sections, table.link, 'the section that holds symbol names');
  const bytes = Buffer.from(table.bytes);
  return entries(bytes, SYMBOL, 'symbol table').map((at) => ({
    name: stringAt(names.bytes, bytes.readUInt32LE(at)),
    kind: bytes.readUInt8(at + 4) & 15,
    section: bytes.readUInt16LE(at + 6),
    value: u64(bytes, at + 8),
    size: u64(bytes, at + 16),
  }));
}

function isRelocationTable(section: RawSection): boolean {
  return section.type === SectionType.REL || section.type === SectionType.RELA;
}

function readRelocations(table: RawSection, symbolCount: number): Relocation[] {
  const withAddend = table.type === SectionType.RELA;
  const bytes = Buffer.from(table.bytes);
  return entries(bytes, withAddend ? RELA : REL, 'relocation table').map((at) => {
    const symbol = bytes.readUInt32LE(at + 12);
    if (symbol >= symbolCount) throw new ElfError(`a relocation names symbol ${symbol} of ${symbolCount}`);
    return {
      offset: u64(bytes, at),
      type: bytes.readUInt32LE(at + 8),
      symbol,
      addend: withAddend ? bytes.readBigInt64LE(at + 16) : 0n,
    };
  });
}

function entries(bytes: Buffer, size: number, what: string): number[] {
  if (bytes.length % size !== 0) {
    throw new ElfError(`a ${what} has entries of ${size} bytes, but ${bytes.length} bytes`);
  }
  return Array.from({ length: bytes.length / size }, (_, index) => index * size);
}

function rawAt(sections: readonly RawSection[], index: number, what: string): RawSection {
  const section = sections[index];
  if (section === undefined)
    throw new ElfError(`${what} is number ${index}, but there are ${sections.length}`);
  return section;
}

function slice(bytes: Buffer, start: number, length: number, what: string): Buffer {
  if (start + length > bytes.length) {
    throw new ElfError(`${what}: bytes ${start} to ${start + length} lie beyond the file's ${bytes.length}`);
  }
  return bytes.subarray(start, start + length);
}

function stringAt(table: Uint8Array, offset: number): string {
  const end = table.indexOf(0, offset);
  if (end === -1)
    throw new ElfError(`no text ends behind offset ${offset} of a table of ${table.length} bytes`);
  return Buffer.from(table.subarray(offset, end)).toString('utf8');
}

function u64(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at);
  if (value > BigInt(Number.MAX_SAFE_INTEGER))
    throw new ElfError(`a number beyond any file's size: ${value}`);
  return Number(value);
}
