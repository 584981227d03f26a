import { MACHINE_BPF, SectionFlag, SectionType } from './elf.ts';
import { type Image, type PartKind, PROGRAM_HEADERS } from './image.ts';

/** What the loader of SBPF v0 does at a fixup (`r_info` of the dynamic relocations). */
const R_BPF_64_RELATIVE = 8;
const R_BPF_64_32 = 10;

const DynamicTag = { STRTAB: 5, SYMTAB: 6, STRSZ: 10, SYMENT: 11, REL: 17, RELSZ: 18, RELENT: 19 } as const;
const GLOBAL = 0x10;
const GLOBAL_FUNCTION = 0x12;
const SHARED_OBJECT = 3;
const PAGE = 0x1000;

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

/** Texts of a table, each found again by its offset. */
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
  const strings = new StringTable();
  const symbols = dynamicSymbols(image, strings);
  const fixups = dynamicRelocations(image);

  const dynamic = align(image.bytes.length);
  const dynamicSize = 16 * (fixups.length > 0 ? 8 : 5);
  const symbolsAt = dynamic + dynamicSize;
  const stringsAt = symbolsAt + symbols.length;
  const fixupsAt = align(stringsAt + strings.bytes().length);
  const loaded = fixupsAt + fixups.length;
  const tags: [number, number][] = [
    [DynamicTag.SYMTAB, symbolsAt],
    [DynamicTag.SYMENT, 24],
    [DynamicTag.STRTAB, stringsAt],
    [DynamicTag.STRSZ, strings.bytes().length],
  ];
  if (fixups.length > 0) {
    tags.unshift([DynamicTag.REL, fixupsAt], [DynamicTag.RELSZ, fixups.length], [DynamicTag.RELENT, 16]);
  }

  const parts: OutputSection[] = image.parts.map(({ kind, start, end }) => ({
    ...PART_SECTIONS[kind],
    type: SectionType.PROGBITS,
    start,
    size: end - start,
    alignment: 16,
  }));
  // Number 0 is the null section, so the tables follow at the number of parts plus one.
  const first = parts.length + 1;
  const alloc = SectionFlag.ALLOC;
  const tables: OutputSection[] = [
    {
      name: '.dynamic',
      type: SectionType.DYNAMIC,
      flags: alloc | SectionFlag.WRITE,
      start: dynamic,
      size: dynamicSize,
      link: first + 2,
      alignment: 8,
      entrySize: 16,
    },
    {
      name: '.dynsym',
      type: SectionType.DYNSYM,
      flags: alloc,
      start: symbolsAt,
      size: symbols.length,
      link: first + 2,
      info: 1,
      alignment: 8,
      entrySize: 24,
    },
    {
      name: '.dynstr',
      type: SectionType.STRTAB,
      flags: alloc,
      start: stringsAt,
      size: strings.bytes().length,
      alignment: 1,
    },
  ];
  if (fixups.length > 0) {
    tables.push({
      name: '.rel.dyn',
      type: SectionType.REL,
      flags: alloc,
      start: fixupsAt,
      size: fixups.length,
      link: first + 1,
      alignment: 8,
      entrySize: 16,
    });
  }
  const sections = [...parts, ...tables];

  const sectionNames = new StringTable();
  const nameOffsets = sections.map(({ name }) => sectionNames.add(name));
  const namesOffset = sectionNames.add('.shstrtab');
  const headersAt = align(loaded + sectionNames.bytes().length);
  const file = Buffer.alloc(headersAt + (sections.length + 2) * 64);
  image.bytes.copy(file);
  writeTags(file, dynamic, tags);
  file.set(symbols, symbolsAt);
  file.set(strings.bytes(), stringsAt);
  file.set(fixups, fixupsAt);
  file.set(sectionNames.bytes(), loaded);

  writeFileHeader(file, image.entry.address, headersAt, sections.length + 2);
  const text = parts[0];
  if (text === undefined) throw new RangeError('an image has at least its code');
  writeSegment(file, 0, { type: 1, flags: 5, start: text.start, size: text.size });
  const readOnly = parts[1]?.start ?? dynamic;
  writeSegment(file, 1, { type: 1, flags: 4, start: readOnly, size: loaded - readOnly });
  writeSegment(file, 2, { type: 2, flags: 6, start: dynamic, size: dynamicSize });

  sections.forEach((section, index) => {
    writeSectionHeader(file, headersAt + (index + 1) * 64, nameOffsets[index] ?? 0, section);
  });
  writeSectionHeader(file, headersAt + (sections.length + 1) * 64, namesOffset, {
    name: '.shstrtab',
    type: SectionType.STRTAB,
    flags: 0,
    start: loaded,
    size: sectionNames.bytes().length,
    alignment: 1,
  });
  return new Uint8Array(file);
}

