/** Relocatable BPF objects made by hand, for tests of the linker that need no assembler. */
export interface ObjectParts {
  readonly sections: readonly SectionParts[];
  readonly symbols: readonly SymbolParts[];
}

export interface SectionParts {
  readonly name: string;
  /** 1 for bytes in the file, 8 for zeroed memory of `size`. */
  readonly type?: number;
  /** Bit 0 writable, bit 1 loaded, bit 2 executable. */
  readonly flags: number;
  readonly bytes?: Uint8Array;
  readonly size?: number;
  readonly alignment?: number;
  readonly relocations?: readonly RelocationParts[];
  /** Whether the relocations carry an addend of their own. */
  readonly withAddends?: boolean;
}

export interface RelocationParts {
  readonly offset: number;
  readonly type: number;
  /** Index into the symbols. */
  readonly symbol: number;
  readonly addend?: bigint;
}

export interface SymbolParts {
  readonly name: string;
  /** Index into the sections; absent for an undefined symbol. */
  readonly section?: number;
  readonly value?: number;
  /** 0 untyped, 2 function, 3 section. */
  readonly kind?: number;
}

/** One instruction: opcode, destination and source registers, offset, operand. */
export function encodeBpfInstruction(
  opcode: number,
  registers: number,
  offset: number,
  operand: number,
): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt8(opcode, 0);
  bytes.writeUInt8(registers, 1);
  bytes.writeInt16LE(offset, 2);
  bytes.writeInt32LE(operand, 4);
  return bytes;
}

/** The 64-bit load of two instructions, whose operand a relocation fills in. */
export function loadAddress(register: number, addend = 0): Buffer {
  return Buffer.concat([encodeBpfInstruction(0x18, register, 0, addend), Buffer.alloc(8)]);
}

export const EXIT = encodeBpfInstruction(0x95, 0, 0, 0);
/** As the assembler leaves a call: relative, to the next instruction but one before. */
export const CALL = encodeBpfInstruction(0x85, 0x10, 0, -1);

export function setRegister(register: number, value: number): Buffer {
  return encodeBpfInstruction(0xb7, register, 0, value);
}

/** The file that an assembler would have written. */
export function encodeObject({ sections, symbols }: ObjectParts): Buffer {
  const names = new SectionNames();
  const symbolNames = new SectionNames();
  // Section 0 is the null section and symbol 0 the null symbol, so everything is one up.
  const symbolTable = Buffer.concat([
    Buffer.alloc(24),
    ...symbols.map((each) => encodeSymbol(each, symbolNames)),
  ]);
  const symbolTableIndex = sections.length + 1;
  const blocks: ObjectSection[] = [
    ...sections.map((section) => ({
      name: names.add(section.name),
      type: section.type ?? 1,
      flags: section.flags,
      bytes: section.bytes ?? Buffer.alloc(0),
      size: section.size ?? section.bytes?.length ?? 0,
      alignment: section.alignment ?? 8,
    })),
    {
      name: names.add('.symtab'),
      type: 2,
      flags: 0,
      bytes: symbolTable,
      link: symbolTableIndex + 1,
      alignment: 8,
    },
    { name: names.add('.strtab'), type: 3, flags: 0, bytes: symbolNames.bytes, alignment: 1 },
    ...sections.flatMap((section, index) =>
      section.relocations === undefined
        ? []
        : [relocationBlock(section, section.relocations, index + 1, symbolTableIndex, names)],
    ),
  ];
  const last = names.add('.shstrtab');
  return encodeFile([...blocks, { name: last, type: 3, flags: 0, bytes: names.bytes, alignment: 1 }]);
}

interface ObjectSection {
  readonly name: number;
  readonly type: number;
  readonly flags: number;
  readonly bytes: Uint8Array;
  readonly size?: number;
  readonly link?: number;
  readonly info?: number;
  readonly alignment: number;
}

class SectionNames {
  bytes = Buffer.alloc(1);

  add(name: string): number {
    const offset = this.bytes.length;
    this.bytes = Buffer.concat([this.bytes, Buffer.from(`${name}\0`)]);
    return offset;
  }
}

function relocationBlock(
  section: SectionParts,
  relocations: readonly RelocationParts[],
  target: number,
  symbolTable: number,
  names: SectionNames,
): ObjectSection {
  const entry = section.withAddends ? 24 : 16;
  const bytes = Buffer.alloc(relocations.length * entry);
  relocations.forEach(({ offset, type, symbol, addend }, index) => {
    bytes.writeBigUInt64LE(BigInt(offset), index * entry);
    bytes.writeUInt32LE(type, index * entry + 8);
    bytes.writeUInt32LE(symbol + 1, index * entry + 12);
    if (section.withAddends) bytes.writeBigInt64LE(addend ?? 0n, index * entry + 16);
  });
  const type = section.withAddends ? 4 : 9;
  return {
    name: names.add(`.rel${section.name}`),
    type,
    flags: 0,
    bytes,
    link: symbolTable,
    info: target,
    alignment: 8,
  };
}

function encodeSymbol({ name, section, value, kind }: SymbolParts, names: SectionNames): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt32LE(names.add(name), 0);
  bytes.writeUInt8(0x10 | (kind ?? 0), 4);
  bytes.writeUInt16LE(section === undefined ? 0 : section + 1, 6);
  bytes.writeBigUInt64LE(BigInt(value ?? 0), 8);
  return bytes;
}

function encodeFile(blocks: readonly ObjectSection[]): Buffer {
  const parts: Buffer[] = [Buffer.alloc(64)];
  let end = 64;
  const headers = [Buffer.alloc(64)];
  for (const block of blocks) {
    const header = Buffer.alloc(64);
    header.writeUInt32LE(block.name, 0);
    header.writeUInt32LE(block.type, 4);
    header.writeBigUInt64LE(BigInt(block.flags), 8);
    header.writeBigUInt64LE(BigInt(end), 24);
    header.writeBigUInt64LE(BigInt(block.size ?? block.bytes.length), 32);
    header.writeUInt32LE(block.link ?? 0, 40);
    header.writeUInt32LE(block.info ?? 0, 44);
    header.writeBigUInt64LE(BigInt(block.alignment), 48);
    headers.push(header);
    parts.push(Buffer.from(block.bytes));
    end += block.bytes.length;
  }
  const file = Buffer.concat([...parts, ...headers]);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  file.writeUInt16LE(1, 16);
  file.writeUInt16LE(247, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(end), 40);
  file.writeUInt16LE(64, 52);
  file.writeUInt16LE(64, 58);
  file.writeUInt16LE(headers.length, 60);
  file.writeUInt16LE(headers.length - 1, 62);
  return file;
}
