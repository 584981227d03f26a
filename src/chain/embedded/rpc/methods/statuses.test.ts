import { describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../../../solana/encoding/base58.ts';
import { memo } from '../../../../solana/programs/memo.ts';
import { transferLamports } from '../../../../solana/programs/system.ts';
import {
  ALICE,
  BOB,
  confirm,
  finalize,
  MINT,
  SOL,
  signTestTransaction,
  startTestRpc,
  createTestKeypair,
} from '../../../../testing/chain/rpc-network.ts';
import { openForAll } from '../../../../testing/opened.ts';

const rpc = openForAll(startTestRpc, 'close');

describe('getSignatureStatuses', () => {
  it('follows a transaction to finality', async () => {
    const signature = await sendWire(
      signTestTransaction(rpc.bank, [ALICE], [transferLamports(ALICE.address, BOB.address, 7n)]),
    );
    const unknown = encodeBase58(new Uint8Array(64).fill(1));
    const statuses = async (...config: unknown[]) =>
      ((await rpc.call('getSignatureStatuses', [signature, unknown], ...config)) as { value: unknown[] })
        .value;
    const slot = Number(rpc.bank.slot('processed'));
    expect(await statuses()).toEqual([
      { slot, confirmations: 0, status: { Ok: null }, err: null, confirmationStatus: 'processed' },
      null,
    ]);
    await confirm(rpc.bank);
    expect(await statuses()).toMatchObject([
      { slot, confirmations: 1, confirmationStatus: 'confirmed' },
      null,
    ]);
    await finalize(rpc.bank);
    expect(await statuses()).toMatchObject([{ confirmations: null, confirmationStatus: 'finalized' }, null]);
    for (let i = 0; i < 160; i++) await rpc.bank.advanceSlot();
    expect(await statuses()).toEqual([null, null]);
    expect(await statuses({ searchTransactionHistory: true })).toMatchObject([{ slot, err: null }, null]);
  });

  it('reports errors', async () => {
    const signature = await sendWire(
      signTestTransaction(rpc.bank, [ALICE], [transferLamports(ALICE.address, BOB.address, 1_000n * SOL)]),
    );
    const error = { InstructionError: [0, { Custom: 1 }] };
    expect(await rpc.call('getSignatureStatuses', [signature])).toMatchObject({
      value: [{ err: error, status: { Err: error } }],
    });
  });

  it('accepts at most 256 signatures', async () => {
    const unknown = encodeBase58(new Uint8Array(64).fill(1));
    await rpc.call('getSignatureStatuses', new Array(256).fill(unknown));
    expect(await rpc.refuse('getSignatureStatuses', new Array(257).fill(unknown))).toMatchObject({
      code: -32602,
    });
    expect(await rpc.refuse('getSignatureStatuses', [MINT])).toMatchObject({ code: -32602 });
  });
});

describe('getSignaturesForAddress', () => {
  it('pages from the newest to the oldest', async () => {
    const { address } = createTestKeypair('pages');
    const sent: string[] = [];
    for (let i = 0; i < 5; i++) {
      const instructions = [transferLamports(ALICE.address, address, SOL + BigInt(i)), memo(`number ${i}`)];
      sent.unshift(await sendWire(signTestTransaction(rpc.bank, [ALICE], instructions)));
      await confirm(rpc.bank);
    }
    interface Info {
      readonly signature: string;
    }
    const list = async (config: object = {}) =>
      (
        (await rpc.call('getSignaturesForAddress', address, { commitment: 'confirmed', ...config })) as Info[]
      ).map(({ signature }) => signature);
    expect(await list()).toEqual(sent);
    expect(await list({ limit: 2 })).toEqual(sent.slice(0, 2));
    expect(await list({ before: sent[1], limit: 2 })).toEqual(sent.slice(2, 4));
    expect(await list({ until: sent[3] })).toEqual(sent.slice(0, 3));
    expect(await list({ before: sent[0], until: sent[4] })).toEqual(sent.slice(1, 4));
    expect(await rpc.call('getSignaturesForAddress', address)).toEqual([]);
    expect(await rpc.call('getSignaturesForAddress', address, { commitment: 'confirmed', limit: 1 })).toEqual(
      [
        {
          signature: sent[0],
          slot: expect.any(Number),
          err: null,
          memo: '[8] number 4',
          blockTime: 1_700_000_000,
          confirmationStatus: 'confirmed',
        },
      ],
    );
  });

  it.each([
    ['a limit of 0', { limit: 0 }],
    ['a limit of 1,001', { limit: 1_001 }],
    ['a signature that is none', { before: 'x' }],
    ['processed', { commitment: 'processed' }],
  ])('refuses %s', async (_, config) => {
    expect(await rpc.refuse('getSignaturesForAddress', MINT, config)).toMatchObject({ code: -32602 });
  });
});

const sendWire = async (wire: Uint8Array) =>
  (await rpc.call('sendTransaction', Buffer.from(wire).toString('base64'), {
    encoding: 'base64',
    skipPreflight: true,
  })) as string;
