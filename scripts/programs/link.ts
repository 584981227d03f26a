import {
  ElfError,
  type ObjectFile,
  type Relocation,
  type Section,
  SectionFlag,
  SectionType,
  SymbolKind,
  type SymbolEntry,
} from './elf.ts';
import { type Fixup, HEADERS, type Image, type Part, type PartKind } from './image.ts';
import { writeSharedObject } from './shared-object.ts';

/** The object holds something that an SBPF program cannot have; the message names it. */
export class LinkError extends Error {
  override readonly name = 'LinkError';
}

/** Relocations of BPF objects that compilers make of loaded sections (the LLVM documentation of the BPF target). */
const R_BPF_64_64 = 1;
const R_BPF_64_ABS64 = 2;
const R_BPF_64_32 = 10;

const ENTRYPOINT = 'entrypoint';
/** What the compiler calls to stop a program, and the runtime's name for it. */
const TRAP = '__bpf_trap';
const ABORT = 'abort';

const ORDER: readonly PartKind[] = ['text', 'rodata', 'relro'];
const INSTRUCTION = 8;
const MAX_ALIGNMENT = 4096;
const LOAD_ADDRESS = 0x18;
const CALL = 0x85;
const CALL_REGISTER = 0x8d;

/** Makes an SBPF v0 shared object of one relocatable object. Throws `LinkError` naming what it does not support. */
export function link(object: ObjectFile): Uint8Array {
  return writeSharedObject(layOut(object));
}

interface Placed {
  readonly section: Section;
  readonly index: number;
  readonly address: number;
}

function layOut(object: ObjectFile): Image {
  const { placed, parts, end } = place(object);
  const bytes = Buffer.alloc(end);
  for (const { section, address } of placed) bytes.set(section.bytes, address);
  for (const { section, address } of placed) {
    if (partOf(section) === 'text') moveCallRegisters(bytes.subarray(address, address + section.size));
  }

  const addresses = new Map(placed.map(({ index, address }) => [index, address]));
  const imports: string[] = [];
  const fixups: Fixup[] = [];
  for (const { section, address } of placed) {
    for (const relocation of section.relocations) {
      const symbol = symbolOf(object, relocation);
      const site: Site = { bytes, section, address: address + relocation.offset, relocation, symbol };
      checkSite(site, address + section.size);
      const target = addressOf(object, symbol, addresses);
      const fixup = relocate(site, target, imports);
      if (fixup !== null) fixups.push(fixup);
    }
  }
  fixups.sort((a, b) => a.address - b.address);
  return { bytes, parts, entry: findEntry(object, addresses), imports, fixups };
}

function place(object: ObjectFile): { placed: Placed[]; parts: Part[]; end: number } {
  const kinds = object.sections.map(partOf);
  const placed: Placed[] = [];
  const parts: Part[] = [];
  let end = HEADERS;
  for (const kind of ORDER) {
    const start = align(end, 16);
    end = start;
    for (const [index, section] of object.sections.entries()) {
      if (kinds[index] !== kind) continue;
      checkShape(section, kind);
      const address = align(end, Math.max(section.alignment, kind === 'text' ? INSTRUCTION : 1));
      placed.push({ section, index, address });
      end = address + section.size;
    }
    if (end > start) parts.push({ kind, start, end });
  }
  if (parts[0]?.kind !== 'text') throw new LinkError('the object holds no code');
  return { placed, parts, end };
}

/** Null for sections that are not loaded; refuses those that a program must not have. */
function partOf(section: Section): PartKind | null {
  if ((section.flags & SectionFlag.ALLOC) === 0 || section.size === 0) return null;
  if (section.type === SectionType.NOBITS) {
    throw new LinkError(
      `section ${section.name}: a program has no zeroed writable memory (${section.size} bytes)`,
    );
  }
  if (section.type !== SectionType.PROGBITS) {
    throw new LinkError(`section ${section.name}: type ${section.type} is not supported`);
  }
  if ((section.flags & SectionFlag.EXECUTE) !== 0) return 'text';
  if (section.name.startsWith('.data.rel.ro')) return 'relro';
  if ((section.flags & SectionFlag.WRITE) !== 0) {
    throw new LinkError(`section ${section.name}: a program has no writable data (${section.size} bytes)`);
  }
  return 'rodata';
}

function checkShape({ name, alignment, size }: Section, kind: PartKind): void {
  if (!Number.isInteger(Math.log2(alignment)) || alignment > MAX_ALIGNMENT) {
    throw new LinkError(
      `section ${name}: alignment ${alignment} is not a power of two up to ${MAX_ALIGNMENT}`,
    );
  }
  if (kind === 'text' && size % INSTRUCTION !== 0) {
    throw new LinkError(`section ${name}: ${size} bytes are not whole instructions of ${INSTRUCTION}`);
  }
}

interface Site {
  readonly bytes: Buffer;
  readonly section: Section;
  readonly address: number;
  readonly relocation: Relocation;
  readonly symbol: SymbolEntry;
}

/** Applies one relocation; what the loader must still do comes back. `target` is null for undefined symbols. */
function relocate(site: Site, target: number | null, imports: string[]): Fixup | null {
  switch (site.relocation.type) {
    case R_BPF_64_32:
      return target === null ? callImport(site, imports) : callWithin(site, target);
    case R_BPF_64_64:
      return loadAddress(site, defined(site, target));
    case R_BPF_64_ABS64:
      return storeAddress(site, defined(site, target));
    default:
      throw new LinkError(`${describe(site)}: relocation type ${site.relocation.type} is not supported`);
  }
}

