// Launches a token with an image and a page, buys its whole curve, waits for its graduation, and claims the creator's fees. Start
// Sluice with `npm start`, then run `npx tsx examples/launch.ts`.
import { readFileSync } from 'node:fs';
import * as kit from '@solana/kit';

const { SLUICE_URL, SOLANA_RPC_URL, SLUICE_WALLET } = process.env;
const url = SLUICE_URL ?? 'http://127.0.0.1:8787';
const rpc = kit.createSolanaRpc(SOLANA_RPC_URL ?? 'http://127.0.0.1:8899');
const key = JSON.parse(readFileSync(SLUICE_WALLET ?? '.sluice/demo-wallet.json', 'utf8'));
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
/** A picture of one pixel. */
const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

/** From 16,000 to 69,000 USDC: a curve that raises about 17,940 USDC. */
const TERMS = {
  buildCurveByMarketCapParam: {
    quoteMint: USDC,
    initialMarketCap: 16_000,
    migrationMarketCap: 69_000,
    tokenQuoteDecimal: 6,
    lockedVestingParam: {
      totalLockedVestingAmount: 0,
      cliffUnlockAmount: 0,
      numberOfVestingPeriod: 0,
      totalVestingDuration: 0,
      cliffDurationFromMigrationTime: 0,
    },
  },
  antiSniping: false,
  fee: { feeBps: 100 },
  isLpLocked: true,
  tokenName: 'Example Token',
  tokenSymbol: 'EXAMPLE',
  tokenImageContentType: 'image/png',
};

/** Sends a request, and returns the answer's body. The shapes are documented at /docs/api. */
async function call(path: string, init?: RequestInit) {
  const answer = await fetch(new URL(path, url), init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}

function post(path: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  return call(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Adds the wallet's signature to a transaction. */
async function sign(transaction: string, { keyPair }: kit.KeyPairSigner): Promise<string> {
  const unsigned = kit.getTransactionDecoder().decode(Buffer.from(transaction, 'base64'));
  const signed = await kit.partiallySignTransaction([keyPair], unsigned);
  return kit.getBase64EncodedWireTransaction(signed);
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

/** Lands a signed transaction over the RPC. */
async function land(signed: string): Promise<void> {
  const wire = signed as kit.Base64EncodedWireTransaction;
  const signature = await rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
  await waitFor('the confirmation', async () => {
    const [status] = (await rpc.getSignatureStatuses([signature]).send()).value;
    if (status?.err) throw new Error(`${signature} failed: ${JSON.stringify(status.err)}`);
    return status && status.confirmationStatus !== 'processed' ? status : null;
  });
}

async function launch(wallet: kit.KeyPairSigner) {
  const prepared = await post('/studio/v1/dbc-pool/create-tx', { ...TERMS, creator: wallet.address });

  // The two files, at the URLs of the answer, which take no API key. The token names the metadata on the chain, and the metadata
  // name the image.
  await call(prepared.imagePresignedUrl, {
    method: 'PUT',
    headers: { 'content-type': TERMS.tokenImageContentType },
    body: IMAGE,
  });
  await call(prepared.metadataPresignedUrl, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: TERMS.tokenName,
      symbol: TERMS.tokenSymbol,
      description: 'A token of an example.',
      image: prepared.imageUrl,
    }),
  });

  // The creator's signature completes the transaction. Sluice lands it, and keeps the page of the token.
  const form = new FormData();
  form.set('transaction', await sign(prepared.transaction, wallet));
  form.set('owner', wallet.address);
  form.set('content', 'Why this token exists.');
  form.set('headerImage', new Blob([IMAGE], { type: 'image/png' }), 'header.png');
  const { data } = await call('/studio/v1/dbc-pool/submit', { method: 'POST', body: form });
  return data as { mint: string; configKey: string };
}

interface Order {
  readonly transaction: string | null;
  readonly requestId: string;
}

/** Asks for a swap of USDC into the token. Returns null if the curve does not take so much. */
async function order(mint: string, amount: number, taker?: string): Promise<Order | null> {
  const query = { inputMint: USDC, outputMint: mint, amount: String(amount), ...(taker ? { taker } : {}) };
  const answer = await fetch(`${url}/swap/v2/order?${new URLSearchParams(query)}`);
  return answer.ok ? ((await answer.json()) as Order) : null;
}

/** Finds the most base units of USDC that the curve takes. */
async function findLargestPurchase(mint: string): Promise<number> {
  let [taken, refused] = [0, 20_000_000_000];
  while (refused - taken > 1) {
    const middle = Math.floor((taken + refused) / 2);
    if (await order(mint, middle)) taken = middle;
    else refused = middle;
  }
  return taken;
}

async function buy(mint: string, amount: number, wallet: kit.KeyPairSigner): Promise<void> {
  const swap = await order(mint, amount, wallet.address);
  if (!swap?.transaction) throw new Error(`no order for ${amount}: ${JSON.stringify(swap)}`);
  const signedTransaction = await sign(swap.transaction, wallet);
  const { requestId } = swap;
  const done = await post('/swap/v2/execute', { signedTransaction, requestId });
  if (done.status !== 'Success') throw new Error(`the swap failed: ${JSON.stringify(done)}`);
  console.log(`bought ${done.totalOutputAmount / 1e6} tokens for ${amount / 1e6} USDC`);
}

async function main(): Promise<void> {
  const wallet = await kit.createKeyPairSignerFromBytes(Uint8Array.from(key));
  const { mint } = await launch(wallet);
  const [token] = await waitFor('the token', async () => {
    const found = await call(`/tokens/v2/search?query=${mint}`);
    return found.length > 0 ? found : null;
  });
  console.log(`launched ${token.symbol}, ${mint}`);

  await buy(mint, 1_000_000_000, wallet);
  await buy(mint, await findLargestPurchase(mint), wallet);

  // The curve is complete, so Sluice moves its liquidity to a pool of DAMM v2.
  const addresses = `/studio/v1/dbc-pool/addresses/${mint}`;
  const { dbcPoolAddress, dammv2PoolAddress } = await waitFor('the graduation', async () => {
    const { data } = await call(addresses);
    return data.dammv2PoolAddress === null ? null : data;
  });
  console.log(`graduated from ${dbcPoolAddress} to ${dammv2PoolAddress}`);

  const { unclaimed } = await post('/studio/v1/dbc/fee', { poolAddress: dbcPoolAddress });
  const claim = await post('/studio/v1/dbc/fee/create-tx', {
    ownerWallet: wallet.address,
    poolAddress: dbcPoolAddress,
    maxQuoteAmount: Number(unclaimed),
  });
  await land(await sign(claim.transaction, wallet));
  console.log(`claimed ${Number(unclaimed) / 1e6} USDC of fees`);
}

main();