/** The null symbol, the imports, and the entry point. */
function dynamicSymbols(image: Image, strings: StringTable): Buffer {
  const imported = image.imports.map((name) => symbol(strings.add(name), GLOBAL, 0, 0, 0));
  const { address, size } = image.entry;
  const entry = symbol(strings.add('entrypoint'), GLOBAL_FUNCTION, 1, address, size);
  return Buffer.concat([Buffer.alloc(24), ...imported, entry]);
}

function symbol(name: number, info: number, section: number, value: number, size: number): Buffer {
  const entry = Buffer.alloc(24);
  entry.writeUInt32LE(name, 0);
  entry.writeUInt8(info, 4);
  entry.writeUInt16LE(section, 6);
  entry.writeBigUInt64LE(BigInt(value), 8);
  entry.writeBigUInt64LE(BigInt(size), 16);
  return entry;
}

function dynamicRelocations(image: Image): Buffer {
  const table = Buffer.alloc(image.fixups.length * 16);
  image.fixups.forEach((fixup, index) => {
    const at = index * 16;
    table.writeBigUInt64LE(BigInt(fixup.address), at);
    table.writeUInt32LE(fixup.import === undefined ? R_BPF_64_RELATIVE : R_BPF_64_32, at + 8);
    // Symbol 0 is the null symbol.
    table.writeUInt32LE(fixup.import === undefined ? 0 : fixup.import + 1, at + 12);
  });
  return table;
}

function writeTags(file: Buffer, at: number, tags: readonly (readonly [number, number])[]): void {
  tags.forEach(([tag, value], index) => {
    file.writeBigUInt64LE(BigInt(tag), at + index * 16);
    file.writeBigUInt64LE(BigInt(value), at + index * 16 + 8);
  });
}

function writeFileHeader(file: Buffer, entry: number, sectionHeaders: number, sections: number): void {
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]);
  file.writeUInt16LE(SHARED_OBJECT, 16);
  file.writeUInt16LE(MACHINE_BPF, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(entry), 24);
  file.writeBigUInt64LE(64n, 32);
  file.writeBigUInt64LE(BigInt(sectionHeaders), 40);
  file.writeUInt16LE(64, 52);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(PROGRAM_HEADERS, 56);
  file.writeUInt16LE(64, 58);
  file.writeUInt16LE(sections, 60);
  file.writeUInt16LE(sections - 1, 62);
}

function writeSegment(
  file: Buffer,
  index: number,
  segment: { type: number; flags: number; start: number; size: number },
): void {
  const at = 64 + index * 56;
  file.writeUInt32LE(segment.type, at);
  file.writeUInt32LE(segment.flags, at + 4);
  // File offset, virtual and physical address are the same.
  for (const field of [8, 16, 24]) file.writeBigUInt64LE(BigInt(segment.start), at + field);
  for (const field of [32, 40]) file.writeBigUInt64LE(BigInt(segment.size), at + field);
  file.writeBigUInt64LE(BigInt(PAGE), at + 48);
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

function align(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
