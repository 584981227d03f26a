import {
  createKeyPairFromBytes,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
} from '@solana/kit';
import { Keypair, Transaction, VersionedTransaction } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { openForAll } from '../../../../testing/opened.ts';
import {
  authorizeWallet,
  createTestSignIn,
  openTriggerGateway,
} from '../../../../testing/products/trigger-gateway.ts';
import { OrderDesk, signBase64, USDC } from '../../../../testing/waiting-orders/order-desk.ts';
import type { Address } from '../../../../solana/address.ts';
import { parseTransaction } from '../../../../solana/messages/transaction.ts';
import { WRAPPED_SOL_MINT } from '../../../../solana/program-addresses.ts';

const test = openForAll(openGateway, 'close');

describe('an order over HTTP', () => {
  it('is crafted, created, cancelled and withdrawn with the fields of the public service', async () => {
    const crafted = await craft({});
    expect(crafted).toEqual([
      200,
      {
        transaction: expect.any(String),
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        receiverAddress: await test.desk.custody.findVault(wallet()),
        mint: USDC,
        amount: '20000000',
        tokenDecimals: 6,
        inputTokenAccount: expect.any(String),
      },
    ]);
    const [, deposit] = crafted;
    const { signatures, message } = read(deposit.transaction);
    expect(signatures.every((signature) => signature.every((byte) => byte === 0))).toBe(true);
    expect(message).toMatchObject({ version: 'legacy', signers: 3 });
    const order = orderFor(deposit);
    const [status, created] = await create(order);
    expect([status, created]).toEqual([
      200,
      { id: expect.any(String), txSignature: expect.any(String), depositConfirmed: true },
    ]);
    expect(await create(order)).toEqual([
      200,
      { ...created, message: 'The order was created before, and is open' },
    ]);
    const [, cancelled] = await post(`/orders/price/cancel/${created.id}`);
    expect(cancelled).toEqual({
      id: created.id,
      transaction: expect.any(String),
      requestId: expect.any(String),
    });
    const confirmation = {
      signedTransaction: sign(cancelled.transaction),
      cancelRequestId: cancelled.requestId,
    };
    const confirmed = await post(`/orders/price/confirm-cancel/${created.id}`, confirmation);
    expect(confirmed).toEqual([200, { id: created.id, txSignature: expect.any(String) }]);
    expect(await post(`/orders/price/confirm-cancel/${created.id}`, confirmation)).toEqual(confirmed);
  });

  it.each<[string, (base64: string) => Uint8Array | Promise<Uint8Array>]>([
    ['a versioned transaction of web3.js', signVersioned],
    ['a legacy transaction of web3.js', signLegacy],
    ['kit', signWithKit],
  ])('is signed by %s, for its wallet alone', async (_, signWith) => {
    const [, deposit] = await craft({});
    const depositSignedTx = Buffer.from(await signWith(deposit.transaction)).toString('base64');
    const [status, created] = await create({ ...orderFor(deposit), depositSignedTx });
    expect([status, created.depositConfirmed]).toEqual([200, true]);
    const [, cancelled] = await post(`/orders/price/cancel/${created.id}`);
    const [confirmed] = await post(`/orders/price/confirm-cancel/${created.id}`, {
      signedTransaction: Buffer.from(await signWith(cancelled.transaction)).toString('base64'),
      cancelRequestId: cancelled.requestId,
    });
    expect(confirmed).toBe(200);
  });

  it.each<[string, Record<string, string>, string | undefined]>([
    ['nothing', {}, undefined],
    ['nothing of the type JSON', { 'content-type': 'application/json' }, undefined],
    ['nothing of another type', { 'content-type': 'application/x-www-form-urlencoded' }, undefined],
    ['an empty object', { 'content-type': 'application/json' }, '{}'],
  ])('is cancelled by a request that sends %s, on both paths', async (_, headers, payload) => {
    const { id } = await test.desk.openOrder();
    for (const url of [`/trigger/v2/orders/price/cancel/${id}`, `/trigger/v2/orders/price/${id}/cancel`]) {
      const authorization = await authorizeWallet(wallet());
      const answer = await test.app.inject({
        method: 'POST',
        url,
        headers: { ...headers, authorization },
        ...(payload === undefined ? {} : { payload }),
      });
      expect([answer.statusCode, answer.json().id]).toEqual([200, id]);
    }
  });

  it.each<[Record<string, unknown>, number, string, Record<string, string>?]>([
    [
      { orderType: 'dca' },
      400,
      "orderSubType must be omitted when orderType is 'dca'",
      { orderSubType: "orderSubType must be omitted when orderType is 'dca'" },
    ],
    [
      { orderSubType: undefined },
      400,
      "orderSubType is required when orderType is 'price': 'single', 'oco' or 'otoco'",
    ],
    [{ jlMint: USDC }, 400, "jlMint must be omitted when orderType is 'price'"],
    [{ amount: '80000' }, 400, 'Order must be at least 10 USD (current value: 0.08 USD)'],
    [{ userAddress: WRAPPED_SOL_MINT }, 403, 'Forbidden: userPubkey must match authenticated user'],
    [
      { amount: '-1' },
      400,
      'Request validation failed',
      { amount: 'Invalid input: expected a whole number from 1 to 18446744073709551615 as text' },
    ],
    [
      { amount: 20_000_000 },
      400,
      'Request validation failed',
      { amount: 'Invalid input: expected string, received number' },
    ],
    [
      { inputMint: 'USDC' },
      400,
      'Request validation failed',
      { inputMint: 'Invalid input: expected 32 bytes in base58' },
    ],
    [{ inputMint: undefined }, 400, 'Request validation failed', { inputMint: expect.any(String) as never }],
  ])('is not crafted with %o', async (changes, status, error, details) => {
    const [answered, body] = await craft(changes);
    expect([answered, body.error]).toEqual([status, error]);
    if (details !== undefined) expect(body.details).toEqual(details);
  });

  it.each<[Record<string, unknown>, number, string]>([
    [
      { orderType: 'oco' },
      400,
      "orderType does not match the deposit: it was crafted for orderSubType 'single', got orderSubType 'oco'. Please craft a new deposit.",
    ],
    [{ tpPriceUsd: 1 }, 400, "tpPriceUsd must be omitted when orderType is 'single'"],
    [
      { triggerPriceUsd: undefined, trailingBps: 500 },
      400,
      `triggerMint of a trailing order must be inputMint when triggerCondition is 'below', got ${WRAPPED_SOL_MINT}`,
    ],
    [{ trailingBps: 500 }, 400, 'exactly one of triggerPriceUsd or trailingBps must be set'],
    [{ triggerMint: USDC }, 400, 'Trigger mint is not supported'],
    [{ triggerPriceUsd: '0.5' }, 400, 'Request validation failed'],
    [{ triggerCondition: undefined }, 400, 'Request validation failed'],
    [{ userPubkey: USDC }, 403, 'Forbidden: userPubkey must match authenticated user'],
    [
      { depositRequestId: 'unknown' },
      400,
      'Deposit transaction not found in cache. Please craft a new deposit first.',
    ],
    [
      { depositSignedTx: 'AAAA' },
      400,
      'Invalid transaction format: the message ends within the header: 2 bytes, 3 needed',
    ],
    [
      { inputAmount: '20000001' },
      400,
      'inputAmount does not match the deposit: it was crafted with 20000000, got 20000001',
    ],
  ])('is not created with %o, which leaves the deposit unused', async (changes, status, error) => {
    const [, deposit] = await craft({});
    const order = orderFor(deposit);
    const [answered, body] = await create({ ...order, ...changes });
    expect([answered, body.error]).toEqual([status, error]);
    expect(await test.desk.orders.getCraft(deposit.requestId)).not.toBeNull();
  });

  it('is not given to a thief of the token: the money moves with the signature of the wallet only', async () => {
    const [, deposit] = await craft({});
    const { stranger } = test.desk;
    const { messageBytes } = read(deposit.transaction);
    const forged = Buffer.from(deposit.transaction, 'base64');
    const signed = Buffer.from(signBase64(messageBytes, test.desk.wallet), 'base64');
    forged.set(signed.subarray(1, 65), 1);
    forged[1] = (forged[1] ?? 0) ^ 1;
    for (const depositSignedTx of [deposit.transaction, forged.toString('base64')]) {
      const [status, body] = await create({ ...orderFor(deposit), depositSignedTx });
      expect([status, body.error]).toEqual([400, expect.stringMatching(/^Invalid deposit transaction: /)]);
    }
    const [, created] = await create(orderFor(deposit));
    const [, cancelled] = await post(`/orders/price/cancel/${created.id}`);
    const [status, body] = await post(`/orders/price/confirm-cancel/${created.id}`, {
      signedTransaction: cancelled.transaction,
      cancelRequestId: cancelled.requestId,
    });
    expect([status, body.error]).toEqual([
      400,
      `Invalid withdrawal transaction: it lacks the signature of ${wallet()}`,
    ]);
    const [other, refusal] = await post(`/orders/price/cancel/${created.id}`, undefined, stranger.address);
    expect([other, refusal.error]).toEqual([403, 'Forbidden: the order belongs to a different wallet']);
    expect((await post('/orders/price/cancel/unknown'))[0]).toBe(404);
  });
});

