import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../solana/messages/instruction.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { memo } from '../../solana/programs/memo.ts';
import {
  BPF_LOADER_UPGRADEABLE,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_CLOCK,
  SYSVAR_RENT,
} from '../../solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { createAccount, transferLamports } from '../../solana/programs/system.ts';
import { deriveProgramDataAddress } from '../../solana/programs/upgradeable-loader.ts';
import type { Bank } from './ledger/bank.ts';
import {
  ALICE,
  BOB,
  getLamports,
  SOL,
  send,
  signTestTransaction,
  getSignatureStatus,
  openBankForTests,
  createTestKey,
} from '../../testing/chain/bank.ts';

describe('a program that is deployed while the network runs', () => {
  it('can be called', async () => {
    const bank = await openBankForTests();
    await deploy(bank);
    expect(bank.getAccount(PROGRAM.address, 'processed')?.executable).toBe(true);
    expect(sendAll(bank, [ALICE], [callProgram])?.error).toBeNull();
  });

  it('can be closed, after which calls to it fail', async () => {
    const bank = await openBankForTests();
    await deploy(bank);
    expect(sendAll(bank, [ALICE], [closeProgram])?.error).toBeNull();
    await bank.advanceSlot();
    expect(sendAll(bank, [ALICE], [callProgram])?.error).not.toBeNull();
    expect(getLamports(bank, BOB.address)).toBe(100n * SOL);
  });

  it('cannot crash the network by leaving garbage in place of its code', async () => {
    const bank = await openBankForTests();
    await deploy(bank);
    const refill = transferLamports(ALICE.address, deriveProgramDataAddress(PROGRAM.address), SOL);
    const wire = signTestTransaction(bank, [ALICE], [closeProgram, refill]);
    const outcome = bank.submit(wire, { preflight: null });
    expect(outcome.kind).toBe('accepted');
    expect(getSignatureStatus(bank, outcome.kind === 'accepted' ? outcome.signature : '')).toBeNull();
    expect(sendAll(bank, [ALICE], [callProgram])?.error).toBeNull();
    // In two steps: first write the garbage, then write to the closed program.
    expect(sendAll(bank, [ALICE], [closeProgram])?.error).toBeNull();
    await bank.advanceSlot();
    expect(sendAll(bank, [ALICE], [refill])?.error).toBeNull();
    sendAll(bank, [ALICE], [transferLamports(ALICE.address, PROGRAM.address, 5n)]);
    expect(sendAll(bank, [ALICE], [transferLamports(ALICE.address, BOB.address, 1n)])?.error).toBeNull();
  });

  /** Deploys the code of the memo program as a program of ALICE, with the loader's instructions. */
  async function deploy(bank: Bank): Promise<void> {
    const elf = bank.getAccount(MEMO_PROGRAM, 'processed')?.data ?? new Uint8Array(0);
    const bufferSize = 37 + elf.length;
    const account = (key: Keypair, size: number) =>
      createAccount({
        payer: ALICE.address,
        account: key.address,
        lamports: computeRentExemptMinimum(size),
        space: BigInt(size),
        owner: BPF_LOADER_UPGRADEABLE,
      });
    const initialize = loader([writable(BUFFER.address), readonly(ALICE.address)], new ByteWriter().u32(0));
    expect(sendAll(bank, [ALICE, BUFFER], [account(BUFFER, bufferSize), initialize])?.error).toBeNull();
    for (let at = 0; at < elf.length; at += 800) {
      const bytes = elf.subarray(at, at + 800);
      const data = new ByteWriter().u32(1).u32(at).u64(BigInt(bytes.length)).bytes(bytes);
      const write = loader([writable(BUFFER.address), readonlySigner(ALICE.address)], data);
      expect(sendAll(bank, [ALICE], [write])?.error).toBeNull();
    }
    const deployIt = loader(
      [
        writableSigner(ALICE.address),
        writable(deriveProgramDataAddress(PROGRAM.address)),
        writable(PROGRAM.address),
        writable(BUFFER.address),
        readonly(SYSVAR_RENT),
        readonly(SYSVAR_CLOCK),
        readonly(SYSTEM_PROGRAM),
        readonlySigner(ALICE.address),
      ],
      new ByteWriter().u32(2).u64(BigInt(elf.length)),
    );
    expect(sendAll(bank, [ALICE, PROGRAM], [account(PROGRAM, 36), deployIt])?.error).toBeNull();
    await bank.advanceSlot();
  }
});

