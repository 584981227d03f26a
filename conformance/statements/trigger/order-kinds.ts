import { difference, firstOf, shown, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { signTransaction } from '../transactions.ts';
import { BUYING, createOrder, craft, orderOf, signInWithVault } from './order-requests.ts';

const FAR = { tpPriceUsd: 1_000_000, slPriceUsd: 0.01 };
const NO_TRIGGER = { triggerCondition: undefined, triggerPriceUsd: undefined };
const OCO = { ...NO_TRIGGER, ...FAR };
const TRAILING = { triggerPriceUsd: undefined, trailingBps: 9_000, triggerCondition: 'below' };

export const triggerKindStatements: readonly Statement[] = [
  {
    id: 'trigger/oco',
    says: 'An `oco` order has one deposit and one id, and the history names both of its prices.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { id } = await createOrder(signedIn, OCO, 'oco');
      const { json } = await signedIn.ask(`/orders/history/${id}`);
      return firstOf(
        unless(json?.orderType === 'oco' && json.orderState === 'open', json),
        unless(json?.tpPriceUsd === FAR.tpPriceUsd && json.slPriceUsd === FAR.slPriceUsd, json),
      );
    },
  },
  {
    id: 'trigger/otoco',
    says: 'The deposit of an `otoco` order opens a second account, `outputTokenAccount`, and cancelling gives both back.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const deposit = await craft(signedIn, { orderSubType: 'otoco' });
      const { inputTokenAccount, outputTokenAccount } = deposit.json ?? {};
      const body = await orderOf(signedIn, deposit.json, { ...FAR, orderType: 'otoco' });
      const { json } = await signedIn.ask('/orders/price', body);
      const cancel = await signedIn.ask(`/orders/price/cancel/${json?.id}`, {});
      if (cancel.status !== 200) return shown(cancel);
      const confirmed = await signedIn.ask(`/orders/price/confirm-cancel/${json.id}`, {
        signedTransaction: await signTransaction(cancel.json.transaction, signedIn.wallet),
        cancelRequestId: cancel.json.requestId,
      });
      const { value } = await world.rpc
        .getMultipleAccounts([inputTokenAccount, outputTokenAccount], {
          encoding: 'base64',
          commitment: 'confirmed',
        })
        .send();
      return firstOf(
        unless(typeof outputTokenAccount === 'string', deposit.json),
        unless(inputTokenAccount !== outputTokenAccount, deposit.json),
        difference(confirmed, { status: 200 }),
        unless(
          value.every((account) => account === null),
          value.length,
        ),
      );
    },
  },
  {
    id: 'trigger/trailing',
    says: 'A trailing order starts at the market price: `triggerPriceUsd` is `trailingBps` under `highWatermark`.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { id } = await createOrder(signedIn, TRAILING);
      const { json } = await signedIn.ask(`/orders/history/${id}`);
      const { triggerPriceUsd, trailingBps, highWatermark, lowWatermark } = json ?? {};
      return firstOf(
        unless(trailingBps === 9_000 && lowWatermark === null && highWatermark > 0, json),
        unless(Math.abs(triggerPriceUsd / highWatermark - 0.1) < 1e-9, json),
      );
    },
  },
  {
    id: 'trigger/edit',
    says: 'PATCH changes the price, the slippage and the end of an open order, and answers its id.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { id } = await createOrder(signedIn);
      const changes = { triggerPriceUsd: 900_000, slippageBps: 150, expiresAt: Date.now() + 7_200_000 };
      const edited = await signedIn.patch(`/orders/price/${id}`, { orderType: 'single', ...changes });
      const { json } = await signedIn.ask(`/orders/history/${id}`);
      const wrong = Object.entries(changes).filter(([field, value]) => json?.[field] !== value);
      return firstOf(difference(edited, { status: 200, body: { id } }), unless(wrong.length === 0, json));
    },
  },
  {
    id: 'trigger/trailing-buy',
    says: 'A trailing order above watches its output: `triggerPriceUsd` is `trailingBps` over `lowWatermark`.',
    check: async (world) => {
      const signedIn = await signInWithVault(world, 50_000_000n);
      const trailing = { ...TRAILING, trailingBps: 1_000, triggerCondition: 'above' };
      const { id } = await createOrder(signedIn, trailing, 'single', BUYING);
      const { json } = await signedIn.ask(`/orders/history/${id}`);
      const { triggerPriceUsd, highWatermark, lowWatermark } = json ?? {};
      return firstOf(
        unless(highWatermark === null && lowWatermark > 0, json),
        unless(Math.abs(triggerPriceUsd / lowWatermark - 1.1) < 1e-9, json),
      );
    },
  },
  {
    id: 'trigger/edit-trailing-distance',
    says: 'PATCH changes the distance of a trailing order, and its trigger with it.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { id } = await createOrder(signedIn, TRAILING);
      const edited = await signedIn.patch(`/orders/price/${id}`, { orderType: 'single', trailingBps: 5_000 });
      const { json } = await signedIn.ask(`/orders/history/${id}`);
      return firstOf(
        difference(edited, { status: 200, body: { id } }),
        unless(Math.abs(json?.triggerPriceUsd / json?.highWatermark - 0.5) < 1e-9, json),
      );
    },
  },
  {
    id: 'trigger/edit-oco',
    says: 'PATCH changes one of the prices of an `oco` order; what is left out stays as it is.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { id } = await createOrder(signedIn, { ...OCO, tpSlippageBps: 40 }, 'oco');
      const edited = await signedIn.patch(`/orders/price/${id}`, { orderType: 'oco', slPriceUsd: 0.02 });
      const { json } = await signedIn.ask(`/orders/history/${id}`);
      return firstOf(
        difference(edited, { status: 200, body: { id } }),
        unless(json?.slPriceUsd === 0.02 && json.tpPriceUsd === FAR.tpPriceUsd, json),
        unless(json?.tpSlippageBps === 40 && !('slSlippageBps' in json), json),
      );
    },
  },
];
