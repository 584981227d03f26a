import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../src/testing/random.ts';
import {
  CALL,
  EXIT,
  encodeObject,
  encodeBpfInstruction,
  loadAddress,
  type ObjectParts,
  type SectionParts,
  setRegister,
} from '../../src/testing/svm/bpf-object.ts';
import { type TestOutcome, TestNetwork } from '../../src/testing/svm/network.ts';
import { ElfError, readObject } from './elf.ts';
import { LinkError, link } from './link.ts';

describe('a linked program', () => {
  it('runs, calls the runtime and reads its constants', () => {
    expect(logged(run(linked(greeter())))).toEqual(['hello']);
  });

  it('finds addresses within a section', () => {
    expect(logged(run(linked(greeter(6))))).toEqual(['world']);
  });

  it.each([false, true])(
    'reads addresses that stand in data, with addends of their own: %s',
    (withAddends) => {
      const code = Buffer.concat([
        loadAddress(3),
        encodeBpfInstruction(0x79, 0x31, 0, 0),
        setRegister(2, 5),
        CALL,
        setRegister(0, 0),
        EXIT,
      ]);
      const pointer = Buffer.alloc(8);
      if (!withAddends) pointer.writeBigUInt64LE(6n);
      const { sections, symbols } = greeter();
      const outcome = run(
        linked({
          sections: [
            {
              name: '.text',
              flags: CODE,
              bytes: code,
              relocations: [
                { offset: 0, type: Relocate.LOAD, symbol: 3 },
                { offset: 32, type: Relocate.CALL, symbol: 1 },
              ],
            },
            ...sections.slice(1),
            {
              name: '.data.rel.ro.pointer',
              flags: WRITABLE,
              bytes: pointer,
              relocations: [{ offset: 0, type: Relocate.WORD, symbol: 2, addend: 6n }],
              withAddends,
            },
          ],
          symbols: [...symbols, { name: 'pointer', section: 2 }],
        }),
      );
      expect(logged(outcome)).toEqual(['world']);
    },
  );

  it('calls its functions by name and by their place in a section', () => {
    const answer = (value: number) => Buffer.concat([setRegister(0, value), EXIT]);
    const object = (call: Buffer, symbol: number): ObjectParts => ({
      sections: [
        { name: '.text.answers', flags: CODE, bytes: Buffer.concat([answer(6001), answer(6002)]) },
        {
          name: '.text.entrypoint',
          flags: CODE,
          bytes: Buffer.concat([call, EXIT]),
          relocations: [{ offset: 0, type: Relocate.CALL, symbol }],
        },
      ],
      symbols: [
        { name: 'entrypoint', section: 1, kind: 2 },
        { name: 'second', section: 0, value: 16, kind: 2 },
        { name: '', section: 0, kind: SECTION_SYMBOL },
      ],
    });
    expect(run(linked(object(CALL, 1))).error?.custom).toBe(6002);
    // The operand of a call by section is the instruction's number in it, less one.
    expect(run(linked(object(encodeBpfInstruction(0x85, 0x10, 0, 1), 2))).error?.custom).toBe(6002);
    expect(run(linked(object(encodeBpfInstruction(0x85, 0x10, 0, -1), 2))).error?.custom).toBe(6001);
  });

  it('calls functions through a register, which SBPF v0 names in the operand', () => {
    const code = Buffer.concat([
      loadAddress(3),
      encodeBpfInstruction(0x8d, 3, 0, 0),
      EXIT,
      setRegister(0, 6003),
      EXIT,
    ]);
    const parts = program(code, { relocations: [{ offset: 0, type: Relocate.LOAD, symbol: 3 }] });
    const callee = { name: 'callee', section: 0, value: 32, kind: 2 };
    expect(run(linked({ ...parts, symbols: [...parts.symbols, callee] })).error?.custom).toBe(6003);
  });

  it('stops where the compiler says that it cannot go on', () => {
    const parts = program(CALL, { relocations: [{ offset: 0, type: Relocate.CALL, symbol: 3 }] });
    const outcome = run(linked({ ...parts, symbols: [...parts.symbols, { name: '__bpf_trap' }] }));
    expect(outcome.error?.kind).toBe('ProgramFailedToComplete');
    expect(outcome.logs.join('\n')).toContain('panicked');
  });

  function run(program: Uint8Array): TestOutcome {
    const network = new TestNetwork();
    const programAddress = network.newAddress();
    network.loadProgram(programAddress, program);
    return network.send([{ programAddress, accounts: [], data: new Uint8Array(0) }]);
  }

  function logged({ logs }: TestOutcome): string[] {
    return logs.filter((line) => line.startsWith('Program log: ')).map((line) => line.slice(13));
  }
});

