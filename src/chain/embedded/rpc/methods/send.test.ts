import { describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../../../solana/encoding/base58.ts';
import { compileMessage } from '../../../../solana/messages/compile-message.ts';
import { memo } from '../../../../solana/programs/memo.ts';
import { SYSTEM_PROGRAM } from '../../../../solana/program-addresses.ts';
import { transferLamports } from '../../../../solana/programs/system.ts';
import { signTransaction } from '../../../../solana/messages/transaction.ts';
import {
  ALICE,
  BOB,
  confirm,
  SOL,
  signTestTransaction,
  signBase64Transaction,
  startTestRpc,
  createTestKeypair,
} from '../../../../testing/chain/rpc-network.ts';
import { openForAll } from '../../../../testing/opened.ts';

const rpc = openForAll(startTestRpc, 'close');
let amount = 1_000_000n;

describe('sendTransaction', () => {
  it('returns the signature and executes at once, from base58 and base64', async () => {
    const before = balanceOf(BOB.address) ?? 0n;
    const paid = amount;
    const wire = signTestTransaction(rpc.bank, [ALICE], [give()]);
    const signature = encodeBase58(wire.subarray(1, 65));
    expect(await rpc.call('sendTransaction', encodeBase58(wire), { preflightCommitment: 'processed' })).toBe(
      signature,
    );
    expect(balanceOf(BOB.address)).toBe(before + paid);
    await rpc.call('sendTransaction', signBase64Transaction(rpc.bank, [ALICE], [give()]), base64);
    expect(balanceOf(BOB.address)).toBe(before + 2n * paid + 1n);
  });

  it('ignores bytes after the transaction, as a simulation does', async () => {
    const before = balanceOf(BOB.address) ?? 0n;
    const paid = amount;
    const wire = signTestTransaction(rpc.bank, [ALICE], [give()]);
    const sent = Buffer.concat([wire, new Uint8Array(3).fill(9)]).toString('base64');
    const simulated = await rpc.call('simulateTransaction', sent, {
      ...base64,
      sigVerify: true,
      innerInstructions: true,
      commitment: 'processed',
    });
    expect(simulated).toMatchObject({ value: { err: null } });
    expect(await rpc.call('sendTransaction', sent, base64)).toBe(encodeBase58(wire.subarray(1, 65)));
    expect(balanceOf(BOB.address)).toBe(before + paid);
  });

  it('returns the simulation of a failing transaction, and does not charge for it', async () => {
    const before = balanceOf(ALICE.address);
    const refused = await rpc.refuse(
      'sendTransaction',
      signBase64Transaction(rpc.bank, [ALICE], [tooMuch()]),
      base64,
    );
    expect(refused).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
      data: {
        err: { InstructionError: [0, { Custom: 1 }] },
        accounts: null,
        innerInstructions: null,
        returnData: null,
        unitsConsumed: expect.any(Number),
      },
    });
    expect((refused.data as { logs: string[] }).logs).toContain(`Program ${SYSTEM_PROGRAM} invoke [1]`);
    expect(balanceOf(ALICE.address)).toBe(before);
  });

  it('accepts a failing transaction without preflight, and charges for it', async () => {
    const before = balanceOf(ALICE.address) ?? 0n;
    const config = { ...base64, skipPreflight: true };
    await rpc.call('sendTransaction', signBase64Transaction(rpc.bank, [ALICE], [tooMuch()]), config);
    expect(balanceOf(ALICE.address)).toBe(before - 5_000n);
  });

  it('reports a preflight failure in the words that clients match on', async () => {
    const message = compileMessage({
      feePayer: ALICE.address,
      blockhash: new Uint8Array(32).fill(7),
      instructions: [give()],
    });
    const unknown = Buffer.from(signTransaction(message, [ALICE])).toString('base64');
    expect(await rpc.refuse('sendTransaction', unknown, base64)).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: Blockhash not found',
      data: { err: 'BlockhashNotFound' },
    });
    const wire = signBase64Transaction(rpc.bank, [ALICE], [give()]);
    await rpc.call('sendTransaction', wire, base64);
    expect(await rpc.refuse('sendTransaction', wire, base64)).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed' },
    });
    const nobody = createTestKeypair('nobody');
    const broke = signBase64Transaction(
      rpc.bank,
      [nobody],
      [transferLamports(nobody.address, BOB.address, 1n)],
    );
    expect(await rpc.refuse('sendTransaction', broke, base64)).toMatchObject({
      code: -32002,
      data: { err: 'AccountNotFound' },
    });
  });

  it('verifies signatures, also without preflight', async () => {
    const wire = signTestTransaction(rpc.bank, [ALICE], [give()]);
    wire[10] = (wire[10] ?? 0) ^ 1;
    const forged = Buffer.from(wire).toString('base64');
    expect(await rpc.refuse('sendTransaction', forged, base64)).toMatchObject({ code: -32003 });
    const before = balanceOf(ALICE.address);
    await rpc.call('sendTransaction', forged, { ...base64, skipPreflight: true });
    expect(balanceOf(ALICE.address)).toBe(before);
  });

  it('checks against the state of the preflight commitment', async () => {
    const poor = createTestKeypair('preflight');
    await rpc.call(
      'sendTransaction',
      signBase64Transaction(rpc.bank, [ALICE], [transferLamports(ALICE.address, poor.address, SOL)]),
      base64,
    );
    const spend = signBase64Transaction(
      rpc.bank,
      [poor],
      [transferLamports(poor.address, BOB.address, SOL / 2n)],
    );
    const finalized = { encoding: 'base64' };
    expect(await rpc.refuse('sendTransaction', spend, finalized)).toMatchObject({ code: -32002 });
    await rpc.call('sendTransaction', spend, base64);
  });

  it.each([
    ['nothing', []],
    ['a number', [1]],
    ['text that is not base58', ['0OIl']],
    ['text that is not base64', ['*', base64]],
    ['an empty transaction', ['', base64]],
    ['bytes that are no transaction', [Buffer.alloc(100, 255).toString('base64'), base64]],
    ['too many bytes', [Buffer.alloc(1233).toString('base64'), base64]],
    ['an encoding for answers', ['1', { encoding: 'jsonParsed' }]],
    ['retries below zero', ['1', { maxRetries: -1 }]],
    ['a flag that is text', ['1', { skipPreflight: 'yes' }]],
  ])('refuses %s', async (_, params) => {
    expect(await rpc.refuse('sendTransaction', ...params)).toMatchObject({ code: -32602 });
  });

  it('rejects a transaction of an unknown version', async () => {
    const wire = signTestTransaction(rpc.bank, [ALICE], [give()]);
    wire[65] = 0x81;
    expect(await rpc.refuse('sendTransaction', Buffer.from(wire).toString('base64'), base64)).toMatchObject({
      code: -32602,
    });
  });

  it('rejects until the requested slot is reached', async () => {
    const minContextSlot = rpc.bank.slot('processed') + 5n;
    expect(
      await rpc.refuse('sendTransaction', signBase64Transaction(rpc.bank, [ALICE], [give()]), {
        ...base64,
        minContextSlot,
      }),
    ).toMatchObject({ code: -32016 });
  });
});

