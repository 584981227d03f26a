import { difference, firstOf, shown, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import { SOL, USDC } from '../mints.ts';
import { signTransaction } from '../transactions.ts';
import { type Json, createOrder, craft, orderOf, refusedOrder, signInWithVault } from './order-requests.ts';

const FAR = { tpPriceUsd: 1_000_000, slPriceUsd: 0.01 };
const NO_TRIGGER = { triggerCondition: undefined, triggerPriceUsd: undefined };
const OCO = { ...NO_TRIGGER, ...FAR };
const TRAILING = { triggerPriceUsd: undefined, trailingBps: 9_000, triggerCondition: 'below' };

/** A change of an order that is refused with 400 and a text that clients look for. */
function refusedEdit(id: string, says: string, text: string, created: object, changes: object): Statement {
  return {
    id: `trigger/${id}`,
    says,
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const order = await createOrder(signedIn, created);
      const answer = await signedIn.patch(`/orders/price/${order.id}`, { orderType: 'single', ...changes });
      return answer.status === 400 && answer.text.includes(text) ? null : shown(answer);
    },
  };
}

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
    id: 'trigger/oco-order',
    says: 'The profit of an `oco` order is taken above the price at which its loss is stopped.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { json } = await craft(signedIn, { orderSubType: 'oco' });
      const body = await orderOf(signedIn, json, { ...OCO, orderType: 'oco', slPriceUsd: FAR.tpPriceUsd });
      return difference(await signedIn.ask('/orders/price', body), { status: 400 });
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
  refusedOrder('trailing-range', 'A trailing order trails by 50 to 9000 basis points.', '>=50', {
    ...TRAILING,
    trailingBps: 49,
  }),
  refusedOrder('trailing-side', 'A trailing order below watches its input.', 'triggerMint', {
    ...TRAILING,
    triggerCondition: 'above',
  }),
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
    id: 'trigger/edit-other',
    says: "PATCH of another wallet's order is 403, of an unknown one 404, and of one that is cancelled 400.",
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { id } = await createOrder(signedIn);
      const other = await signInWithVault(world);
      const body = { orderType: 'single', triggerPriceUsd: 900_000 };
      const unknown = '019ac9f4-8a1b-7c3e-9d52-0f6e1b7a4c21';
      const [foreign, none] = [
        await other.patch(`/orders/price/${id}`, body),
        await signedIn.patch(`/orders/price/${unknown}`, body),
      ];
      await signedIn.ask(`/orders/price/cancel/${id}`, {});
      return firstOf(
        difference(foreign, { status: 403 }),
        difference(none, { status: 404 }),
        difference(await signedIn.patch(`/orders/price/${id}`, body), { status: 400 }),
      );
    },
  },
  refusedEdit(
    'edit-trailing',
    'A trailing order cannot be given a price.',
    'Cannot set trigger price on trailing stop loss order',
    TRAILING,
    { triggerPriceUsd: 1 },
  ),
  refusedEdit(
    'edit-to-trailing',
    'An order at a price cannot become a trailing one.',
    'Cannot convert to trailing stop loss order',
    {},
    { trailingBps: 500 },
  ),
  roundsRefused('dca-rounds', 'An order in rounds has at least two.', '>=2', { orderCount: 1 }),
  roundsRefused('dca-interval', 'Rounds are at least a minute apart.', '>=60', { intervalSeconds: 59 }),
  roundsRefused(
    'dca-minimum',
    'A round is worth at least 10 US dollars.',
    'Each order must be at least 10 USD',
    {
      orderCount: 1_000,
    },
  ),
  roundsRefused('dca-past', 'The first round is not in the past.', 'Begin fill time must be in the future', {
    beginFillAt: '2020-01-01T00:00:00.000Z',
  }),
  roundsRefused(
    'dca-begin',
    'The first round is at most 30 days away.',
    'Begin fill time cannot be more than 30 days in the future',
    { beginFillAt: '2099-01-01T00:00:00.000Z' },
  ),
  roundsRefused(
    'dca-bounds',
    'A `price_conditional` order has a price.',
    'Price-conditional orders must have at least minPriceUsd or maxPriceUsd set',
    { orderType: 'price_conditional', triggerMint: SOL },
  ),
  roundsRefused(
    'dca-trigger',
    'A `price_conditional` order names the mint of its prices.',
    'Price-conditional orders must specify a triggerMint',
    { orderType: 'price_conditional', minPriceUsd: 1 },
  ),
  roundsRefused('dca-stable', 'A stablecoin is no mint of prices.', 'Trigger mint is not supported', {
    orderType: 'price_conditional',
    minPriceUsd: 1,
    triggerMint: USDC,
  }),
  roundsRefused(
    'dca-unbounded',
    'A `time_based` order has no prices.',
    'Time-based orders cannot set minPriceUsd or maxPriceUsd',
    { maxPriceUsd: 1 },
  ),
  roundsRefused(
    'dca-earn',
    'Only `time_based` orders earn.',
    'jlEnabled is only supported for time_based orders',
    {
      orderType: 'price_conditional',
      minPriceUsd: 1,
      triggerMint: SOL,
      jlEnabled: true,
    },
  ),
  roundsRefused(
    'dca-deposit',
    'The id of a deposit is used once, and only for what was crafted.',
    'Deposit transaction not found in cache. Please craft a new deposit first.',
    { depositRequestId: '019ac9f4-8a1b-7c3e-9d52-0f6e1b7a4c21' },
  ),
  {
    id: 'trigger/dca',
    says: 'An order in rounds answers `id` and `txSignature`, is shown with ISO times, and is cancelled with its refund.',
    check: checkRounds,
  },
  {
    id: 'trigger/dca-apart',
    says: 'The two families of orders are apart: `orders/history/{id}` of an order in rounds is 404, and it has no PATCH.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { id } = (await createRounds(signedIn)).json ?? {};
      const { json } = await signedIn.ask('/orders/history');
      return firstOf(
        difference(await signedIn.ask(`/orders/history/${id}`), {
          status: 404,
          body: { error: 'Order not found' },
        }),
        difference(await signedIn.patch(`/orders/dca/${id}`, {}), { status: 404 }),
        difference(await signedIn.ask('/orders/dca/', {}), { status: 404 }),
        unless(json?.orders?.length === 0, json),
      );
    },
  },
];

