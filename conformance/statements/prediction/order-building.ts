import { type Answer, difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { associatedAccount, JUPUSD } from '../mints.ts';
import { decodeTransaction } from '../transactions.ts';
import * as kit from '@solana/kit';
import {
  askPrediction,
  buildPurchase,
  createEvent,
  createMarket,
  createTrader,
  findAbsent,
  purchase,
  resolveMarket,
} from './prediction-requests.ts';

// The transactions of purchases and sales, and what is refused.

const PROGRAM = '3ZZuTbwC6aJbvteyVxXUS7gtFYdf7AuXeitx6VyvjvUp';
const CREATE_ORDER = [141, 54, 37, 207, 237, 210, 250, 215];
const HEX = /^[0-9a-f]{32}$/;
const CENT = 10_000n;
const ORDER_FIELDS = [
  ...[
    'orderPubkey',
    'orderAtaPubkey',
    'userPubkey',
    'marketId',
    'marketIdHash',
    'positionPubkey',
    'isBuy',
    'isYes',
  ],
  ...[
    'contracts',
    'contractsMicro',
    'contractsDecimal',
    'newContracts',
    'newContractsMicro',
    'newContractsDecimal',
  ],
  ...['maxBuyPriceUsd', 'minSellPriceUsd', 'externalOrderId', 'orderCostUsd', 'newAvgPriceUsd', 'newSizeUsd'],
  ...[
    'newPayoutUsd',
    'payoutUsd',
    'estimatedProtocolFeeUsd',
    'estimatedVenueFeeUsd',
    'estimatedIntegratorFeeUsd',
  ],
  ...['estimatedTotalFeeUsd', 'slippageBps', 'maxSlippageBps'],
];

/** Returns the instruction of an order whose accounts are not looked up, and their addresses. */
function findOrderInstruction(base64: string) {
  const { messageBytes } = decodeTransaction(base64).transaction;
  const message = kit.getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version === 1) throw new Error('messages of version 1 are not sent');
  const { staticAccounts } = message;
  const found = message.instructions.find((each) => staticAccounts[each.programAddressIndex] === PROGRAM);
  const accounts = (found?.accountIndices ?? []).map((index) => staticAccounts[index]);
  return { data: [...(found?.data ?? [])], accounts, staticAccounts };
}

/** Derives an account of the program. */
async function derive(...seeds: readonly (string | Uint8Array)[]): Promise<string> {
  const [account] = await kit.getProgramDerivedAddress({
    programAddress: kit.address(PROGRAM),
    seeds: [...seeds],
  });
  return account;
}

function refused(code: string, message: string) {
  return { status: 400, body: { type: 'invalid_request_error', code, message } };
}

