import { type Answer, difference, firstOf, shown, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import { BONK, SOL, USDC } from '../mints.ts';
import {
  cancelOrder,
  createOrder,
  createRounds,
  type Json,
  refusal,
  shareWallet,
  signInWithVault,
  UNKNOWN_ID,
} from './order-requests.ts';
import type { SignedIn } from './sign-in.ts';

const DAY_MS = 86_400_000;
const BAD_QUERIES = [
  'limit=0',
  'limit=101',
  'limit=ten',
  'offset=-1',
  'sort=price',
  'dir=up',
  'state=open',
  'mint=SOL',
];

interface History {
  readonly signedIn: SignedIn;
  /** The oldest first. The third one is cancelled, and of another output; the first one ends last. */
  readonly prices: readonly string[];
  /** The oldest first. The first round of the first one comes last. */
  readonly rounds: readonly string[];
}

const histories = new WeakMap<World, Promise<History>>();

/** Returns a wallet with three orders of each family, which the statements only read. */
function openHistory(world: World): Promise<History> {
  const known = histories.get(world);
  if (known !== undefined) return known;
  const opened = createHistory(world);
  histories.set(world, opened);
  return opened;
}

async function createHistory(world: World): Promise<History> {
  const signedIn = await signInWithVault(world);
  const [prices, rounds]: [string[], string[]] = [[], []];
  for (const [index, outputMint] of [USDC, USDC, BONK].entries()) {
    const expiresAt = Date.now() + (9 - index) * DAY_MS;
    const order = { outputMint, expiresAt, ...(index === 0 ? { slippageBps: 0 } : {}) };
    prices.push((await createOrder(signedIn, order, 'single', { outputMint })).id);
    const beginFillAt = new Date(Date.now() + (9 - index) * DAY_MS).toISOString();
    rounds.push(await createRounds(signedIn, { outputMint, beginFillAt }, { outputMint }));
  }
  await cancelOrder(signedIn, 'price', `${prices[2]}`);
  await cancelOrder(signedIn, 'dca', `${rounds[2]}`);
  return { signedIn, prices, rounds };
}

/** A list that has orders in an order. They are named by when they were created. */
interface Listed {
  readonly query: string;
  readonly orders: readonly number[];
  /** Orders on all pages, if that is not how many are listed. */
  readonly total?: number;
}

const BOTH: readonly Listed[] = [
  { query: 'sort=created_at', orders: [2, 1, 0] },
  { query: 'sort=created_at&dir=asc', orders: [0, 1, 2] },
  { query: '', orders: [2, 1, 0] },
  { query: 'sort=updated_at&dir=asc', orders: [0, 1, 2] },
  { query: 'sort=created_at&limit=1', orders: [2], total: 3 },
  { query: 'sort=created_at&limit=2&offset=2', orders: [0], total: 3 },
  { query: 'offset=3', orders: [], total: 3 },
  { query: 'state=active&sort=created_at', orders: [1, 0] },
  { query: 'state=past', orders: [2] },
  { query: `mint=${BONK}`, orders: [2] },
  { query: `mint=${SOL}&sort=created_at`, orders: [2, 1, 0] },
  { query: `mint=${USDC}&state=past`, orders: [] },
];

function listed(
  id: string,
  says: string,
  path: string,
  find: (history: History) => readonly string[],
  lists: readonly Listed[],
): Statement {
  return {
    id: `trigger/${id}`,
    says,
    check: async (world) => {
      const history = await openHistory(world);
      const ids = find(history);
      for (const { query, orders, total = orders.length } of lists) {
        const answer = await history.signedIn.ask(`${path}?${query}`);
        const seen = answer.json?.orders?.map(({ id }: Json) => ids.indexOf(id));
        const { pagination } = answer.json ?? {};
        const wrong =
          unless(seen?.join() === orders.join(), { query, seen }) ??
          unless(pagination?.total === total, { query, pagination });
        if (wrong !== null) return wrong;
      }
      return null;
    },
  };
}

function bounded(id: string, says: string, path: string): Statement {
  return {
    id: `trigger/${id}`,
    says,
    check: async (world) => {
      const { ask } = await shareWallet(world);
      const { json } = await ask(path);
      const most = await ask(`${path}?limit=100`);
      const answers: readonly Answer[] = await Promise.all(
        BAD_QUERIES.map((query) => ask(`${path}?${query}`)),
      );
      const served = answers.find((answer) => refusal(answer, /./) !== null);
      return firstOf(
        unless(json?.pagination?.limit === 20 && json.pagination.offset === 0, json),
        difference(most, { status: 200 }),
        served === undefined ? null : shown(served),
      );
    },
  };
}

export const historyStatements: readonly Statement[] = [
  listed(
    'history-list',
    'The history sorts by `updated_at` (the default), `created_at` and `expires_at`, the newest first, filters by state and mint, and pages.',
    '/orders/history',
    ({ prices }) => prices,
    [
      ...BOTH,
      { query: 'sort=expires_at', orders: [0, 1, 2] },
      { query: 'sort=expires_at&dir=asc', orders: [2, 1, 0] },
    ],
  ),
  listed(
    'history-dca-list',
    'The history of orders in rounds does the same, with `next_fill_at` to sort by.',
    '/orders/history/dca',
    ({ rounds }) => rounds,
    [
      ...BOTH,
      { query: 'state=active&sort=next_fill_at', orders: [0, 1] },
      { query: 'state=active&sort=next_fill_at&dir=asc', orders: [1, 0] },
    ],
  ),
  bounded(
    'history-bounds',
    '`limit` is 20 by default, and 1 to 100; values that a parameter does not have are 400.',
    '/orders/history',
  ),
  bounded(
    'history-dca-bounds',
    'The parameters of the history of orders in rounds have the same bounds.',
    '/orders/history/dca',
  ),
  {
    id: 'trigger/history-slippage',
    says: 'A slippage that was left out is not 0: it is absent from the history, and 0 is shown as 0.',
    check: async (world) => {
      const { signedIn, prices } = await openHistory(world);
      const [zero, none] = await Promise.all(
        prices.map(async (id) => (await signedIn.ask(`/orders/history/${id}`)).json),
      );
      return unless(zero?.slippageBps === 0 && none !== undefined && !('slippageBps' in none), {
        zero,
        none,
      });
    },
  },
  {
    id: 'trigger/history-vault',
    says: '`privyWalletPubkey` of an order at a price, and `vaultPubkey` of one in rounds, are the vault of the wallet.',
    check: async (world) => {
      const { signedIn, prices, rounds } = await openHistory(world);
      const { vaultPubkey } = (await signedIn.ask('/vault')).json;
      const price = (await signedIn.ask(`/orders/history/${prices[0]}`)).json;
      const round = (await signedIn.ask(`/orders/history/dca/${rounds[0]}`)).json;
      return firstOf(
        unless(price?.privyWalletPubkey === vaultPubkey, price),
        unless(round?.vaultPubkey === vaultPubkey && typeof round.requestId === 'string', round),
      );
    },
  },
  {
    id: 'trigger/history-unfilled',
    says: 'What only fills have is absent from an order that has none.',
    check: async (world) => {
      const { signedIn, prices } = await openHistory(world);
      const { json } = await signedIn.ask(`/orders/history/${prices[0]}`);
      const present = ['triggeredAt', 'outputAmount', 'inputUsed', 'fillPercent'].filter(
        (field) => json?.[field] !== undefined && json[field] !== null,
      );
      return unless(present.length === 0, present);
    },
  },
  {
    id: 'trigger/history-foreign',
    says: "Another wallet's orders of both families are 404 `Order not found`, like those that do not exist.",
    check: async (world) => {
      const { prices, rounds } = await openHistory(world);
      const { ask } = await shareWallet(world);
      return firstOf(
        refusal(await ask(`/orders/history/${prices[0]}`), 'Order not found', 404),
        refusal(await ask(`/orders/history/dca/${rounds[0]}`), 'Order not found', 404),
        refusal(await ask(`/orders/history/dca/${UNKNOWN_ID}`), 'Order not found', 404),
        refusal(await ask(`/orders/history/dca/${prices[0]}`), 'Order not found', 404),
      );
    },
  },
];
