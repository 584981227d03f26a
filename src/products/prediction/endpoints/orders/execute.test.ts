import { describe, expect, it } from 'vitest';
import { JUPUSD_MINT } from '../../../../protocols/jupiter-prediction/prediction-program.ts';
import { createKeypairFromSeed } from '../../../../solana/keypair.ts';
import { signTransaction, parseTransaction } from '../../../../solana/messages/transaction.ts';
import { openForEach } from '../../../../testing/opened.ts';
import {
  createTestPredictionPosition,
  createTestPredictionResult,
} from '../../../../testing/predictions/test-prediction-accounts.ts';
import { DESK_TIME, TestPredictionDesk } from '../../../../testing/products/prediction-desk.ts';

const desk = openForEach(() => TestPredictionDesk.open(), 'close');

/** Makes a purchase from JupUSD, and returns the answer. */
async function build() {
  desk.giveJupUsd(desk.owner, 7_000_000n);
  const { status, json } = await desk.buy({ depositMint: JUPUSD_MINT, depositAmount: 6_000_000 });
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(json)}`);
  return json;
}

describe('POST execute', () => {
  it('lands an order with the bytes of its build and the signature of its owner', async () => {
    const { transaction, order, execution } = await build();
    const body = { signedTransaction: desk.sign(transaction), context: execution.context, requestId: 'mine' };
    const { status, json } = await desk.post('execute', body);
    expect({ status, json }).toEqual({
      status: 200,
      json: { status: 'Success', signature: expect.any(String), error: null, requestId: 'mine' },
    });
    expect(desk.accounts.findOrder(order.orderPubkey)).toMatchObject({
      owner: desk.owner,
      position: order.positionPubkey,
      contracts: 14_200_000n,
      limitPrice: 400_000n,
      isLimit: false,
      status: 'pending',
    });
  });

  it('answers the same again, and lands it once', async () => {
    const { transaction } = await build();
    const body = { signedTransaction: desk.sign(transaction) };
    const first = await desk.post('orders/execute', body);
    const again = await desk.post('api/v1/execute', body);
    expect(again.json.signature).toBe(first.json.signature);
    expect(desk.wallets.market.chain.sent).toBe(1);
  });

  it('refuses what this service has not signed, and what its owner has not', async () => {
    const { transaction } = await build();
    expect((await desk.post('execute', { signedTransaction: transaction })).json).toMatchObject({
      code: 'execute_failed',
      message: `signedTransaction lacks a valid signature of ${desk.owner}`,
    });
    const { messageBytes } = parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
    const forged = Buffer.from(signTransaction(messageBytes, [desk.wallets.wallet])).toString('base64');
    expect((await desk.post('execute', { signedTransaction: forged })).json).toMatchObject({
      code: 'execute_failed',
      message: expect.stringContaining('lacks a valid signature of'),
    });
    expect((await desk.post('execute', { signedTransaction: 'AAAA' })).status).toBe(400);
    expect((await desk.post('execute', {})).json).toMatchObject({
      code: 'invalid_type',
      param: 'signedTransaction',
    });
    expect(desk.wallets.market.chain.sent).toBe(0);
  });

  it('says why an order fails, and does not send it', async () => {
    const { transaction } = await build();
    desk.giveJupUsd(desk.owner, 1n);
    const { status, json } = await desk.post('execute', { signedTransaction: desk.sign(transaction) });
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: 'Failed', error: expect.stringContaining('was not sent') });
  });
});

describe('a claim', () => {
  function putWin() {
    const market = desk.events.get('POLY-1')?.markets[0];
    if (market === undefined) throw new Error('there is no market');
    const { marketIdHash } = market;
    const change = { owner: desk.owner, payer: desk.owner, marketIdHash, openedAt: BigInt(DESK_TIME - 100) };
    const position = desk.putAccount(createTestPredictionPosition(change));
    return { position, marketIdHash };
  }

  it('waits for the result', async () => {
    const { position } = putWin();
    expect((await desk.post(`positions/${position}/claim`, { ownerPubkey: desk.owner })).json).toMatchObject({
      code: 'claim_position_failed',
      message: 'Market not settled yet',
    });
  });

  it('is made for its owner alone', async () => {
    const { position, marketIdHash } = putWin();
    desk.putAccount(createTestPredictionResult({ marketIdHash, settlementTime: BigInt(DESK_TIME) }));
    const { json } = await desk.post(`positions/${position}/claim`, { ownerPubkey: desk.owner });
    expect(json).toMatchObject({
      requiredSigners: [desk.owner],
      blockhash: json.txMeta.blockhash,
      position: { positionPubkey: position, contracts: '10', payoutAmountUsd: '10000000' },
    });
    const stranger = createKeypairFromSeed(new Uint8Array(32).fill(77)).address;
    expect(await desk.post(`positions/${position}/claim`, { ownerPubkey: stranger })).toMatchObject({
      status: 403,
      json: { type: 'permission_error', code: 'position_of_another', param: 'ownerPubkey' },
    });
  });

  it('of a lost position is refused, and left out when all positions are closed', async () => {
    const { position, marketIdHash } = putWin();
    desk.putAccount(
      createTestPredictionResult({ marketIdHash, outcome: 0, settlementTime: BigInt(DESK_TIME) }),
    );
    expect((await desk.post(`positions/${position}/claim`, { ownerPubkey: desk.owner })).json).toMatchObject({
      message: 'The position has won nothing',
    });
    expect((await desk.delete('positions', { ownerPubkey: desk.owner })).json).toEqual({ data: [] });
  });
});

describe('DELETE positions', () => {
  it('has a sale for each position, with the slippage that is asked for', async () => {
    const market = desk.events.get('POLY-1')?.markets[0];
    const change = { owner: desk.owner, payer: desk.owner, marketIdHash: market?.marketIdHash as string };
    const position = desk.putAccount(createTestPredictionPosition(change));
    const one = await desk.delete(`positions/${position}`, { ownerPubkey: desk.owner });
    expect(one.json.order).toMatchObject({
      newContractsMicro: '0',
      maxSlippageBps: 2_500,
      minSellPriceUsd: '293000',
    });
    const { json } = await desk.delete('positions', {
      ownerPubkey: desk.owner,
      minSellPriceSlippageBps: 200,
    });
    expect(json.data).toHaveLength(1);
    expect(json.data[0].order).toMatchObject({
      positionPubkey: position,
      minSellPriceUsd: '383000',
      isBuy: false,
    });
    expect('position' in json.data[0]).toBe(false);
  });
});