const done = Buffer.concat([setRegister(0, 0), EXIT]);

describe('the linker refuses', () => {
  const withSection = (section: SectionParts) => program(done, {}, [section]);
  const withRelocation = (type: number, symbol: number, code = CALL) =>
    program(Buffer.concat([code, done]), { relocations: [{ offset: 0, type, symbol }] }, [
      { name: '.rodata', flags: LOADED, bytes: Buffer.from('text') },
    ]);

  it.each<[string, ObjectParts, string]>([
    [
      'writable data',
      withSection({ name: '.data.counter', flags: WRITABLE, bytes: Buffer.alloc(8) }),
      'section .data.counter: a program has no writable data (8 bytes)',
    ],
    [
      'zeroed memory',
      withSection({ name: '.bss.table', type: 8, flags: WRITABLE, size: 32 }),
      'section .bss.table: a program has no zeroed writable memory (32 bytes)',
    ],
    [
      'sections of other kinds',
      withSection({ name: '.init_array', type: 14, flags: LOADED, bytes: Buffer.alloc(8) }),
      'section .init_array: type 14 is not supported',
    ],
    [
      'strange alignments',
      withSection({ name: '.rodata', flags: LOADED, bytes: Buffer.alloc(8), alignment: 24 }),
      'section .rodata: alignment 24 is not a power of two',
    ],
    [
      'half an instruction',
      program(done.subarray(0, 12)),
      'section .text: 12 bytes are not whole instructions of 8',
    ],
    [
      'an object without an entry point',
      { ...program(done), symbols: [{ name: 'main', section: 0 }] },
      'the object defines no entrypoint',
    ],
    [
      'an object without code',
      { sections: [{ name: '.rodata', flags: LOADED, bytes: Buffer.alloc(8) }], symbols: [] },
      'the object holds no code',
    ],
    [
      'functions that are not defined',
      {
        ...withRelocation(Relocate.CALL, 1),
        symbols: [{ name: 'entrypoint', section: 0 }, { name: '__multi3' }],
      },
      'section .text, offset 0, symbol __multi3: the symbol is not defined and not a function of the runtime',
    ],
    [
      'addresses of symbols that are not defined',
      withRelocation(Relocate.LOAD, 1, loadAddress(1)),
      'section .text, offset 0, symbol sol_log_: the symbol is not defined',
    ],
    [
      'relocations that it does not know',
      withRelocation(3, 2, loadAddress(1)),
      'section .text, offset 0, symbol (a section): relocation type 3 is not supported',
    ],
    [
      'a call where there is none',
      withRelocation(Relocate.CALL, 1, setRegister(1, 0)),
      'section .text, offset 0, symbol sol_log_: expected a call, found opcode 183',
    ],
    [
      'a load where there is none',
      withRelocation(Relocate.LOAD, 2, Buffer.concat([CALL, CALL])),
      'symbol (a section): expected a 64-bit load, found opcode 133',
    ],
    [
      'addresses beyond the program',
      withRelocation(Relocate.LOAD, 2, loadAddress(1, 1 << 20)),
      'lies outside of the program',
    ],
    [
      'calls beyond the program',
      withRelocation(Relocate.CALL, 2, encodeBpfInstruction(0x85, 0x10, 0, 1 << 20)),
      'where no instruction is',
    ],
    [
      'a place beyond its section',
      program(done, { relocations: [{ offset: 16, type: Relocate.CALL, symbol: 1 }] }),
      'section .text, offset 16, symbol sol_log_: the place lies beyond the section',
    ],
    [
      'symbols beyond their section',
      { ...program(done), symbols: [{ name: 'entrypoint', section: 0, value: 24 }] },
      'symbol entrypoint: 24 lies beyond its section .text',
    ],
    [
      'symbols of sections that are not loaded',
      {
        ...withSection({ name: '.comment', flags: 0, bytes: Buffer.alloc(8) }),
        symbols: [{ name: 'entrypoint', section: 1 }],
      },
      'symbol entrypoint: its section .comment is not loaded',
    ],
  ])('%s', (_, parts, message) => {
    expect(() => linked(parts)).toThrow(LinkError);
    expect(() => linked(parts)).toThrow(message);
  });
});

