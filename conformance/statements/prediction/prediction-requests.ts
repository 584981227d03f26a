import type * as kit from '@solana/kit';
import type { Answer } from '../../answer.ts';
import type { World } from '../../world.ts';
import { giveTokens } from '../embedded-network.ts';
import { JUPUSD, USDC } from '../mints.ts';
import { signTransaction } from '../transactions.ts';

/** Where the product is served. */
export const PREDICTION = '/prediction/v1';

/** Asks an endpoint of the product with a body, if there is one. */
export function askPrediction(world: World, path: string, method = 'GET', body?: unknown): Promise<Answer> {
  return world.ask(`${PREDICTION}${path}`, body === undefined ? { method } : { method, body });
}

/** Returns the JSON of an event that the embedded network begins with, with its markets. */
// biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
export async function findEvent(world: World): Promise<any> {
  const { json } = await askPrediction(world, '/events?includeMarkets=true&start=0&end=1');
  return json.data[0];
}

/**
 * Creates an event, as its operator does, and returns its JSON of the admin interface.
 *
 * @param markets - Each with a title.
 * @param change - Fields of the event in place of the usual ones.
 */
export async function createEvent(
  world: World,
  markets: readonly object[] = [{}],
  change: object = {},
): Promise<CreatedEvent> {
  const answer = await world.admin('POST', '/admin/v1/prediction-events', {
    title: 'A question of a statement',
    category: 'culture',
    closeAt: '1d',
    markets: markets.map((market) => ({ title: 'It happens', house: HOUSE, ...market })),
    ...change,
  });
  if (answer.status !== 200) throw new Error(`the event was not created: ${answer.text}`);
  return answer.json;
}

interface CreatedEvent {
  readonly eventId: string;
  readonly markets: readonly { readonly marketId: string }[];
}

/** What the house offers unless a statement says otherwise. */
const HOUSE = { startCents: 40, contractsPerCent: 100 };

/** Creates an event with one market, and returns the id of the market. */
export async function createMarket(world: World, market: object = {}): Promise<string> {
  const { markets } = await createEvent(world, [market]);
  return `${markets[0]?.marketId}`;
}

/** Says what has happened, as the operator does. Trading ends, and the keeper posts the result. */
export async function resolveMarket(world: World, marketId: string, result: 'yes' | 'no'): Promise<void> {
  const path = `/admin/v1/prediction-markets/${marketId}/resolve`;
  const answer = await world.admin('POST', path, { result });
  if (answer.status !== 200) throw new Error(`the market was not resolved: ${answer.text}`);
}

/** Makes a wallet that has SOL for fees, and USDC and JupUSD for orders. */
export async function createTrader(world: World): Promise<kit.KeyPairSigner> {
  const trader = await world.newWallet();
  await giveTokens(world, trader.address, USDC, 100_000_000n);
  await giveTokens(world, trader.address, JUPUSD, 100_000_000n);
  return trader;
}

/** Asks for the purchase of yes contracts for 5 USDC. */
export function buildPurchase(
  world: World,
  owner: string,
  marketId: string,
  change: object = {},
): Promise<Answer> {
  const body = {
    ownerPubkey: owner,
    marketId,
    isYes: true,
    isBuy: true,
    depositAmount: '5000000',
    depositMint: USDC,
    ...change,
  };
  return askPrediction(world, '/orders', 'POST', body);
}

/** Signs what was built, and executes it as the command line client of the public service does. */
export async function execute(world: World, built: string, owner: kit.KeyPairSigner): Promise<Answer> {
  const signedTransaction = await signTransaction(built, owner);
  return askPrediction(world, '/orders/execute', 'POST', { signedTransaction });
}

const ATTEMPTS = 100;
const WAIT_MS = 100;

/** Asks an endpoint again until its answer is the one that is waited for. Returns the last answer. */
export async function askUntil(
  world: World,
  path: string,
  isDone: (answer: Answer) => boolean,
): Promise<Answer> {
  let answer = await askPrediction(world, path);
  for (let tries = 0; tries < ATTEMPTS && !isDone(answer); tries++) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    answer = await askPrediction(world, path);
  }
  return answer;
}

/** Waits until an order is over, and returns its status. */
export function waitForOrder(world: World, order: string): Promise<Answer> {
  const isOver = ({ json }: Answer) => ['order_closed', 'order_failed'].includes(json?.latestEventType);
  return askUntil(world, `/orders/status/${order}`, isOver);
}

/** Waits for an event of the history, and returns its JSON; undefined if it does not come. */
export async function waitForEvent(world: World, owner: string, eventType: string) {
  // biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
  const find = ({ json }: Answer) => json?.data?.find((entry: any) => entry.eventType === eventType);
  return find(await askUntil(world, `/history?ownerPubkey=${owner}`, (answer) => find(answer) !== undefined));
}

/** A purchase that has landed and was filled. */
export interface FilledPurchase {
  readonly trader: kit.KeyPairSigner;
  /** The answer of the build. */
  // biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
  readonly built: any;
  readonly status: Answer;
  /** The account of the position. */
  readonly position: string;
}

/**
 * Buys contracts for 5 JupUSD, which need no pool, and waits until the order is closed.
 *
 * @param change - Fields of the order in place of the usual ones.
 */
export async function purchase(
  world: World,
  trader: kit.KeyPairSigner,
  marketId: string,
  change: object = {},
): Promise<FilledPurchase> {
  const terms = { depositMint: JUPUSD, ...change };
  const { json: built } = await buildPurchase(world, trader.address, marketId, terms);
  if (built?.order === undefined) throw new Error(`nothing was built: ${JSON.stringify(built)}`);
  await execute(world, built.transaction, trader);
  const status = await waitForOrder(world, built.order.orderPubkey);
  return { trader, built, status, position: built.order.positionPubkey };
}

/** Returns the names of fields that an object lacks. A field that is null is there. */
export function findAbsent(json: unknown, names: readonly string[]): readonly string[] {
  return names.filter((name) => !(name in Object(json)));
}
