import {
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransactionMessage,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getAddressComparator,
  getCompiledTransactionMessageEncoder,
  type Instruction as KitInstruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../testing/random.ts';
import { type Address, toAddressBytes, toAddress } from '../address.ts';
import { collateAddresses } from './message-accounts.ts';
import { compileMessage, type MessageSource, measureMessage } from './compile-message.ts';
import { type Instruction, AccountRole } from './instruction.ts';
import { TransactionInvalid } from './transaction-invalid.ts';

describe('collateAddresses', () => {
  it('agrees with kit on addresses', () => {
    assertProperty(
      fc.property(anyAddress, anyAddress, (left, right) => {
        expect(Math.sign(collateAddresses(left, right))).toBe(Math.sign(kit(left, right)));
      }),
      { cases: 2_000, seed: 7, against: 'kit' },
    );
  });

  it('agrees with kit where only case or length differ', () => {
    const text = fc.string({
      unit: fc.constantFrom('1', '2', '9', 'a', 'A', 'b', 'B', 'z', 'Z'),
      maxLength: 6,
    });
    const sameLetters = fc
      .tuple(text, fc.array(fc.boolean(), { maxLength: 6 }))
      .map(([base, upper]) => [
        base,
        [...base].map((c, i) => (upper[i] ? c.toUpperCase() : c.toLowerCase())).join(''),
      ]);
    for (const pairs of [sameLetters, fc.tuple(text, text)]) {
      assertProperty(
        fc.property(pairs, ([left, right]) => {
          const [a, b] = [left as Address, right as Address];
          expect(Math.sign(collateAddresses(a, b))).toBe(Math.sign(kit(a, b)));
        }),
        { cases: 3_000, seed: 8, against: 'kit' },
      );
    }
  });

  const kit = getAddressComparator();
});

describe('compileMessage', () => {
  it('writes the same bytes as kit', () => {
    const suite = { cases: 1_000, short: 150, seed: 10, against: 'kit' };
    let smallerByTables = 0;
    assertProperty(
      fc.property(
        sources({ signers: 1, accounts: 20, instructions: 6 }).map(withoutWrittenPrograms),
        (source) => {
          const { ours, theirs } = outcomes(source);
          expect(ours).toEqual(theirs);
          const plain = outcomes({ ...source, lookupTables: null }).ours;
          if (ours.length < plain.length && ours !== 'refused') smallerByTables++;
        },
      ),
      suite,
    );
    expect(smallerByTables).toBeGreaterThan(countCases(suite) / 10);
  });

  it('throws where kit throws', () => {
    let refused = 0;
    assertProperty(
      fc.property(sources({ signers: 10, accounts: 40, instructions: 9 }), (source) => {
        const { ours, theirs } = outcomes(source);
        expect(ours).toEqual(theirs);
        if (ours === 'refused') refused++;
      }),
      { cases: 300, seed: 11, against: 'kit' },
    );
    expect(refused).toBeGreaterThan(50);
  });

  const wallet = toAddress(new Uint8Array(32).fill(200));
  const program = toAddress(new Uint8Array(32).fill(201));
  const numbered = (i: number) => toAddress(new Uint8Array(32).fill(i + 1));
  const call = (accounts: Instruction['accounts'], data = new Uint8Array(0)): Instruction => ({
    programAddress: program,
    accounts,
    data,
  });
  const message = (instructions: Instruction[], lookupTables: MessageSource['lookupTables'] = null) =>
    compileMessage({ feePayer: wallet, blockhash: new Uint8Array(32).fill(5), instructions, lookupTables });

  it('accepts accounts, signers and instructions up to the limits', () => {
    const metas = (count: number, role: AccountRole) =>
      Array.from({ length: count }, (_, i) => ({ address: numbered(i), role }));
    expect(message([call(metas(62, AccountRole.WRITABLE))])[1]).toBe(1);
    expect(() => message([call(metas(63, AccountRole.WRITABLE))])).toThrow('at most 64 accounts');
    expect(message([call(metas(11, AccountRole.READONLY_SIGNER))])[1]).toBe(12);
    expect(() => message([call(metas(12, AccountRole.READONLY_SIGNER))])).toThrow(
      'at most 12 signers, got 13',
    );
    expect(message(new Array(64).fill(call([])))).toHaveLength(4 + 1 + 2 * 32 + 32 + 1 + 64 * 3 + 1);
    expect(() => message(new Array(65).fill(call([])))).toThrow('at most 64 instructions, got 65');
    const repeated = { address: numbered(0), role: AccountRole.READONLY };
    expect(message([call(new Array(255).fill(repeated))])).toBeInstanceOf(Uint8Array);
    expect(() => message([call(new Array(256).fill(repeated))])).toThrow('at most 255 accounts, got 256');
    expect(() => message([call([], new Uint8Array(65_536))])).toThrow(
      'at most 65535 bytes of data, got 65536',
    );
    expect(() =>
      compileMessage({ feePayer: wallet, blockhash: new Uint8Array(31), instructions: [] }),
    ).toThrow('a blockhash has 32 bytes, got 31');
  });

  it('names the program that is writable or the fee payer', () => {
    expect(() => message([call([{ address: program, role: AccountRole.WRITABLE }])])).toThrow(
      new TransactionInvalid(
        `the program ${program} is invoked and also listed as a writable account`,
        'misplaced-program',
      ),
    );
    expect(() => message([{ ...call([]), programAddress: wallet }])).toThrow(
      new TransactionInvalid(`the fee payer ${wallet} is invoked as a program`, 'misplaced-program'),
    );
  });

  it('is not affected by the message compiled before', () => {
    const table = { [numbered(9)]: [numbered(0), numbered(1)] } as Record<Address, Address[]>;
    const big = [
      call(Array.from({ length: 60 }, (_, i) => ({ address: numbered(i), role: AccountRole.WRITABLE }))),
    ];
    const small = [call([{ address: numbered(0), role: AccountRole.READONLY }])];
    const fresh = message(small, table);
    message(big, null);
    expect(() => message([call([{ address: program, role: AccountRole.WRITABLE }])])).toThrow(
      MISPLACED_PROGRAM,
    );
    expect(message(small, table)).toEqual(fresh);
  });

  it('distinguishes addresses whose hashed characters are equal', () => {
    const alike = Array.from({ length: 40 }, (_, i) => {
      const bytes = toAddressBytes(wallet).slice();
      bytes[31] = i;
      return toAddress(bytes);
    });
    const source = {
      feePayer: wallet,
      blockhash: new Uint8Array(32),
      instructions: alike.map((address) => call([{ address, role: AccountRole.WRITABLE }])),
      version: 0 as const,
    };
    expect(compileMessage(source)).toEqual(kitCompile(source));
  });
});

describe('measureMessage', () => {
  it('returns the size and signers of the compiled message, and throws where compileMessage throws', () => {
    let refused = 0;
    const mixes = [
      sources({ signers: 1, accounts: 20, instructions: 6 }).map(withoutWrittenPrograms),
      sources({ signers: 10, accounts: 40, instructions: 9 }),
    ];
    assertProperty(
      fc.property(fc.oneof(...mixes), (source) => {
        const compiled = attempt(() => compileMessage({ ...source, version: 0 }));
        const measured = attempt(() => measureMessage(source));
        if (compiled === 'refused' || measured === 'refused') {
          expect(measured).toBe(compiled);
          refused++;
          return;
        }
        const listed = source.instructions.flatMap((each) => [
          each.programAddress,
          ...each.accounts.map(({ address }) => address),
        ]);
        expect(measured).toEqual({
          bytes: compiled.length,
          signers: compiled[1],
          accounts: new Set([source.feePayer, ...listed]).size,
        });
      }),
      { cases: 500, seed: 12 },
    );
    expect(refused).toBeGreaterThan(50);
    expect(refused).toBeLessThan(450);
  });
});

const MISPLACED_PROGRAM = expect.objectContaining({ name: 'TransactionInvalid', kind: 'misplaced-program' });

const anyAddress = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toAddress(bytes));

