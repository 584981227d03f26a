// Trades on a prediction market: creates an event, buys a side and sells some of it again, says which side has won, and claims the
// payout. Start Sluice with `npm start`, then run `npx tsx examples/prediction.ts`.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as kit from '@solana/kit';

const { SLUICE_URL, SLUICE_ADMIN_URL, SLUICE_WALLET } = process.env;
const url = SLUICE_URL ?? 'http://127.0.0.1:8787';
const admin = SLUICE_ADMIN_URL ?? 'http://127.0.0.1:8788';
const walletFile = SLUICE_WALLET ?? '.sluice/demo-wallet.json';
const key = JSON.parse(readFileSync(walletFile, 'utf8'));

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

/** Does what `sluice prediction event create` and `resolve` do. Only the operator can. */
function administer(path: string, body: object) {
  const credential = readFileSync(join(dirname(walletFile), 'operator-credential'), 'utf8').trim();
  return call(admin, 'POST', `/admin/v1${path}`, body, credential);
}

/** Asks again until there is an answer. */
async function waitFor<T>(what: string, find: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < 300; tries++) {
    const found = await find();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${what} did not come within a minute`);
}

/** Signs a transaction of an answer, and has it sent. */
async function land({ transaction }: { transaction: string }, wallet: kit.KeyPairSigner): Promise<void> {
  const unsigned = kit.getTransactionDecoder().decode(Buffer.from(transaction, 'base64'));
  const signed = await kit.partiallySignTransaction([wallet.keyPair], unsigned);
  const signedTransaction = kit.getBase64EncodedWireTransaction(signed);
  const done = await post('/execute', { signedTransaction });
  if (done.error) throw new Error(`${done.signature} failed: ${JSON.stringify(done.error)}`);
}

/** Waits until an order is over. It may be filled in part: what counts is what was filled. */
async function waitForOrder(orderPubkey: string) {
  const over = await waitFor('the end of the order', async () => {
    const answer = await fetch(`${url}/prediction/v1/orders/status/${orderPubkey}`);
    if (answer.status === 404) return null;
    const status = (await answer.json()) as { latestEventType: string };
    return ['order_closed', 'order_failed'].includes(status.latestEventType) ? status : null;
  });
  if (over.latestEventType === 'order_failed') throw new Error(`the order failed: ${JSON.stringify(over)}`);
}

async function findPosition(owner: string, marketId: string) {
  const { data } = await get(`/positions?ownerPubkey=${owner}`);
  return data.find((position: { marketId: string }) => position.marketId === marketId) ?? null;
}

async function main(): Promise<void> {
  const wallet = await kit.createKeyPairSignerFromBytes(Uint8Array.from(key));
  const owner = wallet.address;

  const event = await administer('/prediction-events', {
    title: 'Does it rain in Lindenburg tomorrow?',
    category: 'culture',
    closeAt: '1d',
    markets: [{ title: 'It rains', house: { startCents: 40, contractsPerCent: 100 } }],
  });
  const [{ marketId }] = event.markets;
  const market = await get(`/markets/${marketId}`);
  console.log(`${market.title}: yes costs ${market.pricing.buyYesPriceUsd / 1e6} USD`);

  // Buy the side for 20 USDC. The answer is a transaction that lacks the owner's signature alone.
  const buy = { ownerPubkey: owner, marketId, isYes: true, isBuy: true, depositAmount: '20000000' };
  const bought = await post('/orders', buy);
  await land(bought, wallet);
  await waitForOrder(bought.order.orderPubkey);
  const position = await waitFor('the position', () => findPosition(owner, marketId));
  console.log(`bought ${position.contractsDecimal} contracts for ${position.totalCostUsd / 1e6} USD`);

  // Sell 10 contracts of it.
  const { pubkey: positionPubkey } = position;
  const sell = { ownerPubkey: owner, positionPubkey, isYes: true, isBuy: false, contracts: '10' };
  const sold = await post('/orders', sell);
  await land(sold, wallet);
  await waitForOrder(sold.order.orderPubkey);
  const rest = await waitFor('the rest of the position', () => findPosition(owner, marketId));
  console.log(`${rest.contractsDecimal} contracts are left`);

  // It rains: a contract pays one dollar.
  await administer(`/prediction-markets/${marketId}/resolve`, { result: 'yes' });
  await waitFor('the result', async () => {
    const won = await findPosition(owner, marketId);
    return won?.claimable ? won : null;
  });
  const claim = await post(`/positions/${positionPubkey}/claim`, { ownerPubkey: owner });
  await land(claim, wallet);
  const paid = await waitFor('the payout', async () => {
    const { data } = await get(`/history?ownerPubkey=${owner}`);
    const isPayout = (entry: { eventType: string; marketId: string }) =>
      entry.eventType === 'payout_claimed' && entry.marketId === marketId;
    return data.find(isPayout) ?? null;
  });
  console.log(`claimed ${paid.payoutAmountUsd / 1e6} JupUSD`);
}

main();