describe('the reader of objects', () => {
  const object = encodeObject(greeter());

  it.each<[string, Buffer, string]>([
    ['too few bytes', object.subarray(0, 63), 'at least 64 bytes, got 63'],
    ['another format', changed((bytes) => bytes.write('MZ')), 'not a 64-bit little-endian ELF file'],
    ['big-endian files', changed((bytes) => bytes.writeUInt8(2, 5)), 'starts with 7f454c460202'],
    ['linked files', changed((bytes) => bytes.writeUInt16LE(3, 16)), 'not a relocatable object: ELF type 3'],
    [
      'other machines',
      changed((bytes) => bytes.writeUInt16LE(62, 18)),
      'not for BPF: machine 62, expected 247',
    ],
    ['files cut short', object.subarray(0, object.length - 1), "lie beyond the file's"],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => readObject(bytes)).toThrow(ElfError);
    expect(() => readObject(bytes)).toThrow(message);
  });

  it('either reads and links a damaged object or says what is wrong with it', () => {
    const damage = fc.array(fc.tuple(fc.nat(object.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    const suite = { cases: 5_000, seed: 20_261_121 };
    let refused = 0;
    assertProperty(
      fc.property(damage, (bytes) => {
        const copy = Buffer.from(object);
        for (const [at, value] of bytes) copy[at] = value;
        try {
          link(readObject(copy));
        } catch (error) {
          refused++;
          expect(error instanceof ElfError || error instanceof LinkError, String(error)).toBe(true);
        }
      }),
      suite,
    );
    expect(refused).toBeGreaterThan(countCases(suite) / 5);
  });

  function changed(change: (bytes: Buffer) => void): Buffer {
    const copy = Buffer.from(object);
    change(copy);
    return copy;
  }
});

const LOADED = 2;
const CODE = 6;
const WRITABLE = 3;
const Relocate = { LOAD: 1, WORD: 2, CALL: 10 } as const;
const SECTION_SYMBOL = 3;

function linked(parts: ObjectParts): Uint8Array {
  return link(readObject(encodeObject(parts)));
}

/** Returns a program with one section and its entry point. */
function program(code: Buffer, more: Partial<SectionParts> = {}, sections: SectionParts[] = []): ObjectParts {
  return {
    sections: [{ name: '.text', flags: CODE, bytes: code, ...more }, ...sections],
    symbols: [
      { name: 'entrypoint', section: 0, kind: 2 },
      { name: 'sol_log_' },
      { name: '', section: 1, kind: SECTION_SYMBOL },
    ],
  };
}

/** Returns a program that logs the text of a read-only section, from `start` on. */
function greeter(start = 0): ObjectParts {
  const code = Buffer.concat([loadAddress(1, start), setRegister(2, 5), CALL, setRegister(0, 0), EXIT]);
  const relocations = [
    { offset: 0, type: Relocate.LOAD, symbol: 2 },
    { offset: 24, type: Relocate.CALL, symbol: 1 },
  ];
  const text = { name: '.rodata.str', flags: LOADED, bytes: Buffer.from('hello world'), alignment: 1 };
  return program(code, { relocations }, [text]);
}
