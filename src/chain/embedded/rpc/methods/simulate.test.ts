import { describe, expect, it } from 'vitest';
import { compileMessage } from '../../../../solana/messages/compile-message.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../../solana/program-addresses.ts';
import { transferLamports } from '../../../../solana/programs/system.ts';
import { transfer } from '../../../../solana/programs/token/instructions.ts';
import {
  ALICE,
  ALICE_TOKENS,
  BOB,
  BOB_TOKENS,
  SOL,
  signBase64Transaction,
  startTestRpc,
} from '../../../../testing/chain/rpc-network.ts';
import { openForAll } from '../../../../testing/opened.ts';

const rpc = openForAll(startTestRpc, 'close');
let amount = 1_000_000n;

describe('simulateTransaction', () => {
  it('returns the effects of the transaction without applying them', async () => {
    const before = balanceOf(BOB.address) ?? 0n;
    const paid = amount;
    const config = { ...processed, accounts: { addresses: [BOB.address], encoding: 'base64' } };
    const answer = await rpc.call(
      'simulateTransaction',
      signBase64Transaction(rpc.bank, [ALICE], [give()]),
      config,
    );
    expect(answer).toMatchObject({
      context: { slot: Number(rpc.bank.slot('processed')) },
      value: {
        err: null,
        logs: [`Program ${SYSTEM_PROGRAM} invoke [1]`, `Program ${SYSTEM_PROGRAM} success`],
        accounts: [{ lamports: Number(before + paid), owner: SYSTEM_PROGRAM, data: ['', 'base64'] }],
        unitsConsumed: 150,
        returnData: null,
        innerInstructions: null,
        replacementBlockhash: null,
        fee: 5_000,
        loadedAddresses: { writable: [], readonly: [] },
        preTokenBalances: [],
        postTokenBalances: [],
      },
    });
    expect(balanceOf(BOB.address)).toBe(before);
  });

  it('returns errors as a result', async () => {
    const config = { ...processed, accounts: { addresses: [BOB.address] } };
    expect(
      await rpc.call('simulateTransaction', signBase64Transaction(rpc.bank, [ALICE], [tooMuch()]), config),
    ).toMatchObject({
      value: { err: { InstructionError: [0, { Custom: 1 }] }, accounts: [null] },
    });
  });

  it('returns token balances and parsed accounts after the transaction', async () => {
    const instruction = transfer(TOKEN_PROGRAM, {
      source: ALICE_TOKENS,
      destination: BOB_TOKENS,
      authority: ALICE.address,
      amount: 1_000_000n,
    });
    const config = { ...processed, accounts: { addresses: [BOB_TOKENS], encoding: 'jsonParsed' } };
    expect(
      await rpc.call('simulateTransaction', signBase64Transaction(rpc.bank, [ALICE], [instruction]), config),
    ).toMatchObject({
      value: {
        accounts: [{ data: { parsed: { info: { tokenAmount: { uiAmountString: '6' } } } } }],
        preTokenBalances: expect.arrayContaining([
          expect.objectContaining({
            owner: BOB.address,
            uiTokenAmount: expect.objectContaining({ amount: '5000000' }),
          }),
        ]),
        postTokenBalances: expect.arrayContaining([
          expect.objectContaining({
            owner: BOB.address,
            uiTokenAmount: expect.objectContaining({ amount: '6000000' }),
          }),
        ]),
      },
    });
  });

  it('replaces the blockhash on request, and returns it', async () => {
    const message = compileMessage({
      feePayer: ALICE.address,
      blockhash: new Uint8Array(32),
      instructions: [give()],
    });
    const unsigned = Buffer.concat([Buffer.of(1), Buffer.alloc(64), message]).toString('base64');
    expect(await rpc.call('simulateTransaction', unsigned, processed)).toMatchObject({
      value: { err: 'BlockhashNotFound', replacementBlockhash: null },
    });
    const { blockhash, lastValidBlockHeight } = rpc.bank.latestBlockhash('processed').value;
    expect(
      await rpc.call('simulateTransaction', unsigned, { ...processed, replaceRecentBlockhash: true }),
    ).toMatchObject({
      value: {
        err: null,
        replacementBlockhash: { blockhash, lastValidBlockHeight: Number(lastValidBlockHeight) },
      },
    });
  });

  it('verifies signatures only on request', async () => {
    const message = compileMessage({
      feePayer: ALICE.address,
      blockhash: blockhashOf(),
      instructions: [give()],
    });
    const forged = Buffer.concat([Buffer.of(1), Buffer.alloc(64, 1), message]).toString('base64');
    expect(await rpc.call('simulateTransaction', forged, processed)).toMatchObject({ value: { err: null } });
    expect(await rpc.refuse('simulateTransaction', forged, { ...processed, sigVerify: true })).toMatchObject({
      code: -32003,
    });
    const both = { ...processed, sigVerify: true, replaceRecentBlockhash: true };
    expect(await rpc.refuse('simulateTransaction', forged, both)).toMatchObject({ code: -32602 });
  });

  it('returns inner instructions on request, also when there are none', async () => {
    const config = { ...processed, innerInstructions: true };
    expect(
      await rpc.call('simulateTransaction', signBase64Transaction(rpc.bank, [ALICE], [give()]), config),
    ).toMatchObject({
      value: { innerInstructions: [] },
    });
  });

  it.each([
    ['accounts in base58', { accounts: { addresses: [], encoding: 'base58' } }],
    ['more accounts than the transaction has', { accounts: { addresses: new Array(4).fill(BOB.address) } }],
    ['accounts without addresses', { accounts: {} }],
    ['an address that is none', { accounts: { addresses: ['x'] } }],
  ])('refuses %s', async (_, config) => {
    const wire = signBase64Transaction(rpc.bank, [ALICE], [give()]);
    expect(await rpc.refuse('simulateTransaction', wire, { ...processed, ...config })).toMatchObject({
      code: -32602,
    });
  });

  const processed = { encoding: 'base64', commitment: 'processed' };
});

/** Returns a transfer that differs from all earlier ones. */
const give = () => transferLamports(ALICE.address, BOB.address, amount++);
const tooMuch = () => transferLamports(ALICE.address, BOB.address, 1_000n * SOL + amount++);
const blockhashOf = () => rpc.bank.latestBlockhash('processed').value.bytes;

const balanceOf = (address: string) =>
  rpc.bank.getAccount(address as typeof ALICE.address, 'processed')?.lamports;