function kitCompile({ feePayer, blockhash, instructions, version, lookupTables }: MessageSource): Uint8Array {
  const lifetime = {
    blockhash: toAddress(blockhash) as string as Blockhash,
    lastValidBlockHeight: 0n,
  };
  const kitInstructions = instructions as readonly KitInstruction[];
  const compiled =
    version === 'legacy'
      ? pipe(
          createTransactionMessage({ version: 'legacy' }),
          (m) => setTransactionMessageFeePayer(feePayer, m),
          (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
          (m) => appendTransactionMessageInstructions(kitInstructions, m),
          compileTransactionMessage,
        )
      : pipe(
          createTransactionMessage({ version: 0 }),
          (m) => setTransactionMessageFeePayer(feePayer, m),
          (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
          (m) => appendTransactionMessageInstructions(kitInstructions, m),
          (m) =>
            compressTransactionMessageUsingAddressLookupTables(
              m,
              (lookupTables ?? {}) as Record<Address, Address[]>,
            ),
          compileTransactionMessage,
        );
  return new Uint8Array(getCompiledTransactionMessageEncoder().encode(compiled));
}

/** The result of both compilers for one source: the bytes, or that the compiler threw. */
function outcomes(source: MessageSource): { ours: Uint8Array | 'refused'; theirs: Uint8Array | 'refused' } {
  return { ours: attempt(() => compileMessage(source)), theirs: attempt(() => kitCompile(source)) };
}

function attempt<Result>(make: () => Result): Result | 'refused' {
  try {
    return make();
  } catch {
    return 'refused';
  }
}

const role = fc.constantFrom(
  AccountRole.READONLY,
  AccountRole.WRITABLE,
  AccountRole.READONLY_SIGNER,
  AccountRole.WRITABLE_SIGNER,
);

interface Mix {
  readonly signers: number;
  readonly accounts: number;
  readonly instructions: number;
}

/** Sources that draw from few addresses, so that accounts repeat across instructions, roles and tables. */
function sources({ signers, accounts, instructions }: Mix): fc.Arbitrary<MessageSource> {
  return fc.uniqueArray(anyAddress, { minLength: 4, maxLength: 80 }).chain((pool) => {
    const [feePayer, ...rest] = pool as [Address, ...Address[]];
    const programs = fc.constantFrom(...rest.slice(0, Math.max(1, rest.length >> 3)));
    const listed = fc.constantFrom(...pool);
    const meta = fc.oneof(
      {
        weight: 20,
        arbitrary: fc.record({
          address: listed,
          role: fc.constantFrom(AccountRole.READONLY, AccountRole.WRITABLE),
        }),
      },
      { weight: signers, arbitrary: fc.record({ address: listed, role }) },
    );
    const readonlyProgram = programs.map((address) => ({ address, role: AccountRole.READONLY }));
    const instruction: fc.Arbitrary<Instruction> = fc.record({
      programAddress: programs,
      accounts: fc.array(
        fc.oneof({ weight: 10, arbitrary: meta }, { weight: 1, arbitrary: readonlyProgram }),
        {
          maxLength: accounts,
        },
      ),
      data: fc.uint8Array({ maxLength: 200 }),
    });
    const table = fc.array(listed, { maxLength: 60 });
    return fc.record({
      feePayer: fc.constant(feePayer),
      blockhash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      instructions: fc.array(instruction, { maxLength: instructions }),
      version: fc.constantFrom('legacy' as const, 0 as const, 0 as const),
      lookupTables: fc
        .array(fc.tuple(anyAddress, table), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries) as Record<Address, Address[]>),
    });
  });
}

/** Like `sources`, but no invoked program is writable, which would make nearly every random message invalid. */
function withoutWrittenPrograms(source: MessageSource): MessageSource {
  const programs = new Set(source.instructions.map((each) => each.programAddress));
  const instructions = source.instructions.map((each) => ({
    ...each,
    accounts: each.accounts.map((account) =>
      programs.has(account.address)
        ? { ...account, role: (account.role & AccountRole.READONLY_SIGNER) as AccountRole }
        : account,
    ),
  }));
  return { ...source, instructions };
}