type SignedInWallet = Awaited<ReturnType<typeof signInWithVault>>;

async function createRounds(signedIn: SignedInWallet, changes: object = {}) {
  const { json } = await craft(signedIn, { orderType: 'dca', orderSubType: undefined, amount: '200000000' });
  const { depositRequestId, depositSignedTx, userPubkey } = (await orderOf(signedIn, json)) as Json;
  return signedIn.ask('/orders/dca', {
    depositRequestId,
    depositSignedTx,
    userPubkey,
    inputMint: SOL,
    outputMint: USDC,
    inputAmount: '200000000',
    orderCount: 2,
    intervalSeconds: 3_600,
    beginFillAt: new Date(Date.now() + 86_400_000).toISOString(),
    ...changes,
  });
}

/** An order in rounds that is refused with 400 and a text that clients look for. */
function roundsRefused(id: string, says: string, text: string, changes: object): Statement {
  return {
    id: `trigger/${id}`,
    says,
    check: async (world) => {
      const answer = await createRounds(await signInWithVault(world), changes);
      return answer.status === 400 && answer.text.includes(text) ? null : shown(answer);
    },
  };
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function checkRounds(world: World): Promise<string | null> {
  const signedIn = await signInWithVault(world);
  const made = await createRounds(signedIn);
  const { id } = made.json ?? {};
  const { json: order } = await signedIn.ask(`/orders/history/dca/${id}`);
  const { json: list } = await signedIn.ask('/orders/history/dca?state=active&sort=next_fill_at');
  const cancel = await signedIn.ask(`/orders/dca/cancel/${id}`, {});
  if (cancel.status !== 200) return shown(cancel);
  const confirmed = await signedIn.ask(`/orders/dca/confirm-cancel/${id}`, {
    signedTransaction: await signTransaction(cancel.json.transaction, signedIn.wallet),
    cancelRequestId: cancel.json.requestId,
  });
  const { json: ended } = await signedIn.ask(`/orders/history/dca/${id}`);
  const times = ['createdAt', 'updatedAt', 'beginFillAt', 'nextFillAt'].map((field) => order?.[field]);
  return firstOf(
    unless(made.status === 200 && Object.keys(made.json).sort().join() === 'id,txSignature', made.json),
    unless(order?.state === 'active' && order.displayState === 'active' && order.numberOfRounds === 2, order),
    unless(order?.amountPerRound === '100000000' && order.retryWindowSeconds === 1_800, order),
    unless(
      times.every((time) => ISO.test(time)),
      times,
    ),
    unless(list?.orders?.[0]?.id === id && list.pagination.total === 1, list),
    unless(cancel.json.refundAmount === '200000000' && cancel.json.roundsRemaining === 2, cancel.json),
    difference(confirmed, { status: 200, body: { id } }),
    unless(ended?.state === 'cancelled' && ended.inputAmountRemaining === '200000000', ended),
  );
}
