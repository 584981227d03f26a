// Forecasts that the price of bitcoin rises: buys a side of a round, sells some of it again, lets the price rise and the round
// end, and sees the payout arrive by itself. Start Sluice with `npm start`, then run `npx tsx examples/forecast.ts`.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as kit from '@solana/kit';

const { SLUICE_URL, SLUICE_ADMIN_URL, SLUICE_WALLET } = process.env;
const url = SLUICE_URL ?? 'http://127.0.0.1:8787';
const admin = SLUICE_ADMIN_URL ?? 'http://127.0.0.1:8788';
const walletFile = SLUICE_WALLET ?? '.sluice/demo-wallet.json';
const key = JSON.parse(readFileSync(walletFile, 'utf8'));
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
/** A round takes no trades in its last seconds. */
const LEAST_SECONDS = 45;
/** In micro USD. A side that has all but won is not sold any more. */
const MOST = 900_000;

interface Side {
  marketId: string;
  outcomeSide: string;
  tradable: boolean;
  closeTime: number;
  result: string | null;
  pricing: { buyYesPriceUsd: number; sellYesPriceUsd: number };
}

/** Sends a request, and returns the answer's body. The shapes are documented at /docs/api. */
async function call(base: string, method: string, path: string, body?: object, token?: string) {
  const answer = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

function get(path: string) {
  return call(url, 'GET', `/prediction/v1${path}`);
}

function post(path: string, body: object) {
  return call(url, 'POST', `/prediction/v1${path}`, body);
}

/** Does what `sluice price` and `sluice network advance-clock` do. Only the operator of a network can. */
function operate(method: string, path: string, body?: object) {
  const credential = readFileSync(join(dirname(walletFile), 'operator-credential'), 'utf8').trim();
  return call(admin, method, `/admin/v1/network${path}`, body, credential);
}

/** Asks again until there is an answer. */
async function waitFor<T>(what: string, find: () => Promise<T | null>, seconds = 90): Promise<T> {
  for (const until = Date.now() + seconds * 1_000; Date.now() < until; ) {
    const found = await find();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  throw new Error(`${what} did not come within ${seconds} seconds`);
}

/** Returns the Unix second of the network, whose clock can be put forward. */
async function readClock(): Promise<number> {
  return Number((await operate('GET', '')).unixTimestamp);
}

/** Finds the side of a round that wins if the price rises. Rounds follow one another, of 5 and of 15 minutes. */
async function findUp(): Promise<Side | null> {
  const now = await readClock();
  const { data } = await get('/events?provider=bisonfi&category=crypto&includeMarkets=true');
  const sides: Side[] = data.flatMap((event: { markets: Side[] }) => event.markets);
  const ups = sides.filter(({ outcomeSide, tradable }) => outcomeSide === 'up' && tradable);
  const isOffered = ({ closeTime, pricing: { buyYesPriceUsd } }: Side) =>
    closeTime - now > LEAST_SECONDS && buyYesPriceUsd > 0 && buyYesPriceUsd <= MOST;
  return ups.find(isOffered) ?? null;
}

/** Signs what was built, and has it sent with the context of the build. */
async function execute(
  built: { transaction: string; execution: { context: object } },
  wallet: kit.KeyPairSigner,
): Promise<void> {
  const unsigned = kit.getTransactionDecoder().decode(Buffer.from(built.transaction, 'base64'));
  const signed = await kit.partiallySignTransaction([wallet.keyPair], unsigned);
  const signedTransaction = kit.getBase64EncodedWireTransaction(signed);
  const done = await post('/execute', { signedTransaction, context: built.execution.context });
  if (done.error) throw new Error(`${done.signature} failed: ${JSON.stringify(done.error)}`);
}

async function main(): Promise<void> {
  const wallet = await kit.createKeyPairSignerFromBytes(Uint8Array.from(key));
  const ownerPubkey = wallet.address;
  const up = await waitFor('a round', findUp, 300);
  const { marketId } = up;
  console.log(`up costs ${up.pricing.buyYesPriceUsd / 1e6} USDC`);

  // A purchase is one swap: it is done when it has landed.
  const terms = { isYes: true, isBuy: true, depositAmount: '20000000', depositMint: USDC };
  const bought = await post('/orders', { ownerPubkey, marketId, ...terms });
  await execute(bought, wallet);
  const { positionPubkey } = bought.order;
  const position = await waitFor('the position', async () => {
    const { data } = await get(`/positions?ownerPubkey=${ownerPubkey}`);
    // What it has cost is known once the trade is recorded.
    const isIt = (each: { pubkey: string; totalCostUsd: string }) =>
      each.pubkey === positionPubkey && each.totalCostUsd !== '0';
    return data.find(isIt) ?? null;
  });
  console.log(`bought ${position.contractsDecimal} tokens for ${position.totalCostUsd / 1e6} USDC`);

  // Bitcoin rises, and with it what the tokens bring. Sell 5 of them.
  const { prices } = await operate('GET', '/prices');
  const { price } = prices.find((each: { symbol: string }) => each.symbol === 'BTC');
  await operate('PUT', '/prices/BTC', { price: (Number(price) * 1.01).toFixed(2) });
  const risen = await waitFor('the new price', async () => {
    const market: Side = await get(`/markets/${marketId}`);
    return market.pricing.sellYesPriceUsd > up.pricing.buyYesPriceUsd ? market : null;
  });
  console.log(`bitcoin has risen: up brings ${risen.pricing.sellYesPriceUsd / 1e6} USDC`);
  const sale = { ownerPubkey, positionPubkey, isYes: true, isBuy: false, contracts: '5' };
  await execute(await post('/orders', sale), wallet);

  // The round ends. Its result and the payouts need nobody.
  await operate('POST', '/clock', { seconds: up.closeTime - (await readClock()) + 1 });
  const settled = await waitFor('the result', async () => {
    const market: Side = await get(`/markets/${marketId}`);
    return market.result === null ? null : market;
  });
  console.log(`the result is ${settled.result}`);
  const paid = await waitFor('the payout', async () => {
    const { data } = await get(`/history?ownerPubkey=${ownerPubkey}`);
    const isPayout = (entry: { eventType: string; marketId: string }) =>
      entry.eventType === 'payout_claimed' && entry.marketId === marketId;
    return data.find(isPayout) ?? null;
  });
  console.log(`received ${paid.payoutAmountUsd / 1e6} USDC`);

  // The price of bitcoin moves by itself again, as on a new network.
  await operate('PUT', '/prices/BTC/walk', { deviation: 0.5, seconds: 15 });
}

main();