/** A call's operand counts instructions from the next one; the assembler left the offset within a section in it. */
function callWithin(site: Site, target: number): null {
  const { bytes, address, symbol } = site;
  expectOpcode(site, CALL, 'a call');
  const inside = symbol.kind === SymbolKind.SECTION ? (bytes.readInt32LE(address + 4) + 1) * INSTRUCTION : 0;
  const callee = target + inside;
  if (callee < HEADERS || callee >= bytes.length || callee % INSTRUCTION !== 0) {
    throw new LinkError(`${describe(site)}: the call leads to ${callee}, where no instruction is`);
  }
  writeCall(bytes, address, (callee - address) / INSTRUCTION - 1);
  return null;
}

function callImport(site: Site, imports: string[]): Fixup {
  const { bytes, address, symbol } = site;
  expectOpcode(site, CALL, 'a call');
  const name = symbol.name === TRAP ? ABORT : symbol.name;
  if (name !== ABORT && !name.startsWith('sol_')) {
    throw new LinkError(`${describe(site)}: the symbol is not defined and not a function of the runtime`);
  }
  let index = imports.indexOf(name);
  if (index === -1) index = imports.push(name) - 1;
  writeCall(bytes, address, -1);
  return { address, import: index };
}

function writeCall(bytes: Buffer, address: number, operand: number): void {
  bytes.writeInt32LE(operand, address + 4);
  bytes.writeUInt8((bytes.readUInt8(address + 1) & 0x0f) | 0x10, address + 1);
}

/** BPF names the register of an indirect call as its destination, SBPF v0 in the operand. */
function moveCallRegisters(code: Buffer): void {
  for (let at = 0; at < code.length; at += INSTRUCTION) {
    const opcode = code.readUInt8(at);
    if (opcode === LOAD_ADDRESS) at += INSTRUCTION;
    if (opcode !== CALL_REGISTER) continue;
    code.writeUInt32LE(code.readUInt8(at + 1) & 0x0f, at + 4);
    code.writeUInt8(0, at + 1);
  }
}

/** A two-slot load: the address goes into the first slot's operand, and the loader adds the program's base. */
function loadAddress(site: Site, target: number): Fixup {
  const { bytes, address } = site;
  expectOpcode(site, LOAD_ADDRESS, 'a 64-bit load');
  bytes.writeUInt32LE(within(site, target + bytes.readUInt32LE(address + 4)), address + 4);
  bytes.writeUInt32LE(0, address + INSTRUCTION + 4);
  return { address };
}

/** In data, the loader of SBPF v0 expects the address in the upper half of the word. */
function storeAddress(site: Site, target: number): Fixup {
  const { bytes, address, relocation } = site;
  const value = BigInt(target) + bytes.readBigUInt64LE(address) + relocation.addend;
  bytes.writeUInt32LE(within(site, Number(value)), address + 4);
  bytes.writeUInt32LE(0, address);
  return { address };
}

function within(site: Site, address: number): number {
  if (address < HEADERS || address > site.bytes.length) {
    throw new LinkError(`${describe(site)}: the address ${address} lies outside of the program`);
  }
  return address;
}

function checkSite(site: Site, end: number): void {
  const size = site.relocation.type === R_BPF_64_64 ? 2 * INSTRUCTION : INSTRUCTION;
  if (site.address + size > end) throw new LinkError(`${describe(site)}: the place lies beyond the section`);
}

function expectOpcode(site: Site, opcode: number, what: string): void {
  const found = site.bytes.readUInt8(site.address);
  if (found !== opcode) throw new LinkError(`${describe(site)}: expected ${what}, found opcode ${found}`);
}

function defined(site: Site, target: number | null): number {
  if (target === null) throw new LinkError(`${describe(site)}: the symbol is not defined`);
  return target;
}

function describe(site: Site): string {
  const { section, relocation, symbol } = site;
  return `section ${section.name}, offset ${relocation.offset}, symbol ${symbol.name || '(a section)'}`;
}

function symbolOf(object: ObjectFile, relocation: Relocation): SymbolEntry {
  const symbol = object.symbols[relocation.symbol];
  if (symbol === undefined) throw new ElfError(`no symbol ${relocation.symbol}`);
  return symbol;
}

/** Null when the symbol is undefined. */
function addressOf(
  object: ObjectFile,
  symbol: SymbolEntry,
  addresses: ReadonlyMap<number, number>,
): number | null {
  if (symbol.section === 0) return null;
  const start = addresses.get(symbol.section);
  const section = object.sections[symbol.section];
  const name = symbol.name || '(a section)';
  if (start === undefined || section === undefined) {
    const where = section?.name ?? `number ${symbol.section}`;
    throw new LinkError(`symbol ${name}: its section ${where} is not loaded`);
  }
  if (symbol.value > section.size) {
    throw new LinkError(`symbol ${name}: ${symbol.value} lies beyond its section ${section.name}`);
  }
  return start + symbol.value;
}

function findEntry(object: ObjectFile, addresses: ReadonlyMap<number, number>): Image['entry'] {
  const symbol = object.symbols.find(({ name, section }) => name === ENTRYPOINT && section !== 0);
  const address = symbol === undefined ? null : addressOf(object, symbol, addresses);
  if (symbol === undefined || address === null) throw new LinkError(`the object defines no ${ENTRYPOINT}`);
  return { address, size: symbol.size };
}

function align(offset: number, alignment: number): number {
  return Math.ceil(offset / alignment) * alignment;
}
