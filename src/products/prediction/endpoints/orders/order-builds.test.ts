import { describe, expect, it } from 'vitest';
import { decodeNewPredictionOrder } from '../../../../protocols/jupiter-prediction/instructions/prediction-order-instructions.ts';
import {
  JUPUSD_MINT,
  PREDICTION_PROGRAM,
} from '../../../../protocols/jupiter-prediction/prediction-program.ts';
import { PREDICTION_TAGS } from '../../../../protocols/jupiter-prediction/instructions/prediction-instruction.ts';
import { isSignedBy, parseTransaction } from '../../../../solana/messages/transaction.ts';
import { openForEach } from '../../../../testing/opened.ts';
import { createTestPredictionPosition } from '../../../../testing/predictions/test-prediction-accounts.ts';
import { TestPredictionDesk } from '../../../../testing/products/prediction-desk.ts';

const desk = openForEach(() => TestPredictionDesk.open(), 'close');

function read(transaction: string) {
  return parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
}

/** Returns the data of the order in a transaction, whose accounts may be looked up. */
function findOrderData(transaction: string): Uint8Array {
  const { message } = read(transaction);
  const found = message.instructions.find(
    ({ programIndex }) => message.staticAccounts[programIndex] === PREDICTION_PROGRAM,
  );
  if (found === undefined) throw new Error('the transaction has no order');
  return found.data;
}

describe('POST orders', () => {
  it('makes a purchase whose owner alone has to sign', async () => {
    const { status, json } = await desk.buy();
    expect(status, JSON.stringify(json)).toBe(200);
    const transaction = read(json.transaction);
    const { staticAccounts, signers, version } = transaction.message;
    expect(version).toBe(0);
    expect(staticAccounts.slice(0, signers)).toEqual([
      desk.owner,
      desk.wallets.market.genesis.keys.predictionAuthority.address,
    ]);
    expect([isSignedBy(transaction, 0), isSignedBy(transaction, 1)]).toEqual([false, true]);
    expect(json).toMatchObject({
      requiredSigners: [desk.owner],
      isGasless: false,
      executionModel: 'keeper',
      jupiterSwapRequestId: null,
      execution: { endpoint: '/api/v1/execute', context: { type: 'create_order' } },
    });
  });

  it('asks for what 95 % of the least deposit pays for at the worst price that it meets', async () => {
    const { json } = await desk.buy();
    const { order } = json;
    const cost = BigInt(order.orderCostUsd);
    expect(cost).toBeGreaterThan(4_990_000n);
    expect(cost).toBeLessThan(5_000_000n);
    expect(order).toMatchObject({
      isBuy: true,
      isYes: true,
      marketId: 'POLY-1-a',
      contracts: '11',
      contractsMicro: '11800000',
      contractsDecimal: '11.8',
      newContractsMicro: '11800000',
      maxBuyPriceUsd: '400000',
      minSellPriceUsd: null,
      newAvgPriceUsd: '400000',
      newSizeUsd: '4720000',
      newPayoutUsd: '11800000',
      payoutUsd: '11800000',
      estimatedProtocolFeeUsd: '0',
      estimatedVenueFeeUsd: '200000',
      estimatedTotalFeeUsd: '200000',
      slippageBps: 0,
      maxSlippageBps: null,
    });
    const data = findOrderData(json.transaction);
    expect(Buffer.from(data.subarray(0, 8)).toString('hex')).toBe(PREDICTION_TAGS.createOrder);
  });

  it('needs no route for a deposit of JupUSD, of which everything arrives', async () => {
    desk.giveJupUsd(desk.owner, 7_000_000n);
    const { json } = await desk.buy({ depositMint: JUPUSD_MINT, depositAmount: 6_000_000 });
    expect(json.order).toMatchObject({ orderCostUsd: '6000000', contractsMicro: '14200000' });
    const { message } = read(json.transaction);
    const order = message.instructions.at(-1);
    const accounts = [...(order?.accounts ?? [])].map((index) => message.staticAccounts[index]);
    expect(accounts.slice(1, 3)).toEqual([
      desk.owner,
      desk.wallets.market.genesis.keys.predictionAuthority.address,
    ]);
    expect(
      decodeNewPredictionOrder({
        programAddress: PREDICTION_PROGRAM,
        accounts: [],
        data: order?.data as Uint8Array,
      }),
    ).toBeNull();
  });

  it('waits for a price that the request names', async () => {
    const { json } = await desk.buy({ maxBuyPriceUsd: '250000' });
    expect(json.order).toMatchObject({ maxBuyPriceUsd: '250000', contractsDecimal: '18.9' });
  });

  it.each([
    [{ depositAmount: '4999999' }, 400, 'create_order_failed', 'Minimum order is $5'],
    [{ marketId: 'POLY-9' }, 404, 'market_not_found', 'there is no market "POLY-9"'],
    [
      { maxBuyPriceUsd: 1_500 },
      400,
      'create_order_failed',
      'maxBuyPriceUsd must be a multiple of 1000 from 1000 to 999000, got 1500',
    ],
    [
      { ownerPubkey: 'x' },
      400,
      'invalid_type',
      'ownerPubkey must be an address: 32 bytes in base58, got "x"',
    ],
    [{ owner: JUPUSD_MINT }, 400, 'invalid_type', 'owner is another wallet than ownerPubkey'],
    [
      { minSellPriceUsd: 500_000 },
      400,
      'invalid_type',
      'minSellPriceUsd limits a sale; a purchase has maxBuyPriceUsd',
    ],
    [
      { isBuy: false, maxBuyPriceUsd: 500_000 },
      400,
      'invalid_type',
      'maxBuyPriceUsd limits a purchase; a sale has minSellPriceUsd',
    ],
    [{ isBuy: undefined }, 400, 'invalid_type', 'body field isBuy is missing'],
    [
      { depositAmount: '9000000000000' },
      400,
      'INSUFFICIENT_FUNDS',
      expect.stringContaining('Insufficient funds'),
    ],
  ])('refuses %j with %s %s', async (change, status, code, message) => {
    expect(await desk.buy(change)).toEqual({
      status,
      json: {
        type: 'invalid_request_error',
        code,
        message,
        request_id: expect.any(String),
        param: expect.any(String),
      },
    });
  });

  it('refuses while nobody offers, and where the market takes no orders', async () => {
    desk.prices = { buyYes: null, buyNo: null, sellYes: null, sellNo: null };
    expect((await desk.buy()).json).toMatchObject({ code: 'no_shares_available' });
    desk.prices = null;
    expect((await desk.buy()).json).toMatchObject({ code: 'MARKET_NOT_OPEN' });
    desk.wallets.market.network.setUnixTime(1_900_000_000n);
    expect((await desk.buy()).json).toMatchObject({ code: 'MARKET_CLOSED' });
  });

  it('sells a part of a position in any of three forms', async () => {
    const position = putPosition();
    const sell = async (change: object) =>
      (
        await desk.post('orders', {
          userPubkey: desk.owner,
          positionPubkey: position,
          isBuy: false,
          ...change,
        })
      ).json;
    for (const change of [{ contractsMicro: '2500000' }, { contractsDecimal: 2.5 }, { contracts: 2 }]) {
      const { order } = await sell(change);
      expect(order).toMatchObject({
        isBuy: false,
        orderCostUsd: '0',
        maxBuyPriceUsd: null,
        minSellPriceUsd: '293000',
      });
      expect(BigInt(order.newContractsMicro) + BigInt(order.contractsMicro)).toBe(10_000_000n);
    }
    expect(await sell({ contractsMicro: 1, contracts: 1 })).toMatchObject({
      code: 'invalid_type',
      param: 'contracts',
    });
    expect(await sell({ contracts: 11 })).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    expect(await sell({ contractsMicro: 2_500_001 })).toMatchObject({ code: 'create_order_failed' });
    expect(await sell({ contracts: 0 })).toMatchObject({
      code: 'create_order_failed',
      message: 'a sale must have more than 0 contracts',
    });
    expect(await sell({ contractsMicro: '99999999999999999999' })).toMatchObject({
      code: 'invalid_type',
      message:
        'contractsMicro must be a whole number from 0 to 18446744073709551615, got "99999999999999999999"',
    });
  });
});

