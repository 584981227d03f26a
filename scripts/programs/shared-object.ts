import { MACHINE_BPF, SectionFlag, SectionType } from './elf.ts';
import {
  FILE_HEADER,
  type Image,
  type Part,
  type PartKind,
  PROGRAM_HEADER,
  PROGRAM_HEADERS,
} from './image.ts';

/** What the loader of SBPF v0 does at a fixup (`r_info` of the dynamic relocations). */
const R_BPF_64_RELATIVE = 8;
const R_BPF_64_32 = 10;

const DynamicTag = {
  NULL: 0,
  STRTAB: 5,
  SYMTAB: 6,
  STRSZ: 10,
  SYMENT: 11,
  REL: 17,
  RELSZ: 18,
  RELENT: 19,
} as const;
const GLOBAL = 0x10;
const GLOBAL_FUNCTION = 0x12;
const SHARED_OBJECT = 3;
const PAGE = 0x1000;

/** Sizes of the entries of tables, in bytes. */
const TAG = 16;
const SYMBOL = 24;
const RELOCATION = 16;
const SECTION_HEADER = 64;

const PART_SECTIONS: Readonly<Record<PartKind, { name: string; flags: number }>> = {
  text: { name: '.text', flags: SectionFlag.ALLOC | SectionFlag.EXECUTE },
  rodata: { name: '.rodata', flags: SectionFlag.ALLOC },
  relro: { name: '.data.rel.ro', flags: SectionFlag.ALLOC | SectionFlag.WRITE },
};

interface OutputSection {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly start: number;
  readonly size: number;
  readonly link?: number;
  readonly info?: number;
  readonly alignment: number;
  readonly entrySize?: number;
}

interface Block {
  readonly start: number;
  readonly bytes: Buffer;
}

/** What the loader reads beyond the image, in the order in which it follows the image. */
interface Tables {
  readonly dynamic: Block;
  readonly symbols: Block;
  readonly strings: Block;
  readonly fixups: Block;
}

/** Texts, each ended by a zero and found again by its offset. */
class StringTable {
  #bytes = Buffer.alloc(1);

  add(text: string): number {
    const offset = this.#bytes.length;
    this.#bytes = Buffer.concat([this.#bytes, Buffer.from(`${text}\0`)]);
    return offset;
  }

  bytes(): Buffer {
    return this.#bytes;
  }
}

/** The ELF file that the network's loader takes: the image, the dynamic tables, the section headers. */
export function writeSharedObject(image: Image): Uint8Array {
  const tables = dynamicTables(image);
  const sections = [...image.parts.map(partSection), ...tableSections(tables, image.parts.length + 1)];
  const names = new StringTable();
  const nameOffsets = sections.map(({ name }) => names.add(name));
  const namesName = names.add('.shstrtab');
  const namesSection: OutputSection = {
    name: '.shstrtab',
    type: SectionType.STRTAB,
    flags: 0,
    start: endOf(tables.fixups),
    size: names.bytes().length,
    alignment: 1,
  };

  const headersAt = align(namesSection.start + namesSection.size);
  const file = Buffer.alloc(headersAt + (sections.length + 2) * SECTION_HEADER);
  file.set(image.bytes);
  for (const { start, bytes } of Object.values(tables)) file.set(bytes, start);
  file.set(names.bytes(), namesSection.start);
  writeFileHeader(file, image.entry.address, headersAt, sections.length + 2);
  writeSegments(file, image, tables);
  // Header 0 is the null section's.
  [...sections, namesSection].forEach((section, index) => {
    const name = nameOffsets[index] ?? namesName;
    writeSectionHeader(file, headersAt + (index + 1) * SECTION_HEADER, name, section);
  });
  return new Uint8Array(file);
}

function dynamicTables(image: Image): Tables {
  const names = new StringTable();
  const symbols = dynamicSymbols(image, names);
  const fixups = dynamicRelocations(image);
  const start = align(image.bytes.length);
  const symbolsAt = start + (fixups.length > 0 ? 8 : 5) * TAG;
  const stringsAt = symbolsAt + symbols.length;
  const fixupsAt = align(stringsAt + names.bytes().length);
  const tags: (readonly [tag: number, value: number])[] = [
    [DynamicTag.SYMTAB, symbolsAt],
    [DynamicTag.SYMENT, SYMBOL],
    [DynamicTag.STRTAB, stringsAt],
    [DynamicTag.STRSZ, names.bytes().length],
    [DynamicTag.NULL, 0],
  ];
  if (fixups.length > 0) {
    tags.unshift(
      [DynamicTag.REL, fixupsAt],
      [DynamicTag.RELSZ, fixups.length],
      [DynamicTag.RELENT, RELOCATION],
    );
  }
  return {
    dynamic: { start, bytes: encodeTags(tags) },
    symbols: { start: symbolsAt, bytes: symbols },
    strings: { start: stringsAt, bytes: names.bytes() },
    fixups: { start: fixupsAt, bytes: fixups },
  };
}

function partSection({ kind, start, end }: Part): OutputSection {
  return { ...PART_SECTIONS[kind], type: SectionType.PROGBITS, start, size: end - start, alignment: 16 };
}

