import * as kit from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { describe, expect, it, vi } from 'vitest';
import { ALICE } from '../../src/testing/chain/bank.ts';
import { KEY, openLandingWorld, rpcRequest, TIP, TIP_ACCOUNT, tipFrom } from './world.ts';
import { openForAll } from '../../src/testing/opened.ts';

const world = openForAll(openLandingWorld, 'close');

describe.each(['url', 'landingUrl'] as const)('@solana/web3.js 1.x at %s', (place) => {
  it('lands a legacy transaction with a tip', async () => {
    // Equal transactions at both places would be one.
    const lamports = place === 'url' ? TIP : TIP + 5n;
    const before = await world.lamports(TIP_ACCOUNT);
    const { blockhash, lastValidBlockHeight } = await network().getLatestBlockhash();
    const transaction = new Transaction({ feePayer: alice.publicKey, blockhash, lastValidBlockHeight }).add(
      tip(lamports),
    );
    transaction.sign(alice);
    const options = { skipPreflight: true, maxRetries: 0 };
    const signature = await landing().sendRawTransaction(transaction.serialize(), options);
    await confirmed(signature);
    expect((await world.lamports(TIP_ACCOUNT)) - before).toBe(lamports);
  });

  it('lands a transaction of version 0 without options', async () => {
    const { blockhash } = await network().getLatestBlockhash();
    const message = new TransactionMessage({
      payerKey: alice.publicKey,
      recentBlockhash: blockhash,
      instructions: [tip(place === 'url' ? TIP + 1n : TIP + 3n)],
    }).compileToV0Message();
    const transaction = new VersionedTransaction(message);
    transaction.sign([alice]);
    await confirmed(await landing().sendTransaction(transaction));
  });

  it('is refused with the public code without a tip', async () => {
    const { blockhash, lastValidBlockHeight } = await network().getLatestBlockhash();
    const transaction = new Transaction({ feePayer: alice.publicKey, blockhash, lastValidBlockHeight }).add(
      SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: alice.publicKey, lamports: TIP }),
    );
    transaction.sign(alice);
    await expect(landing().sendRawTransaction(transaction.serialize())).rejects.toThrow(
      'Transaction must include a Jupiter tip instruction',
    );
  });

  const alice = Keypair.fromSecretKey(ALICE.secretKey);
  const tip = (lamports = TIP) =>
    SystemProgram.transfer({
      fromPubkey: alice.publicKey,
      toPubkey: new PublicKey(TIP_ACCOUNT),
      lamports,
    });
  const landing = () => new Connection(endpoint(place), 'confirmed');
  const network = () => new Connection(world.chain.rpcUrl, 'confirmed');
});

describe.each(['url', 'landingUrl'] as const)('@solana/kit at %s', (place) => {
  it('lands a transaction with a tip', async () => {
    const transaction = await signedTip(place === 'url' ? TIP + 2n : TIP + 4n);
    const wire = kit.getBase64EncodedWireTransaction(transaction);
    const signature = await landing().sendTransaction(wire, config).send();
    expect(signature).toBe(kit.getSignatureFromTransaction(transaction));
    await confirmed(signature);
  });

  it('is refused with too small a tip', async () => {
    const transaction = await signedTip(TIP - 1n);
    const wire = kit.getBase64EncodedWireTransaction(transaction);
    // Kit has texts for the codes of Solana alone, and throws an error of its own for every other code.
    await expect(landing().sendTransaction(wire, config).send()).rejects.toThrow();
    expect(await world.chain.signatureStatuses([kit.getSignatureFromTransaction(transaction)])).toEqual([
      null,
    ]);
  });

  it('is told that other methods are not served', async () => {
    await expect(landing().getLatestBlockhash().send()).rejects.toMatchObject({
      context: { __code: -32_601 },
    });
  });

  async function signedTip(lamports: bigint) {
    const payer = await kit.createKeyPairSignerFromBytes(ALICE.secretKey);
    const rpc = kit.createSolanaRpc(world.chain.rpcUrl);
    const { value: blockhash } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const message = kit.pipe(
      kit.createTransactionMessage({ version: 0 }),
      (each) => kit.setTransactionMessageFeePayerSigner(payer, each),
      (each) => kit.setTransactionMessageLifetimeUsingBlockhash(blockhash, each),
      (each) =>
        kit.appendTransactionMessageInstruction(
          getTransferSolInstruction({
            source: payer,
            destination: kit.address(TIP_ACCOUNT),
            amount: kit.lamports(lamports),
          }),
          each,
        ),
    );
    return kit.signTransactionMessageWithSigners(message);
  }

  const landing = () => kit.createSolanaRpc(endpoint(place));
  const config = { encoding: 'base64', skipPreflight: true, maxRetries: 0n } as const;
});

describe('the report about a transaction', () => {
  it('tells when it was seen, to the organisation that submitted it', async () => {
    const wire = world.sign([tipFrom(ALICE, TIP + 6n)]);
    const key = { 'x-api-key': KEY };
    const { json, headers } = await world.post('/tx/v1', rpcRequest(wire), key);
    const signature = String(json.result);
    await vi.waitFor(
      async () => expect((await reportOf(signature, key)).body.outcome).toBe('confirmed'),
      WAIT,
    );
    const { body } = await reportOf(signature, key);
    expect(body).toMatchObject({
      signature,
      error: null,
      requestId: headers.get('x-api-gateway-request-id'),
    });
    const times = ['acceptedAt', 'forwardedAt', 'seenAt', 'confirmedAt', 'endedAt'].map((name) =>
      Number(body[name]),
    );
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(times[0]).toBeGreaterThan(0);
    const [status] = await world.chain.signatureStatuses([signature]);
    expect(body.slot).toBe(String(status?.slot));
  });

  it('is not shown to others before they submit the transaction too', async () => {
    const wire = world.sign([tipFrom(ALICE, TIP + 7n)]);
    const { json } = await world.post('/tx/v1', rpcRequest(wire), { 'x-api-key': KEY });
    const signature = String(json.result);
    expect(await reportOf(signature)).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('was submitted without a key') },
    });
    await vi.waitFor(
      async () => expect((await reportOf(signature, { 'x-api-key': KEY })).body.outcome).toBe('confirmed'),
      WAIT,
    );
    await world.post('/tx/v1', rpcRequest(wire));
    const { status, body } = await reportOf(signature);
    expect(status).toBe(200);
    // Nothing of the other report, except what the chain shows to everybody.
    const { acceptedAt } = body;
    expect(body).toMatchObject({ outcome: 'confirmed', forwardedAt: null, sends: 0, firstSeenBy: null });
    expect(body).toMatchObject({ seenAt: acceptedAt, confirmedAt: acceptedAt, endedAt: acceptedAt });
  });

  const reportOf = async (signature: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${world.url}/tx/v1/reports/${signature}`, { headers });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
});

const WAIT = { interval: 20 };

/** The path of the REST port, or the root of the port for landing alone. */
const endpoint = (place: 'url' | 'landingUrl') => (place === 'url' ? `${world.url}/tx/v1` : world.landingUrl);

/** Waits until the network has confirmed the transaction. */
async function confirmed(signature: string): Promise<void> {
  await vi.waitFor(async () => {
    const [status] = await world.chain.signatureStatuses([signature]);
    expect(status).toMatchObject({ commitment: expect.stringMatching(/confirmed|finalized/), error: null });
  });
}
