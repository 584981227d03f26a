import { setTimeout as sleep } from 'node:timers/promises';
import type * as kit from '@solana/kit';
import type { Answer } from '../../answer.ts';
import type { World } from '../../world.ts';
import { networkNow, setPrice } from '../embedded-network.ts';
import { USDC } from '../mints.ts';
import { signTransaction } from '../transactions.ts';
import { askPrediction } from './prediction-requests.ts';

/** One side of a round, as lists have it. */
export interface ListedForecast {
  readonly marketId: string;
  readonly eventId: string;
  readonly provider: string;
  readonly status: string;
  readonly closeTime: number;
  readonly tradable: boolean;
  readonly outcomeMint: string;
  readonly outcomeTokenProgram: string;
  readonly outcomeSide: string;
  readonly marketPda: string;
  readonly lifecycleStatus: string;
  readonly rulesPrimary: string;
  readonly pricing: Readonly<Record<string, number | null>>;
}

interface ListedRound {
  readonly eventId: string;
  readonly category: string;
  readonly subcategory: string;
  readonly tags: readonly string[];
  readonly markets: readonly ListedForecast[];
}

/** Rounds are opened one after another, and the last seconds of a round are not traded. */
const MAX_WAIT_MS = 90_000;
const WAIT_MS = 500;
/** What a statement needs until it has traded, in seconds. */
const LEAST_LEFT = 40;
/** The highest price of a side that is bought, in micro USD. */
const MOST = 900_000;

/** Asks for the rounds that the guide's query lists, with their markets. */
export async function listRounds(world: World, query = ''): Promise<readonly ListedRound[]> {
  const { json } = await askPrediction(
    world,
    `/events?provider=bisonfi&category=crypto&includeMarkets=true${query}`,
  );
  return json.data;
}

/**
 * Waits for a round that is traded for a while still, and puts the price back to that of its opening, so that both sides are
 * offered whatever the price has done. Returns its sides: up, then down.
 */
export async function findTradedRound(world: World): Promise<readonly [ListedForecast, ListedForecast]> {
  for (const until = Date.now() + MAX_WAIT_MS; Date.now() < until; await sleep(WAIT_MS)) {
    const now = (await networkNow(world)) / 1_000;
    const { markets } = (await listRounds(world)).find((each) => isOpen(each, now)) ?? {};
    const [up, down] = markets ?? [];
    if (up === undefined || down === undefined) continue;
    if (isOffered(up) && isOffered(down)) return [up, down];
    const [, opening = ''] = /opening price of ([0-9,.]+) USD/.exec(up.rulesPrimary) ?? [];
    await setPrice(world, 'BTC', opening.replaceAll(',', ''));
  }
  throw new Error('no round is traded');
}

function isOpen({ markets }: ListedRound, now: number): boolean {
  return markets.every(({ tradable, closeTime }) => tradable && closeTime - now > LEAST_LEFT);
}

/** Whether some dollars' worth of a side can be bought. One that has all but won is not sold any more. */
function isOffered({ pricing: { buyYesPriceUsd } }: ListedForecast): boolean {
  return typeof buyYesPriceUsd === 'number' && buyYesPriceUsd <= MOST;
}

/** Asks for tokens of one side for 5 USDC. */
export function buildForecast(
  world: World,
  owner: string,
  marketId: string,
  change: object = {},
): Promise<Answer> {
  const terms = { isYes: true, isBuy: true, depositAmount: '5000000', depositMint: USDC };
  return askPrediction(world, '/orders', 'POST', { ownerPubkey: owner, marketId, ...terms, ...change });
}

/** Signs what was built, and executes it with its context, as the guide does. */
export async function executeForecast(
  world: World,
  // biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
  built: any,
  owner: kit.KeyPairSigner,
): Promise<Answer> {
  const signedTransaction = await signTransaction(built.transaction, owner);
  return askPrediction(world, '/execute', 'POST', { signedTransaction, context: built.execution.context });
}

/** Buys tokens of one side for 5 USDC, and returns the answer of the build. */
export async function buyForecast(
  world: World,
  trader: kit.KeyPairSigner,
  marketId: string,
  // biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
): Promise<any> {
  const { json, text } = await buildForecast(world, trader.address, marketId);
  if (json?.transaction === undefined) throw new Error(`nothing was built: ${text}`);
  const executed = await executeForecast(world, json, trader);
  if (executed.json?.status !== 'Success') throw new Error(`nothing was bought: ${executed.text}`);
  return json;
}
