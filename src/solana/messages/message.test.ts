import { getCompiledTransactionMessageDecoder } from '@solana/kit';
import { VersionedMessage } from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../testing/random.ts';
import { type Address, toAddress } from '../address.ts';
import { readCompactU16, writeCompactU16 } from '../encoding/compact-u16.ts';
import { compileMessage } from './compile-message.ts';
import { type Instruction, AccountRole } from './instruction.ts';
import {
  isSignerIndex,
  isWritableIndex,
  loadAddresses,
  type Message,
  listMessageAccounts,
  listMessageInstructions,
  parseMessage,
} from './message.ts';

describe('parseMessage', () => {
  it('reads the same fields as kit', () => {
    assertProperty(
      fc.property(source, (each) => {
        const bytes = compileMessage(each);
        const message = parseMessage(bytes);
        const kit = getCompiledTransactionMessageDecoder().decode(bytes);
        if (kit.version === 1) throw new Error('kit read another version');
        expect({
          version: message.version,
          header: {
            numSignerAccounts: message.signers,
            numReadonlySignerAccounts: message.readonlySigners,
            numReadonlyNonSignerAccounts: message.readonlyNonSigners,
          },
          staticAccounts: message.staticAccounts,
          lifetimeToken: message.blockhash,
          instructions: message.instructions.map(({ programIndex, accounts, data }) => ({
            programAddressIndex: programIndex,
            ...(accounts.length > 0 ? { accountIndices: [...accounts] } : {}),
            ...(data.length > 0 ? { data } : {}),
          })),
          ...(message.lookups.length > 0
            ? {
                addressTableLookups: message.lookups.map(({ table, writable, readonly }) => ({
                  lookupTableAddress: table,
                  writableIndexes: [...writable],
                  readonlyIndexes: [...readonly],
                })),
              }
            : {}),
        }).toEqual(kit);
      }),
      { cases: 300, seed: 20, against: 'kit' },
    );
  });

  it('returns the instructions that were compiled', () => {
    assertProperty(
      fc.property(source, (each) => {
        const bytes = compileMessage(each);
        const message = parseMessage(bytes);
        const loaded = loadAddresses(message, findTable);
        const again = listMessageInstructions(message, loaded);
        const strongest = new Map<Address, number>([[wallet, AccountRole.WRITABLE_SIGNER]]);
        for (const { accounts } of each.instructions) {
          for (const { address, role } of accounts)
            strongest.set(address, (strongest.get(address) ?? 0) | role);
        }
        expect(again).toEqual(
          each.instructions.map((original) => ({
            ...original,
            accounts: original.accounts.map(({ address }) => ({ address, role: strongest.get(address) })),
          })),
        );
        const recompiled = compileMessage({ ...each, instructions: again });
        expect(recompiled).toEqual(bytes);
      }),
      { cases: 300, seed: 21 },
    );
  });

  it('agrees with web3.js on signers and writable accounts', () => {
    assertProperty(
      fc.property(source, (each) => {
        const bytes = compileMessage(each);
        const message = parseMessage(bytes);
        const theirs = VersionedMessage.deserialize(bytes);
        for (const index of listMessageAccounts(message, loadAddresses(message, findTable)).keys()) {
          expect(isSignerIndex(message, index)).toBe(theirs.isAccountSigner(index));
          expect(isWritableIndex(message, index)).toBe(theirs.isAccountWritable(index));
        }
      }),
      { cases: 200, seed: 22, against: 'web3.js' },
    );
  });

  it('returns a message or throws TransactionInvalid for any bytes', () => {
    const mutated = fc
      .tuple(
        source,
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 }),
        fc.nat(),
      )
      .map(([each, changes, cut]) => {
        const bytes = compileMessage(each);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        return cut % 3 === 0 ? bytes.subarray(0, cut % (bytes.length + 1)) : bytes;
      });
    const suite = { cases: 3_000, seed: 23, against: 'kit' };
    let parsed = 0;
    assertProperty(
      fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 300 })), (bytes) => {
        try {
          const message = parseMessage(bytes);
          parsed++;
          const kit = getCompiledTransactionMessageDecoder().decode(bytes);
          expect(message.staticAccounts).toEqual(kit.staticAccounts);
          expect(listMessageInstructions(message, loadAnything(message))).toHaveLength(
            message.instructions.length,
          );
        } catch (error) {
          expect(error).toEqual(MESSAGE_INVALID);
        }
      }),
      suite,
    );
    expect(parsed).toBeGreaterThan(countCases(suite) / 30);
  });

  const header = (...bytes: number[]) => [0x80, ...bytes];
  const keys = (count: number) => [count, ...Array.from({ length: count * 32 }, (_, i) => 1 + (i >> 5))];
  const hash = new Array(32).fill(7);
  const cases: Record<string, [number[], string]> = {
    'nothing at all': [[], 'the message ends within the header: 0 bytes, 1 needed'],
    'a version to come': [[0x81, 1, 0, 0], 'version 1 of messages is not supported'],
    'fewer accounts than signers': [
      [...header(2, 0, 0), ...keys(1), ...hash, 0, 0],
      '2 signers and 0 readonly accounts, but 1 accounts',
    ],
    'a readonly fee payer': [
      [...header(1, 1, 0), ...keys(2), ...hash, 0, 0],
      'the fee payer must be a writable signer',
    ],
    'no signer': [
      [...header(0, 0, 0), ...keys(2), ...hash, 0, 0],
      'the fee payer must be a writable signer: 0 of 0',
    ],
    'no account': [[...header(0, 0, 0), 0, ...hash, 0, 0], 'the fee payer must be a writable signer'],
    'a count that the bytes cannot hold': [
      [...header(1, 0, 0), 0xff, 0x01, 1],
      'the accounts are said to be 255, but 1 bytes are left',
    ],
    'a count written too long': [
      [...header(1, 0, 0), 0x81, 0x00],
      'the length of the accounts at byte 4 is not a compact u16',
    ],
    'no blockhash': [[...header(1, 0, 0), ...keys(2), 1, 2], 'the message ends within an address'],
    'the fee payer as program': [
      [...header(1, 0, 0), ...keys(2), ...hash, 1, 0, 0, 0, 0],
      'instruction 0 calls account 0, which is not a program',
    ],
    'a program that is not there': [
      [...header(1, 0, 0), ...keys(2), ...hash, 1, 2, 0, 0, 0],
      'instruction 0 calls account 2, which is not a program',
    ],
    'an account that is not there': [
      [...header(1, 0, 0), ...keys(2), ...hash, 1, 1, 1, 2, 0, 0],
      'instruction 0 names account 2, but the message has 2',
    ],
    'data that ends early': [
      [...header(1, 0, 0), ...keys(2), ...hash, 1, 1, 0, 5, 1],
      "the message ends within an instruction's data",
    ],
    'a lookup of nothing': [
      [...header(1, 0, 0), ...keys(2), ...hash, 0, 1, ...hash, 0, 0],
      'nothing is looked up in the table',
    ],
    'bytes at the end': [
      [...header(1, 0, 0), ...keys(2), ...hash, 0, 0, 9],
      'the message ends at byte 103, but there are 104',
    ],
    'too many accounts': [
      [...header(1, 0, 0), ...keys(2), ...hash, 0, 1, ...hash, 0xff, 1, ...new Array(255).fill(1), 0],
      '257 accounts do not fit indexes of one byte',
    ],
  };
  for (const [name, [bytes, reason]] of Object.entries(cases)) {
    it(`throws for ${name}`, () => {
      expect(() => parseMessage(Uint8Array.from(bytes))).toThrow(MESSAGE_INVALID);
      expect(() => parseMessage(Uint8Array.from(bytes))).toThrow(reason);
    });
  }
});

