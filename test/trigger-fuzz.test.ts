import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeOut } from '../src/testing/documented.ts';
import { fuzzOperations } from '../src/testing/fuzzed-answers.ts';
import { FuzzedRequests, listCalls } from '../src/testing/fuzzed-requests.ts';
import { openForAll } from '../src/testing/opened.ts';
import { LimitOrderDesk } from '../src/testing/products/limit-order-desk.ts';
import * as gateways from '../src/testing/products/trigger-gateway.ts';
import { assertProperty } from '../src/testing/random.ts';
import { encodeBase58 } from '../src/solana/encoding/base58.ts';
import { signWith } from '../src/solana/keypair.ts';
import { encodeUnsigned } from '../src/solana/messages/transaction.ts';
import { WRAPPED_SOL_MINT } from '../src/solana/program-addresses.ts';
import { OrderHistory } from '../src/waiting-orders/store/order-history.ts';
import { OrderDesk, signBase64, USDC } from '../src/testing/waiting-orders/order-desk.ts';

let requests: FuzzedRequests;
const test = openForAll(openGateway, 'close');
const document = openForAll(async () => writeOut((await test.app.inject('/openapi.json')).json()));
beforeAll(setUp);

describe('every operation for wallets', () => {
  it('answers as documented, for any request with a token', async () => {
    const authorization = await gateways.authorizeWallet(test.desk.wallet.address);
    const answered = await fuzzOperations(calls(), {
      ...{ app: test.app, document, headers: { authorization }, suite: SUITE },
      requestFor: (call) => requests.requestFor(call),
    });
    expect(answered).toEqual(expect.arrayContaining(ANSWERED));
  });

  it('answers nobody without a token, whatever is asked', async () => {
    for (const call of calls().filter(({ operation }) => operation.security !== undefined)) {
      const property = fc.asyncProperty(
        requests.requestFor(call),
        fc.constantFrom(
          '',
          'Bearer',
          'Bearer a.b.c',
          `Bearer ${'a'.repeat(20)}.${'b'.repeat(20)}.${'c'.repeat(43)}`,
        ),
        async ({ url, body }, authorization) => {
          const answer = await test.app.inject({
            method: call.method.toUpperCase() as 'GET',
            url,
            headers: { authorization },
            ...(body === undefined
              ? {}
              : {
                  payload: JSON.stringify(body),
                  headers: { authorization, 'content-type': 'application/json' },
                }),
          });
          // A path without the id in it is another one, and a body may be nested too deeply before anything else is looked at.
          expect([401, 404, 400], answer.body).toContain(answer.statusCode);
          if (answer.statusCode === 401) expect(answer.body).toBe('{"error":"Unauthorized"}');
          else expect(answer.body).not.toMatch(/vaultPubkey|"id"|transaction":/);
        },
      );
      await assertProperty(property, { ...SUITE, short: 10 });
    }
  });

  const calls = () => listCalls(document).filter(({ path }) => path.startsWith('/trigger/'));
});

const SUITE = { cases: 1_000, short: 40, seed: 20_261_128 };
/** What some of so many requests succeed in. Orders need more that fits together. */
const ANSWERED = [
  'post /trigger/v2/auth/challenge',
  'post /trigger/v2/auth/verify',
  'get /trigger/v2/vault',
  'get /trigger/v2/orders/history',
  'get /trigger/v2/orders/history/{id}',
  'post /trigger/v2/orders/price/cancel/{id}',
  'post /trigger/v1/createOrder',
  'post /trigger/v1/cancelOrders',
  'get /trigger/v1/getTriggerOrders',
];

async function openGateway() {
  const desk = await OrderDesk.open();
  const { deposits, edits, withdrawals, yields, custody, store, market } = desk;
  const signIn = gateways.createTestSignIn(store);
  const history = new OrderHistory(store, market.chain.genesisHash);
  const limits = await LimitOrderDesk.open();
  const { limitOrders } = limits.services;
  const services = { signIn, vaults: custody, deposits, edits, withdrawals, yields, history, limitOrders };
  const app = await gateways.openTriggerGateway(services);
  return {
    desk,
    limits,
    app,
    signIn,
    close: async () => {
      await app.close();
      await desk.close();
      await limits.close();
    },
  };
}

/** Prepares what sensible requests name: a challenge, a deposit, an open order, and one that is cancelled. */
async function setUp(): Promise<void> {
  const { desk, limits, signIn } = test;
  const { wallet, stranger } = desk;
  const text = await signIn.createChallenge(wallet.address, 'message', { kind: 'client', id: 'a' });
  const crafted = await desk.deposits.craft(desk.depositRequest());
  const order = desk.orderRequest(crafted);
  const [open, cancelled] = [await desk.openOrder(), await desk.openOrder()];
  const withdrawal = await desk.withdrawals.cancel(wallet.address, cancelled.id, 'price');
  const plausible = {
    walletPubkey: [wallet.address],
    signature: [encodeBase58(signWith(wallet, Buffer.from(text)))],
    signedTransaction: [
      signBase64(withdrawal.messageBytes, wallet),
      Buffer.from(encodeUnsigned(withdrawal.messageBytes)).toString('base64'),
    ],
    limit: ['5'],
    offset: ['0', '1'],
    mint: [USDC],
    authMode: ['message', 'access_refresh'],
    userAddress: [wallet.address],
    userPubkey: [wallet.address],
    inputMint: [USDC],
    outputMint: [WRAPPED_SOL_MINT],
    triggerMint: [WRAPPED_SOL_MINT],
    amount: ['20000000'],
    inputAmount: ['20000000'],
    orderType: ['price', 'single'],
    orderSubType: ['single'],
    jlMint: [null],
    depositRequestId: [crafted.requestId],
    depositSignedTx: [order.depositSignedTx],
    triggerCondition: ['below'],
    triggerPriceUsd: [0.5],
    trailingBps: [null],
    slippageBps: [null, 50],
    expiresAt: [order.expiresAt],
    tpPriceUsd: [null],
    slPriceUsd: [null],
    tpSlippageBps: [null],
    slSlippageBps: [null],
    id: [open.id, cancelled.id],
    cancelRequestId: [withdrawal.requestId],
    maker: [limits.maker],
    payer: [limits.maker],
    user: [limits.maker],
    makingAmount: ['20000000', 20_000_000],
    takingAmount: ['100000000'],
    feeBps: [null, '0'],
    feeAccount: [null],
    computeUnitPrice: ['auto', '1000', null],
    orderStatus: ['active', 'history'],
    expiredAt: [null],
  };
  requests = new FuzzedRequests(plausible, ['true', '5', stranger.address, 'price', 'single', 'message']);
}
