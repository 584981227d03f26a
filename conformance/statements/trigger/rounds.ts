import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import { SOL, USDC, USDT } from '../mints.ts';
import {
  askRounds,
  BUYING,
  cancelOrder,
  createRounds,
  type Json,
  refusal,
  refused,
  refusedRounds,
  signInWithVault,
  UNKNOWN_ID,
} from './order-requests.ts';

const BOUNDED = { orderType: 'price_conditional', minPriceUsd: 1, triggerMint: SOL };
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const LEAST_ROUND = /^Each order must be at least 10 USD \(current value: 9\.\d\d USD\)$/;
const YEAR_SECONDS = 31_536_000;
/** Recurring orders that a wallet may have at once. */
const MOST_ORDERS = 10;

export const roundStatements: readonly Statement[] = [
  refusedRounds(
    'dca-rounds',
    'An order in rounds has at least two.',
    'Too small: expected number to be >=2',
    {
      orderCount: 1,
    },
  ),
  refusedRounds(
    'dca-interval',
    'Rounds are at least a minute apart.',
    'Too small: expected number to be >=60',
    {
      intervalSeconds: 59,
    },
  ),
  refusedRounds(
    'dca-interval-most',
    'Rounds are at most 365 days apart.',
    `Too big: expected number to be <=${YEAR_SECONDS}`,
    { intervalSeconds: YEAR_SECONDS + 1 },
  ),
  refusedRounds(
    'dca-minimum',
    'A round is worth at least 10 US dollars, less 0.20; the sentence says what it is worth.',
    LEAST_ROUND,
    {},
    { ...BUYING, amount: '19500000' },
  ),
  refusedRounds('dca-past', 'The first round is not in the past.', 'Begin fill time must be in the future', {
    beginFillAt: '2020-01-01T00:00:00.000Z',
  }),
  refusedRounds(
    'dca-begin',
    'The first round is at most 30 days away.',
    'Begin fill time cannot be more than 30 days in the future',
    { beginFillAt: '2099-01-01T00:00:00.000Z' },
  ),
  refusedRounds('dca-begin-form', 'The first round is named in ISO 8601.', 'Invalid ISO datetime', {
    beginFillAt: 'tomorrow',
  }),
  refusedRounds(
    'dca-bounds',
    'A `price_conditional` order has a price.',
    'Price-conditional orders must have at least minPriceUsd or maxPriceUsd set',
    { orderType: 'price_conditional', triggerMint: SOL },
  ),
  refusedRounds(
    'dca-trigger',
    'A `price_conditional` order names the mint of its prices.',
    'Price-conditional orders must specify a triggerMint',
    { orderType: 'price_conditional', minPriceUsd: 1 },
  ),
  refusedRounds('dca-stable', 'A stablecoin is no mint of prices.', 'Trigger mint is not supported', {
    ...BOUNDED,
    triggerMint: USDC,
  }),
  refusedRounds(
    'dca-stable-pair',
    'Two stablecoins have no prices to wait for.',
    'Mint pair is not supported',
    { ...BOUNDED, outputMint: USDT, triggerMint: USDT },
    { ...BUYING, outputMint: USDT },
  ),
  refusedRounds(
    'dca-unbounded',
    'A `time_based` order has no prices.',
    'Time-based orders cannot set minPriceUsd or maxPriceUsd',
    { maxPriceUsd: 1 },
  ),
  refusedRounds(
    'dca-deposit',
    'The deposit of an order was crafted before.',
    'Deposit transaction not found in cache. Please craft a new deposit first.',
    { depositRequestId: UNKNOWN_ID },
  ),
  refused(
    'dca-same-mints',
    'Input and output of rounds are different mints.',
    'Input mint and output mint cannot be the same',
    (signedIn) => askRounds(signedIn, {}, { outputMint: SOL }),
  ),
  {
    id: 'trigger/dca-bounds-field',
    says: 'The sentence about missing prices stands under `orderType` in `details`.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const answer = await askRounds(signedIn, { orderType: 'price_conditional', triggerMint: SOL });
      return unless(typeof answer.json?.details?.orderType === 'string', answer.json);
    },
  },
  {
    id: 'trigger/dca-tolerance',
    says: 'A round of 9.85 US dollars is accepted, since the price may have moved since the deposit.',
    check: async (world) => {
      const signedIn = await signInWithVault(world, 20_000_000n);
      return difference(await askRounds(signedIn, {}, { ...BUYING, amount: '19700000' }), { status: 200 });
    },
  },
  {
    id: 'trigger/dca-many-rounds',
    says: '`orderCount` has no upper bound, and an interval may be 365 days.',
    check: async (world) => {
      const signedIn = await signInWithVault(world, 25_000_000_000n);
      const deposit = { ...BUYING, amount: '25000000000' };
      const id = await createRounds(signedIn, { orderCount: 2_000, intervalSeconds: YEAR_SECONDS }, deposit);
      const { json } = await signedIn.ask(`/orders/history/dca/${id}`);
      return unless(json?.numberOfRounds === 2_000 && json.intervalSeconds === YEAR_SECONDS, json);
    },
  },
  {
    id: 'trigger/dca',
    says: 'An order in rounds answers `id` and `txSignature`, is shown with ISO times, and is cancelled with its refund.',
    check: checkRounds,
  },
  {
    id: 'trigger/dca-windows',
    says: '`retryWindowSeconds` is half the interval, at least 30 and at most 7200; a rest of the division is not in `amountPerRound`.',
    check: async (world) => {
      const signedIn = await signInWithVault(world, 100_000_000n);
      const windows: Json[] = [];
      for (const intervalSeconds of [60, 3_600, 86_400]) {
        const id = await createRounds(signedIn, { intervalSeconds }, { ...BUYING, amount: '20000001' });
        const { json } = await signedIn.ask(`/orders/history/dca/${id}`);
        windows.push([json?.retryWindowSeconds, json?.amountPerRound]);
      }
      return unless(windows.flat().join() === '30,10000000,1800,10000000,7200,10000000', windows);
    },
  },
  {
    id: 'trigger/dca-apart',
    says: 'The two families of orders are apart: `orders/history/{id}` of an order in rounds is 404, and it has no PATCH.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const id = await createRounds(signedIn);
      const { json } = await signedIn.ask('/orders/history');
      return firstOf(
        refusal(await signedIn.ask(`/orders/history/${id}`), 'Order not found', 404),
        difference(await signedIn.patch(`/orders/dca/${id}`, {}), { status: 404 }),
        difference(await signedIn.ask('/orders/dca/', {}), { status: 404 }),
        unless(json?.orders?.length === 0, json),
      );
    },
  },
  {
    id: 'trigger/dca-ten',
    says: 'A wallet has at most ten orders in rounds that have not ended; when one has, there is place for another.',
    check: async (world) => {
      const signedIn = await signInWithVault(world, 300_000_000n);
      const ids: string[] = [];
      for (let count = 0; count < MOST_ORDERS; count++) ids.push(await createRounds(signedIn, {}, BUYING));
      const eleventh = await askRounds(signedIn, {}, BUYING);
      await cancelOrder(signedIn, 'dca', `${ids[0]}`);
      return firstOf(
        refusal(eleventh, 'Maximum of 10 active DCA orders allowed per user'),
        difference(await askRounds(signedIn, {}, BUYING), { status: 200 }),
      );
    },
  },
];