describe('loadAddresses', () => {
  it('throws for a table or an index that does not exist', () => {
    expect(loadAddresses(message, findTable)).toEqual({ writable: [named(3)], readonly: [] });
    expect(() => loadAddresses(message, () => null)).toThrow(`there is no lookup table ${table}`);
    expect(() => loadAddresses(message, () => contents.slice(0, 2))).toThrow('has 2 addresses, none at 2');
  });

  it('is required by messageInstructions when the message has lookups', () => {
    expect(() => listMessageInstructions(message, { writable: [], readonly: [] })).toThrow(
      'account 2 is not among the 2 accounts',
    );
  });

  const message = parseMessage(
    compileMessage({
      feePayer: wallet,
      blockhash: new Uint8Array(32),
      instructions: [
        {
          programAddress: named(100),
          accounts: [{ address: named(3), role: AccountRole.WRITABLE }],
          data: new Uint8Array(0),
        },
      ],
      lookupTables: { [table]: contents } as Record<Address, Address[]>,
    }),
  );
});

describe('compact u16', () => {
  it('reads back every number that it wrote', () => {
    const bytes = new Uint8Array(5);
    for (let value = 0; value <= 0xffff; value++) {
      const end = writeCompactU16(bytes, 1, value);
      const read = readCompactU16(bytes, 1);
      if (read === null || read.value !== value || read.end !== end) throw new Error(`wrong for ${value}`);
    }
  });

  it('returns null for encodings that are too long, too large or truncated', () => {
    for (const bytes of [
      [],
      [0x80],
      [0x80, 0x80],
      [0x80, 0],
      [0xff, 0x80, 0],
      [0xff, 0xff, 0x04],
      [0x80, 0x80, 0x80, 1],
    ]) {
      expect(readCompactU16(Uint8Array.from(bytes), 0)).toBeNull();
    }
    expect(readCompactU16(Uint8Array.of(0xff, 0xff, 0x03), 0)).toEqual({ value: 0xffff, end: 3 });
  });
});

const MESSAGE_INVALID = expect.objectContaining({ name: 'TransactionInvalid', kind: 'message' });

const named = (i: number) => toAddress(new Uint8Array(32).fill(i));
const wallet = named(250);
const table = named(251);
const contents = Array.from({ length: 20 }, (_, i) => named(i + 1));

const readOrWritten = fc.record({
  address: fc.integer({ min: 1, max: 40 }).map(named),
  role: fc.constantFrom(AccountRole.READONLY, AccountRole.WRITABLE),
});
const signing = fc.record({
  address: fc.integer({ min: 1, max: 8 }).map(named),
  role: fc.constantFrom(AccountRole.READONLY_SIGNER, AccountRole.WRITABLE_SIGNER),
});
const meta = fc.oneof({ weight: 6, arbitrary: readOrWritten }, { weight: 1, arbitrary: signing });
const instruction: fc.Arbitrary<Instruction> = fc.record({
  programAddress: fc.integer({ min: 100, max: 103 }).map(named),
  accounts: fc.array(meta, { maxLength: 12 }),
  data: fc.uint8Array({ maxLength: 150 }),
});
const source = fc.record({
  feePayer: fc.constant(wallet),
  blockhash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  instructions: fc.array(instruction, { maxLength: 5 }),
  version: fc.constantFrom('legacy' as const, 0 as const),
  lookupTables: fc.constantFrom(null, { [table]: contents } as Record<Address, Address[]>),
});
const anyTable = Array.from({ length: 256 }, (_, i) => named(i));
const loadAnything = (message: Message) => loadAddresses(message, () => anyTable);
const findTable = (address: Address) => (address === table ? contents : null);
