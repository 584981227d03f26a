import type * as kit from '@solana/kit';
import type { Answer } from '../../answer.ts';
import type { World } from '../../world.ts';
import { giveTokens } from '../embedded-network.ts';
import { USDC } from '../mints.ts';
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

/** Makes a wallet that has SOL for fees and USDC for orders. */
export async function createTrader(world: World): Promise<kit.KeyPairSigner> {
  const trader = await world.newWallet();
  await giveTokens(world, trader.address, USDC, 100_000_000n);
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

/** Waits until an order is over, and returns its status. */
export async function waitForOrder(world: World, order: string): Promise<Answer> {
  let answer = await askPrediction(world, `/orders/status/${order}`);
  for (let tries = 0; tries < ATTEMPTS && answer.json?.latestEventType !== 'order_closed'; tries++) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    answer = await askPrediction(world, `/orders/status/${order}`);
  }
  return answer;
}