export const predictionOrderStatements: readonly Statement[] = [
  {
    id: 'prediction/order-fields',
    says: 'A build has every field of the published schema, with null where there is no value; `executionModel` is `keeper`, and `jupiterSwapRequestId` null.',
    check: async (world) => {
      const trader = await createTrader(world);
      const { json } = await buildPurchase(world, trader.address, await createMarket(world));
      const absent = findAbsent(json.order, ORDER_FIELDS);
      const { order } = json;
      return firstOf(
        unless(absent.length === 0, absent),
        unless(
          json.executionModel === 'keeper' &&
            json.settlement === 'claim' &&
            json.jupiterSwapRequestId === null,
          json,
        ),
        unless(
          order.maxSlippageBps === null &&
            order.estimatedProtocolFeeUsd === '0' &&
            order.estimatedIntegratorFeeUsd === '0',
          order,
        ),
        unless(
          order.contracts === String(BigInt(order.contractsMicro) / 1_000_000n) &&
            Number(order.contractsDecimal) * 1_000_000 === Number(order.contractsMicro),
          order,
        ),
        unless(
          order.payoutUsd === order.contractsMicro && order.newPayoutUsd === order.newContractsMicro,
          order,
        ),
      );
    },
  },
  {
    id: 'prediction/deposit-forms',
    says: '`depositAmount` may be a text or a number, and `skipSigning` changes nothing.',
    check: async (world) => {
      const trader = await createTrader(world);
      const marketId = await createMarket(world);
      const change = { depositMint: JUPUSD, skipSigning: true };
      const text = await buildPurchase(world, trader.address, marketId, {
        ...change,
        depositAmount: '6000000',
      });
      const number = await buildPurchase(world, trader.address, marketId, {
        ...change,
        depositAmount: 6_000_000,
      });
      const [one, other] = [text.json?.order, number.json?.order];
      return firstOf(
        difference(text, { status: 200 }),
        difference(number, { status: 200 }),
        unless(one.contractsMicro === other.contractsMicro && one.orderCostUsd === '6000000', [one, other]),
      );
    },
  },
  {
    id: 'prediction/owner-names',
    says: 'The owner may be named `ownerPubkey`, `userPubkey` or `owner`, and an order may be built at `/order` too.',
    check: async (world) => {
      const trader = await createTrader(world);
      const terms = {
        marketId: await createMarket(world),
        isYes: false,
        isBuy: true,
        depositAmount: '5000000',
        depositMint: JUPUSD,
      };
      const ask = (owner: object) => askPrediction(world, '/order', 'POST', { ...terms, ...owner });
      const answers = await Promise.all(
        ['ownerPubkey', 'userPubkey', 'owner'].map((name) => ask({ [name]: trader.address })),
      );
      return firstOf(
        ...answers.map((answer) =>
          difference(answer, { status: 200, body: { requiredSigners: [trader.address] } }),
        ),
      );
    },
  },
  {
    id: 'prediction/order-program',
    says: 'An order of JupUSD needs no route: `create_order` of the public program, with its accounts in their published order, and compute price and limit before it.',
    check: async (world) => {
      const trader = await createTrader(world);
      const marketId = await createMarket(world);
      const { json } = await buildPurchase(world, trader.address, marketId, { depositMint: JUPUSD });
      const { orderPubkey, orderAtaPubkey, positionPubkey, marketIdHash, externalOrderId } = json.order;
      const { data, accounts, staticAccounts } = findOrderInstruction(json.transaction);
      const owner = kit.getAddressEncoder().encode(trader.address);
      const order = await derive('order', owner as Uint8Array, externalOrderId);
      const position = await derive('position', marketIdHash, owner as Uint8Array, Uint8Array.of(1));
      const { microLamports } = decodeTransaction(json.transaction);
      return firstOf(
        unless(data.slice(0, 8).join() === CREATE_ORDER.join(), data.slice(0, 8)),
        unless(HEX.test(externalOrderId) && HEX.test(marketIdHash), json.order),
        unless(json.externalOrderId === externalOrderId, json),
        unless(orderPubkey === order && positionPubkey === position, [json.order, order, position]),
        unless(orderAtaPubkey === (await associatedAccount(orderPubkey, JUPUSD)), json.order),
        unless(accounts[0] === trader.address && accounts[1] === trader.address, accounts),
        unless(accounts[4] === position && accounts[5] === order && accounts[8] === orderAtaPubkey, accounts),
        unless(accounts[2] === staticAccounts[1], accounts),
        unless(microLamports === 50_000n, { microLamports }),
      );
    },
  },
  {
    id: 'prediction/fee-estimate',
    says: 'The estimated fee is that of the published table: 0.07 of contracts times price times what is missing to a dollar, up to a cent.',
    check: async (world) => {
      const trader = await createTrader(world);
      const change = { depositMint: JUPUSD, depositAmount: '50000000' };
      const { json } = await buildPurchase(world, trader.address, await createMarket(world), change);
      const [contracts, price] = [BigInt(json.order.contractsMicro), BigInt(json.order.maxBuyPriceUsd)];
      const exact = 7n * contracts * price * (1_000_000n - price);
      const unit = 100n * 1_000_000n * 1_000_000n * CENT;
      const estimate = ((exact + unit - 1n) / unit) * CENT;
      return unless(json.order.estimatedTotalFeeUsd === String(estimate), { order: json.order, estimate });
    },
  },
  {
    id: 'prediction/sale-forms',
    says: 'A sale names its contracts in exactly one of three forms, in steps of 0.01; several forms at once are refused.',
    check: async (world) => {
      const trader = await createTrader(world);
      const { position } = await purchase(world, trader, await createMarket(world));
      const sell = (change: object) =>
        askPrediction(world, '/orders', 'POST', {
          ownerPubkey: trader.address,
          positionPubkey: position,
          isYes: true,
          isBuy: false,
          ...change,
        });
      const forms = [{ contracts: 2 }, { contractsMicro: '2000000' }, { contractsDecimal: '2.00' }];
      const answers: Answer[] = [];
      for (const form of forms) answers.push(await sell(form));
      const isTwo = ({ json }: Answer) =>
        json?.order?.contractsMicro === '2000000' &&
        json.order.isBuy === false &&
        json.order.maxBuyPriceUsd === null;
      const { version, units } = decodeTransaction(answers[0]?.json?.transaction);
      return firstOf(
        unless(
          answers.every(isTwo),
          answers.map(({ text }) => text),
        ),
        unless(version === 0 && units === 150_000n, { version, units }),
        difference(await sell({ contracts: 2, contractsMicro: '2000000' }), { status: 400 }),
        difference(await sell({ contractsDecimal: '0.001' }), { status: 400 }),
        difference(await sell({ contracts: 1_000 }), { status: 400, body: { code: 'INSUFFICIENT_FUNDS' } }),
      );
    },
  },
  {
    id: 'prediction/sale-figures',
    says: 'A sale of everything goes down to the bid less 2,500 basis points, up to a tenth of a cent, and leaves nothing of the position.',
    check: async (world) => {
      const trader = await createTrader(world);
      const marketId = await createMarket(world);
      const { position } = await purchase(world, trader, marketId);
      const { pricing } = (await askPrediction(world, `/markets/${marketId}`)).json;
      const { json } = await askPrediction(world, `/positions/${position}`, 'DELETE', {
        ownerPubkey: trader.address,
      });
      const lowest = Math.ceil((pricing.sellYesPriceUsd * 0.75) / 1_000) * 1_000;
      const { order } = json;
      return firstOf(
        unless(order.minSellPriceUsd === String(lowest) && order.maxSlippageBps === 2_500, order),
        unless(
          order.orderCostUsd === '0' && order.newSizeUsd === '0' && order.newContractsMicro === '0',
          order,
        ),
        unless(json.requiredSigners.join() === trader.address, json.requiredSigners),
      );
    },
  },
  {
    id: 'prediction/market-refusals',
    says: 'An order is refused with `MARKET_NOT_OPEN` before its market opens, `MARKET_CLOSED` after its end, and `no_shares_available` where nobody offers.',
    check: async (world) => {
      const trader = await createTrader(world);
      const { markets } = await createEvent(world, [
        { openAt: '60m' },
        {},
        { house: { startCents: 50, contractsPerCent: 0 } },
      ]);
      const [early = '', over = '', empty = ''] = markets.map(({ marketId }) => marketId);
      await resolveMarket(world, over, 'yes');
      const build = (marketId: string) => buildPurchase(world, trader.address, marketId);
      return firstOf(
        difference(await build(early), { status: 400, body: { code: 'MARKET_NOT_OPEN' } }),
        difference(await build(over), { status: 400, body: { code: 'MARKET_CLOSED' } }),
        difference(await build(empty), refused('no_shares_available', 'No shares available at this price')),
        difference(await build('NONE-1'), { status: 404, body: { code: 'market_not_found' } }),
      );
    },
  },
  {
    id: 'prediction/deposit-mint',
    says: 'A deposit is USDC, which is the default, or JupUSD; another mint is refused.',
    check: async (world) => {
      const trader = await createTrader(world);
      const marketId = await createMarket(world);
      const change = { depositMint: 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN' };
      const other = await buildPurchase(world, trader.address, marketId, change);
      const usual = await buildPurchase(world, trader.address, marketId, { depositMint: undefined });
      return firstOf(
        difference(other, { status: 400, body: { code: 'create_order_failed', param: 'depositMint' } }),
        difference(usual, { status: 200 }),
      );
    },
  },
];