/** `first` is the number that the first of them gets among all sections. */
function tableSections({ dynamic, symbols, strings, fixups }: Tables, first: number): OutputSection[] {
  const [symbolsNumber, stringsNumber] = [first + 1, first + 2];
  const block = ({ start, bytes }: Block) => ({ start, size: bytes.length, flags: SectionFlag.ALLOC });
  const sections: OutputSection[] = [
    {
      ...block(dynamic),
      name: '.dynamic',
      type: SectionType.DYNAMIC,
      flags: SectionFlag.ALLOC | SectionFlag.WRITE,
      link: stringsNumber,
      alignment: 8,
      entrySize: TAG,
    },
    {
      ...block(symbols),
      name: '.dynsym',
      type: SectionType.DYNSYM,
      link: stringsNumber,
      info: 1,
      alignment: 8,
      entrySize: SYMBOL,
    },
    { ...block(strings), name: '.dynstr', type: SectionType.STRTAB, alignment: 1 },
  ];
  if (fixups.bytes.length === 0) return sections;
  const relocations = { name: '.rel.dyn', type: SectionType.REL, link: symbolsNumber, alignment: 8 };
  return [...sections, { ...block(fixups), ...relocations, entrySize: RELOCATION }];
}

/** The null symbol, the imports, and the entry point. */
function dynamicSymbols(image: Image, strings: StringTable): Buffer {
  const imported = image.imports.map((name) => symbol(strings.add(name), GLOBAL, 0, 0, 0));
  const { address, size } = image.entry;
  const entry = symbol(strings.add('entrypoint'), GLOBAL_FUNCTION, 1, address, size);
  return Buffer.concat([Buffer.alloc(SYMBOL), ...imported, entry]);
}

function symbol(name: number, info: number, section: number, value: number, size: number): Buffer {
  const entry = Buffer.alloc(SYMBOL);
  entry.writeUInt32LE(name, 0);
  entry.writeUInt8(info, 4);
  entry.writeUInt16LE(section, 6);
  entry.writeBigUInt64LE(BigInt(value), 8);
  entry.writeBigUInt64LE(BigInt(size), 16);
  return entry;
}

function dynamicRelocations(image: Image): Buffer {
  const table = Buffer.alloc(image.fixups.length * RELOCATION);
  image.fixups.forEach((fixup, index) => {
    const at = index * RELOCATION;
    table.writeBigUInt64LE(BigInt(fixup.address), at);
    table.writeUInt32LE(fixup.import === undefined ? R_BPF_64_RELATIVE : R_BPF_64_32, at + 8);
    // Symbol 0 is the null symbol.
    table.writeUInt32LE(fixup.import === undefined ? 0 : fixup.import + 1, at + 12);
  });
  return table;
}

function encodeTags(tags: readonly (readonly [tag: number, value: number])[]): Buffer {
  const table = Buffer.alloc(tags.length * TAG);
  tags.forEach(([tag, value], index) => {
    table.writeBigUInt64LE(BigInt(tag), index * TAG);
    table.writeBigUInt64LE(BigInt(value), index * TAG + 8);
  });
  return table;
}

function writeFileHeader(file: Buffer, entry: number, sectionHeaders: number, sections: number): void {
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]);
  file.writeUInt16LE(SHARED_OBJECT, 16);
  file.writeUInt16LE(MACHINE_BPF, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(entry), 24);
  file.writeBigUInt64LE(BigInt(FILE_HEADER), 32);
  file.writeBigUInt64LE(BigInt(sectionHeaders), 40);
  file.writeUInt16LE(FILE_HEADER, 52);
  file.writeUInt16LE(PROGRAM_HEADER, 54);
  file.writeUInt16LE(PROGRAM_HEADERS, 56);
  file.writeUInt16LE(SECTION_HEADER, 58);
  file.writeUInt16LE(sections, 60);
  file.writeUInt16LE(sections - 1, 62);
}

/** Code; everything that is only read; the dynamic table. */
function writeSegments(file: Buffer, { parts }: Image, { dynamic, fixups }: Tables): void {
  const [text, next] = parts;
  if (text === undefined) throw new RangeError('an image has at least its code');
  const readOnly = next?.start ?? dynamic.start;
  const segments = [
    { type: 1, flags: 5, start: text.start, end: text.end },
    { type: 1, flags: 4, start: readOnly, end: endOf(fixups) },
    { type: 2, flags: 6, start: dynamic.start, end: endOf(dynamic) },
  ];
  segments.forEach(({ type, flags, start, end }, index) => {
    const at = FILE_HEADER + index * PROGRAM_HEADER;
    file.writeUInt32LE(type, at);
    file.writeUInt32LE(flags, at + 4);
    // File offset, virtual and physical address are the same; so are the sizes in the file and in memory.
    for (const field of [8, 16, 24]) file.writeBigUInt64LE(BigInt(start), at + field);
    for (const field of [32, 40]) file.writeBigUInt64LE(BigInt(end - start), at + field);
    file.writeBigUInt64LE(BigInt(PAGE), at + 48);
  });
}

function writeSectionHeader(file: Buffer, at: number, name: number, section: OutputSection): void {
  file.writeUInt32LE(name, at);
  file.writeUInt32LE(section.type, at + 4);
  file.writeBigUInt64LE(BigInt(section.flags), at + 8);
  const address = (section.flags & SectionFlag.ALLOC) === 0 ? 0 : section.start;
  file.writeBigUInt64LE(BigInt(address), at + 16);
  file.writeBigUInt64LE(BigInt(section.start), at + 24);
  file.writeBigUInt64LE(BigInt(section.size), at + 32);
  file.writeUInt32LE(section.link ?? 0, at + 40);
  file.writeUInt32LE(section.info ?? 0, at + 44);
  file.writeBigUInt64LE(BigInt(section.alignment), at + 48);
  file.writeBigUInt64LE(BigInt(section.entrySize ?? 0), at + 56);
}

function endOf({ start, bytes }: Block): number {
  return start + bytes.length;
}

function align(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
