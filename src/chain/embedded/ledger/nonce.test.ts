import { describe, expect, it } from 'vitest';
import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
} from '../../../solana/messages/instruction.ts';
import { SYSTEM_PROGRAM, SYSVAR_RECENT_BLOCKHASHES, SYSVAR_RENT } from '../../../solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../../solana/rent.ts';
import {
  advanceNonce,
  createAccount,
  decodeNonceAccount,
  NONCE_ACCOUNT_SIZE,
  transferLamports,
} from '../../../solana/programs/system.ts';
import type { Bank } from './bank.ts';
import {
  ALICE,
  advance,
  BOB,
  getLamports,
  SOL,
  send,
  signTestTransaction,
  getSignatureStatus,
  openBankForTests,
  createTestKey,
} from '../../../testing/chain/bank.ts';

describe('a transaction with a durable nonce', () => {
  it('lands once, long after it was signed', async () => {
    const bank = await bankWithNonce();
    const wire = durable(bank, [pay(SOL)]);
    await advance(bank, 200);
    const fee = bank.feeForMessage(wire.subarray(65), 'processed').value;
    expect(fee).toBe(5_000n);
    const before = nonceNow(bank);
    const signature = send(bank, wire);
    expect(getSignatureStatus(bank, signature)?.error).toBeNull();
    expect(getLamports(bank, BOB.address)).toBe(101n * SOL);
    expect(nonceNow(bank)).not.toBe(before);
    for (let i = 0; i < 4; i++) {
      send(bank, wire);
      expect(bank.submit(wire, { preflight: 'processed' }).kind).toBe('preflight-failed');
      await advance(bank, 60);
    }
    expect(getLamports(bank, BOB.address)).toBe(101n * SOL);
  });

  it('uses up its nonce and pays even when it fails', async () => {
    const bank = await bankWithNonce();
    const wire = durable(bank, [pay(1_000n * SOL)]);
    const before = nonceNow(bank);
    const balance = getLamports(bank, ALICE.address);
    const signature = send(bank, wire);
    expect(getSignatureStatus(bank, signature)?.error).toEqual({ InstructionError: [1, { Custom: 1 }] });
    expect(getLamports(bank, ALICE.address)).toBe(balance - 5_000n);
    const after = nonceNow(bank);
    expect(after).not.toBe(before);
    await bank.advanceSlot();
    const next = send(bank, durable(bank, [pay(1n)]));
    expect(getSignatureStatus(bank, next)?.error).toBeNull();
  });

  it('cannot be advanced twice in one block, nor by another authority, nor with an old nonce', async () => {
    const bank = await bankWithNonce();
    const old = nonceNow(bank);
    expect(getSignatureStatus(bank, send(bank, durable(bank, [pay(1n)])))?.error).toBeNull();
    expect(getSignatureStatus(bank, send(bank, durable(bank, [pay(2n)])))).toBeNull();
    await bank.advanceSlot();
    expect(getSignatureStatus(bank, send(bank, durable(bank, [pay(3n)], old)))).toBeNull();
    const stranger = signTestTransaction(bank, [BOB], [advanceNonce(NONCE.address, BOB.address)], {
      blockhash: toAddressBytes(nonceNow(bank)),
    });
    expect(getSignatureStatus(bank, send(bank, stranger))).toBeNull();
    const outcome = bank.submit(stranger, { preflight: 'processed' });
    expect(outcome.kind === 'preflight-failed' && outcome.simulation.error).toBe('BlockhashNotFound');
  });

  it('never accepts a nonce twice, not even after the account was created again with the same blockhash', async () => {
    const bank = await bankWithNonce();
    const blockhash = bank.latestBlockhash('processed').value.bytes;
    const seen = new Set([nonceNow(bank)]);
    const rent = computeRentExemptMinimum(NONCE_ACCOUNT_SIZE);
    for (let i = 0; i < 3; i++) {
      await bank.advanceSlot();
      const remake = [
        withdrawNonce(NONCE.address, ALICE.address, ALICE.address, rent),
        pay(BigInt(i + 1)),
        createAccount({
          payer: ALICE.address,
          account: NONCE.address,
          lamports: rent,
          space: BigInt(NONCE_ACCOUNT_SIZE),
          owner: SYSTEM_PROGRAM,
        }),
        initializeNonce(NONCE.address, ALICE.address),
      ];
      const [withdraw, ...create] = remake;
      if (withdraw === undefined) throw new Error('an instruction expected');
      send(bank, signTestTransaction(bank, [ALICE], [withdraw, pay(BigInt(100 + i))], { blockhash }));
      const made = send(bank, signTestTransaction(bank, [ALICE, NONCE], create, { blockhash }));
      expect(getSignatureStatus(bank, made)?.error).toBeNull();
      expect(seen).not.toContain(nonceNow(bank));
      seen.add(nonceNow(bank));
    }
  });
});

const NONCE = createTestKey(50);

function initializeNonce(account: Address, authority: Address): Instruction {
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [writable(account), readonly(SYSVAR_RECENT_BLOCKHASHES), readonly(SYSVAR_RENT)],
    data: new ByteWriter(36).u32(6).address(authority).finish(),
  };
}

function withdrawNonce(account: Address, authority: Address, to: Address, lamports: bigint): Instruction {
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      writable(account),
      writable(to),
      readonly(SYSVAR_RECENT_BLOCKHASHES),
      readonly(SYSVAR_RENT),
      readonlySigner(authority),
    ],
    data: new ByteWriter(12).u32(5).u64(lamports).finish(),
  };
}

async function bankWithNonce(): Promise<Bank> {
  const bank = await openBankForTests();
  const create = createAccount({
    payer: ALICE.address,
    account: NONCE.address,
    lamports: computeRentExemptMinimum(NONCE_ACCOUNT_SIZE),
    space: BigInt(NONCE_ACCOUNT_SIZE),
    owner: SYSTEM_PROGRAM,
  });
  const signature = send(
    bank,
    signTestTransaction(bank, [ALICE, NONCE], [create, initializeNonce(NONCE.address, ALICE.address)]),
  );
  expect(getSignatureStatus(bank, signature)?.error).toBeNull();
  await bank.advanceSlot();
  return bank;
}

function nonceNow(bank: Bank): Address {
  const account = bank.getAccount(NONCE.address, 'processed');
  const nonce = account === null ? null : decodeNonceAccount(account.data);
  if (nonce === null) throw new Error('there is no nonce');
  return nonce.nonce;
}

function durable(bank: Bank, instructions: readonly Instruction[], nonce = nonceNow(bank)): Uint8Array {
  return signTestTransaction(bank, [ALICE], [advanceNonce(NONCE.address, ALICE.address), ...instructions], {
    blockhash: toAddressBytes(nonce),
  });
}

const pay = (lamports: bigint) => transferLamports(ALICE.address, BOB.address, lamports);