describe('a wallet without SOL', () => {
  it('has its order paid by the sponsor, which has signed already and counts the cost', async () => {
    const { network, genesis } = desk.wallets.market;
    const owner = desk.owner;
    const account = network.account(owner);
    if (account === null) throw new Error('the wallet has no account');
    network.setAccount(owner, { ...account, lamports: 1_000_000n });
    const { json } = await desk.buy();
    expect(json, JSON.stringify(json)).toMatchObject({ isGasless: true, requiredSigners: [owner] });
    const transaction = read(json.transaction);
    const { staticAccounts, signers } = transaction.message;
    expect(staticAccounts.slice(0, signers)).toEqual([
      genesis.keys.sponsor.address,
      owner,
      genesis.keys.predictionAuthority.address,
    ]);
    expect([0, 1, 2].map((index) => isSignedBy(transaction, index))).toEqual([true, false, true]);
    expect(desk.spent).toEqual([{ owner, lamports: expect.any(BigInt) }]);
    expect(desk.spent[0]?.lamports).toBeGreaterThan(8_000_000n);
  });

  it('costs the sponsor nothing when the order cannot be made', async () => {
    const { network } = desk.wallets.market;
    const account = network.account(desk.owner);
    if (account === null) throw new Error('the wallet has no account');
    network.setAccount(desk.owner, { ...account, lamports: 1_000_000n });
    desk.prices = { buyYes: null, buyNo: null, sellYes: null, sellNo: null };
    expect((await desk.buy()).json).toMatchObject({ code: 'no_shares_available' });
    expect(desk.spent.reduce((sum, { lamports }) => sum + lamports, 0n)).toBe(0n);
  });
});

function putPosition() {
  const market = desk.events.get('POLY-1')?.markets[0];
  if (market === undefined) throw new Error('there is no market');
  return desk.putAccount(
    createTestPredictionPosition({ owner: desk.owner, payer: desk.owner, marketIdHash: market.marketIdHash }),
  );
}