async function openGateway() {
  const desk = await OrderDesk.open();
  const { deposits, edits, withdrawals, custody, store } = desk;
  const app = await openTriggerGateway({
    signIn: createTestSignIn(store),
    vaults: custody,
    deposits,
    edits,
    withdrawals,
  });
  return {
    desk,
    app,
    close: async () => {
      await app.close();
      await desk.close();
    },
  };
}

const wallet = () => test.desk.wallet.address;

async function post(path: string, body?: object, as: Address = wallet()) {
  const answer = await test.app.inject({
    method: 'POST',
    url: `/trigger/v2${path}`,
    headers: { authorization: await authorizeWallet(as) },
    ...(body === undefined ? {} : { payload: body }),
  });
  return [answer.statusCode, answer.json()] as const;
}

const create = (order: object) => post('/orders/price', order);

function craft(changes: Record<string, unknown>) {
  return post('/deposit/craft', {
    inputMint: USDC,
    outputMint: WRAPPED_SOL_MINT,
    userAddress: wallet(),
    amount: '20000000',
    orderType: 'price',
    orderSubType: 'single',
    ...changes,
  });
}

function orderFor({
  requestId,
  transaction,
  amount,
}: {
  requestId: string;
  transaction: string;
  amount: string;
}) {
  return {
    orderType: 'single',
    depositRequestId: requestId,
    depositSignedTx: sign(transaction),
    userPubkey: wallet(),
    inputMint: USDC,
    inputAmount: amount,
    outputMint: WRAPPED_SOL_MINT,
    triggerMint: WRAPPED_SOL_MINT,
    triggerCondition: 'below',
    triggerPriceUsd: 0.5,
    expiresAt: 4_102_444_800_000,
  };
}

const read = (base64: string) => parseTransaction(Buffer.from(base64, 'base64'));
const sign = (base64: string) => signBase64(read(base64).messageBytes, test.desk.wallet);

function signVersioned(base64: string): Uint8Array {
  const transaction = VersionedTransaction.deserialize(Buffer.from(base64, 'base64'));
  transaction.sign([Keypair.fromSecretKey(test.desk.wallet.secretKey)]);
  return transaction.serialize();
}

function signLegacy(base64: string): Uint8Array {
  const transaction = Transaction.from(Buffer.from(base64, 'base64'));
  transaction.partialSign(Keypair.fromSecretKey(test.desk.wallet.secretKey));
  return transaction.serialize({ requireAllSignatures: false });
}

async function signWithKit(base64: string): Promise<Uint8Array> {
  const transaction = getTransactionDecoder().decode(Buffer.from(base64, 'base64'));
  const pair = await createKeyPairFromBytes(test.desk.wallet.secretKey);
  const signed = await partiallySignTransaction([pair], transaction);
  return new Uint8Array(getTransactionEncoder().encode(signed));
}