describe('bytes that are not a transaction', () => {
  it('are refused with a reason', async () => {
    const bank = await openBankForTests();
    const [wire = new Uint8Array(0)] = bytesOf(bank);
    for (const broken of [
      new Uint8Array(0),
      wire.subarray(0, wire.length - 1),
      new Uint8Array(1233),
      // A version that only newer networks support.
      Uint8Array.of(...wire.subarray(0, 129), 0x81, ...wire.subarray(130)),
    ]) {
      const outcome = bank.submit(broken, { preflight: null });
      expect(outcome.kind).toBe('malformed');
      expect(outcome.kind === 'malformed' && outcome.reason.length).toBeGreaterThan(10);
      expect(bank.simulate(broken, SIMULATE).kind).toBe('malformed');
    }
  });

  it('do no harm, whatever they contain', async () => {
    const bank = await openBankForTests();
    const wires = bytesOf(bank);
    const total = bank.totalLamports('processed');
    const mutation = fc.tuple(fc.nat(1232), fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 127, 128, 129, 255)));
    const anyWire = fc
      .tuple(fc.constantFrom(...wires), fc.array(mutation, { minLength: 1, maxLength: 4 }))
      .map(([wire, mutations]) => {
        const changed = Uint8Array.from(wire);
        for (const [at, value] of mutations) changed[at % changed.length] = value;
        return changed;
      });
    assertProperty(
      fc.property(fc.oneof(anyWire, fc.uint8Array({ maxLength: 300 })), (wire) => {
        bank.submit(wire, { preflight: null });
        // Without signature checks the message goes deeper into the runtime.
        bank.simulate(wire, SIMULATE);
      }),
      { cases: 4_000, seed: 99 },
    );
    expect(total - bank.totalLamports('processed')).toBeLessThanOrEqual(15_000n);
    expect(sendAll(bank, [ALICE], [memo('still here')])?.error).toBeNull();
  });

  const bytesOf = (bank: Bank) => [
    signTestTransaction(
      bank,
      [ALICE, BOB],
      [memo('hello', [BOB.address]), transferLamports(ALICE.address, BOB.address, 1n)],
    ),
    signTestTransaction(bank, [ALICE], [transferLamports(ALICE.address, BOB.address, 2n)], {
      version: 'legacy',
    }),
  ];
});

const SIMULATE = {
  commitment: 'processed',
  verifySignatures: false,
  replaceBlockhash: false,
  accounts: [],
} as const;

describe('accounts that a transaction may not write', () => {
  it('are not changed', async () => {
    const bank = await openBankForTests();
    const target = (address: Address) => transferLamports(ALICE.address, address, SOL);
    const before = bank.getAccount(SYSVAR_CLOCK, 'processed');
    for (const address of [SYSVAR_CLOCK, SYSVAR_RENT, MEMO_PROGRAM])
      sendAll(bank, [ALICE], [target(address)]);
    expect(bank.getAccount(SYSVAR_CLOCK, 'processed')).toEqual(before);
    expect(bank.getAccount(MEMO_PROGRAM, 'processed')?.executable).toBe(true);
    expect(sendAll(bank, [ALICE], [memo('fine')])?.error).toBeNull();
  });
});

const PROGRAM = createTestKey(70);
const BUFFER = createTestKey(71);

function loader(accounts: Instruction['accounts'], data: ByteWriter): Instruction {
  return { programAddress: BPF_LOADER_UPGRADEABLE, accounts, data: data.finish() };
}

function sendAll(bank: Bank, signers: readonly Keypair[], instructions: readonly Instruction[]) {
  return getSignatureStatus(bank, send(bank, signTestTransaction(bank, signers, instructions)));
}

const closeProgram = loader(
  [
    writable(deriveProgramDataAddress(PROGRAM.address)),
    writable(ALICE.address),
    readonlySigner(ALICE.address),
    writable(PROGRAM.address),
  ],
  new ByteWriter().u32(5),
);

const callProgram: Instruction = { ...memo('hello'), programAddress: PROGRAM.address };