describe('getFeeForMessage', () => {
  it('returns the fee, or null for an invalid blockhash', async () => {
    const priced = (message: Uint8Array) =>
      rpc.call('getFeeForMessage', Buffer.from(message).toString('base64'), { commitment: 'processed' });
    const message = (blockhash: Uint8Array) =>
      compileMessage({
        feePayer: ALICE.address,
        blockhash,
        instructions: [give(), memo('x', [BOB.address])],
      });
    const fee = (blockhash: Uint8Array) => priced(message(blockhash));
    expect(await fee(blockhashOf())).toMatchObject({ value: 10_000 });
    // Some clients omit the version, so that the empty list of lookups follows the message.
    expect(await priced(message(blockhashOf()).slice(1))).toMatchObject({ value: 10_000 });
    expect(await fee(new Uint8Array(32))).toMatchObject({ value: null });
    expect(await rpc.refuse('getFeeForMessage', 'AAAA')).toMatchObject({ code: -32602 });
  });
});

describe('requestAirdrop', () => {
  it('sends lamports with a transaction', async () => {
    const { address } = createTestKeypair('airdrop');
    const signature = await rpc.call('requestAirdrop', address, 2n * SOL);
    await confirm(rpc.bank);
    expect(balanceOf(address)).toBe(2n * SOL);
    expect(await rpc.call('getSignatureStatuses', [signature])).toMatchObject({
      value: [{ err: null, confirmationStatus: 'confirmed' }],
    });
  });

  it('rejects an amount that the faucet cannot give', async () => {
    const { address } = createTestKeypair('airdrop');
    expect(await rpc.refuse('requestAirdrop', address, 2n ** 64n - 1n)).toMatchObject({ code: -32603 });
    expect(await rpc.refuse('requestAirdrop', address, 2n ** 64n)).toMatchObject({ code: -32602 });
    expect(await rpc.refuse('requestAirdrop', address, -1)).toMatchObject({ code: -32602 });
    const recentBlockhash = rpc.bank.genesisHash;
    expect(await rpc.refuse('requestAirdrop', address, 1, { recentBlockhash })).toMatchObject({
      code: -32602,
    });
  });
});

/** Returns a transfer that differs from all earlier ones. */
const give = () => transferLamports(ALICE.address, BOB.address, amount++);
const tooMuch = () => transferLamports(ALICE.address, BOB.address, 1_000n * SOL + amount++);
const base64 = { encoding: 'base64', preflightCommitment: 'processed' };
const blockhashOf = () => rpc.bank.latestBlockhash('processed').value.bytes;

const balanceOf = (address: string) =>
  rpc.bank.getAccount(address as typeof ALICE.address, 'processed')?.lamports;