async function checkRounds(world: World): Promise<string | null> {
  const signedIn = await signInWithVault(world);
  const made = await askRounds(signedIn);
  const { id } = made.json ?? {};
  const { json: order } = await signedIn.ask(`/orders/history/dca/${id}`);
  const { json: list } = await signedIn.ask('/orders/history/dca?state=active&sort=next_fill_at');
  const { cancel, confirmed } = await cancelOrder(signedIn, 'dca', id);
  const { json: ended } = await signedIn.ask(`/orders/history/dca/${id}`);
  const times = ['createdAt', 'updatedAt', 'beginFillAt', 'nextFillAt'].map((field) => order?.[field]);
  return firstOf(
    unless(made.status === 200 && Object.keys(made.json).sort().join() === 'id,txSignature', made.json),
    unless(order?.state === 'active' && order.displayState === 'active' && order.numberOfRounds === 2, order),
    unless(order?.orderType === 'time_based' && order.roundsFilled === 0 && order.fillPercent === 0, order),
    unless(order?.jlEnabled === false && order.jlYieldUsd === null && order.lastFillAt === null, order),
    unless(
      times.every((time) => ISO.test(time)),
      times,
    ),
    unless(list?.orders?.[0]?.id === id && list.pagination.total === 1, list),
    unless(cancel.json.refundAmount === '200000000' && cancel.json.roundsRemaining === 2, cancel.json),
    difference(confirmed, { status: 200, body: { id } }),
    unless(ended?.state === 'cancelled' && ended.displayState === 'cancelled', ended),
    unless(ended?.inputAmountRemaining === '200000000', ended),
    unless(
      ended?.events?.map(({ type }: Json) => type).join() === 'cancelled,withdrawal,deposit',
      ended?.events,
    ),
  );
}
