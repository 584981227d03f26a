import { beforeAll, describe, expect, it } from 'vitest';
import { createAssociatedTokenIdempotent } from '../../../../solana/programs/associated-token.ts';
import { encodeBase58 } from '../../../../solana/encoding/base58.ts';
import { setComputeUnitLimit } from '../../../../solana/programs/compute-budget.ts';
import { memo } from '../../../../solana/programs/memo.ts';
import { deriveAssociatedTokenAddress } from '../../../../solana/pda.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../../solana/program-addresses.ts';
import { transferLamports } from '../../../../solana/programs/system.ts';
import { transferChecked } from '../../../../solana/programs/token/instructions.ts';
import {
  ALICE,
  ALICE_TOKENS,
  BOB,
  confirm,
  finalize,
  LOOKUP_TABLE,
  MINT,
  SOL,
  signTestTransaction,
  startTestRpc,
  createTestKeypair,
} from '../../../../testing/chain/rpc-network.ts';
import { openForAll } from '../../../../testing/opened.ts';

const rpc = openForAll(startTestRpc, 'close');

describe('getTransaction', () => {
  let signature: string;
  let wire: Uint8Array;
  beforeAll(setUp);

  it('returns null below its commitment and for unknown signatures', async () => {
    expect(await rpc.call('getTransaction', signature, { maxSupportedTransactionVersion: 0 })).toBeNull();
    expect(await rpc.call('getTransaction', encodeBase58(new Uint8Array(64).fill(1)))).toBeNull();
    expect(await rpc.refuse('getTransaction', signature, { commitment: 'processed' })).toMatchObject({
      code: -32602,
    });
    expect(await rpc.refuse('getTransaction', 'x')).toMatchObject({ code: -32602 });
  });

  it('rejects a version that the client does not support', async () => {
    expect(await rpc.refuse('getTransaction', signature, { commitment: 'confirmed' })).toMatchObject({
      code: -32015,
      message: expect.stringContaining('Transaction version (0) is not supported'),
    });
  });

  it('encodes json', async () => {
    expect(await get()).toMatchObject({
      slot: expect.any(Number),
      blockTime: 1_700_000_000,
      version: 0,
      transaction: {
        signatures: [signature],
        message: {
          header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0 },
          recentBlockhash: expect.any(String),
          instructions: [
            { accounts: [], stackHeight: 1 },
            { stackHeight: 1 },
            { stackHeight: 1 },
            { data: encodeBase58(Buffer.from('hello')), stackHeight: 1 },
          ],
          addressTableLookups: [{ accountKey: LOOKUP_TABLE, writableIndexes: [], readonlyIndexes: [0] }],
        },
      },
      meta: {
        err: null,
        status: { Ok: null },
        fee: 5_000,
        rewards: [],
        loadedAddresses: { writable: [], readonly: [MINT] },
        computeUnitsConsumed: expect.any(Number),
        logMessages: expect.arrayContaining([`Program ${COMPUTE_BUDGET_PROGRAM} invoke [1]`]),
        innerInstructions: [
          {
            index: 1,
            instructions: expect.arrayContaining([
              {
                data: expect.any(String),
                accounts: expect.any(Array),
                programIdIndex: expect.any(Number),
                stackHeight: 2,
              },
            ]),
          },
        ],
        preTokenBalances: [{ mint: MINT, owner: ALICE.address, programId: TOKEN_PROGRAM }],
        postTokenBalances: expect.arrayContaining([
          {
            accountIndex: expect.any(Number),
            mint: MINT,
            owner: CAROL.address,
            programId: TOKEN_PROGRAM,
            uiTokenAmount: { amount: '2500000', decimals: 6, uiAmount: 2.5, uiAmountString: '2.5' },
          },
        ]),
      },
    });
    const { meta, transaction } = await get();
    const accounts = transaction.message.accountKeys;
    const { preBalances, postBalances } = meta;
    expect(preBalances).toHaveLength(accounts.length + 1);
    expect(preBalances.reduce((a, b) => a + b) - postBalances.reduce((a, b) => a + b)).toBe(5_000);
  });

  it('encodes jsonParsed, with inner instructions', async () => {
    const { transaction, meta } = await get({ encoding: 'jsonParsed' });
    expect(transaction).toMatchObject({
      message: {
        accountKeys: expect.arrayContaining([
          { pubkey: ALICE.address, signer: true, writable: true, source: 'transaction' },
          { pubkey: MINT, signer: false, writable: false, source: 'lookupTable' },
          { pubkey: SYSTEM_PROGRAM, signer: false, writable: false, source: 'transaction' },
        ]),
        instructions: [
          { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: expect.any(String) },
          {
            program: 'spl-associated-token-account',
            parsed: {
              type: 'createIdempotent',
              info: { account: CAROL_TOKENS, wallet: CAROL.address, mint: MINT },
            },
          },
          {
            program: 'spl-token',
            programId: TOKEN_PROGRAM,
            parsed: {
              type: 'transferChecked',
              info: { authority: ALICE.address, tokenAmount: { amount: '2500000', uiAmountString: '2.5' } },
            },
            stackHeight: 1,
          },
          { program: 'spl-memo', parsed: 'hello' },
        ],
      },
    });
    expect(meta.innerInstructions).toMatchObject([
      {
        index: 1,
        instructions: expect.arrayContaining([
          expect.objectContaining({ program: 'system', stackHeight: 2 }),
          expect.objectContaining({
            program: 'spl-token',
            parsed: {
              type: 'initializeAccount3',
              info: { account: CAROL_TOKENS, mint: MINT, owner: CAROL.address },
            },
          }),
        ]),
      },
    ]);
    expect(meta).not.toHaveProperty('loadedAddresses');
  });

  it('encodes the bytes, also when only an encoding is given', async () => {
    const base64 = Buffer.from(wire).toString('base64');
    expect((await get({ encoding: 'base64' })).transaction).toEqual([base64, 'base64']);
    expect((await get({ encoding: 'base58' })).transaction).toEqual([encodeBase58(wire), 'base58']);
    expect((await get({ encoding: 'binary' })).transaction).toBe(encodeBase58(wire));
    await finalize(rpc.bank);
    expect(await rpc.refuse('getTransaction', signature, 'base64')).toMatchObject({ code: -32015 });
  });

  it('leaves out the version for clients that only support legacy transactions', async () => {
    const instructions = [transferLamports(ALICE.address, CAROL.address, SOL)];
    const legacy = await sendWire(
      signTestTransaction(rpc.bank, [ALICE], instructions, { version: 'legacy' }),
    );
    await confirm(rpc.bank);
    const found = await rpc.call('getTransaction', legacy, { commitment: 'confirmed' });
    expect(found).toMatchObject({ transaction: { signatures: [legacy] } });
    expect(found).not.toHaveProperty('version');
    expect(found).not.toHaveProperty('transaction.message.addressTableLookups');
    expect(await rpc.call('getTransaction', legacy, v0)).toMatchObject({ version: 'legacy' });
  });

  const get = async (config: object = {}) =>
    (await rpc.call('getTransaction', signature, { ...v0, ...config })) as Found;

  async function setUp(): Promise<void> {
    wire = signTestTransaction(
      rpc.bank,
      [ALICE],
      [
        setComputeUnitLimit(100_000),
        createAssociatedTokenIdempotent({
          payer: ALICE.address,
          owner: CAROL.address,
          mint: MINT,
          tokenProgram: TOKEN_PROGRAM,
        }),
        transferChecked(TOKEN_PROGRAM, {
          source: ALICE_TOKENS,
          mint: MINT,
          destination: CAROL_TOKENS,
          authority: ALICE.address,
          amount: 2_500_000n,
          decimals: 6,
        }),
        memo('hello'),
      ],
      { lookupTables: { [LOOKUP_TABLE]: [MINT, BOB.address] } },
    );
    signature = await sendWire(wire);
    await confirm(rpc.bank);
  }
});

const CAROL = createTestKeypair('carol');
const CAROL_TOKENS = deriveAssociatedTokenAddress(CAROL.address, MINT, TOKEN_PROGRAM);

const sendWire = async (wire: Uint8Array) =>
  (await rpc.call('sendTransaction', Buffer.from(wire).toString('base64'), {
    encoding: 'base64',
    skipPreflight: true,
  })) as string;

/** The fields that the tests check. */
interface Found {
  readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } };
  readonly meta: {
    readonly preBalances: readonly number[];
    readonly postBalances: readonly number[];
    readonly innerInstructions: readonly unknown[];
  };
}

const v0 = { maxSupportedTransactionVersion: 0, commitment: 'confirmed' };
