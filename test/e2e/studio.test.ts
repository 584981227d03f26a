import * as web3 from '@solana/web3.js';
import { describe, expect, it, vi } from 'vitest';
import type { Keypair } from '../../src/solana/keypair.ts';
import { useInstance } from './shared-instance.ts';

const instance = useInstance();

describe('a launch by web3.js, as the public guides describe it', () => {
  it('is prepared, uploaded, signed, submitted, traded and claimed', async () => {
    const wallet = await newWallet();
    const prepared = await ask('/studio/v1/dbc-pool/create-tx', {
      ...TERMS,
      creator: wallet.publicKey.toBase58(),
    });
    const files = await upload(prepared);
    const transaction = signed(prepared.transaction, wallet);
    const form = new FormData();
    form.append('transaction', transaction);
    form.append('owner', wallet.publicKey.toBase58());
    form.append('content', 'A story.');
    form.append('headerImage', new File([IMAGE], 'header.png', { type: 'image/png' }));
    const submitted = await submit(form);
    expect(submitted).toEqual({
      success: true,
      data: { mint: prepared.mint, configKey: expect.any(String) },
    });
    expect(await nameOnChain(prepared.mint)).toContain(files.metadataUrl);

    const { data } = await ask(`/studio/v1/dbc-pool/addresses/${prepared.mint}`);
    expect(data).toEqual({
      dbcPoolAddress: expect.any(String),
      dammv2PoolAddress: null,
      configKey: submitted.data.configKey,
    });
    await buy(prepared.mint, wallet);
    const fees = await ask('/studio/v1/dbc/fee', { poolAddress: data.dbcPoolAddress });
    expect(fees).toEqual({ unclaimed: '4000000', total: '4000000' });
    const claim = await ask('/studio/v1/dbc/fee/create-tx', {
      ownerWallet: wallet.publicKey.toBase58(),
      poolAddress: data.dbcPoolAddress,
      maxQuoteAmount: 1_000_000,
    });
    await land(signed(claim.transaction, wallet));
    expect(await ask('/studio/v1/dbc/fee', { poolAddress: data.dbcPoolAddress })).toEqual({
      unclaimed: '3000000',
      total: '4000000',
    });
    const page = await ask(`/studio/v1/dbc-pool/page/${prepared.mint}`);
    expect(page).toMatchObject({ owner: wallet.publicKey.toBase58(), content: 'A story.' });
    expect(Buffer.from(await (await fetch(page.headerImage)).arrayBuffer())).toEqual(IMAGE);
  });

  it('is shown as a token, with a price, and in the portfolio of its creator', async () => {
    const wallet = await newWallet();
    const creator = wallet.publicKey.toBase58();
    const prepared = await ask('/studio/v1/dbc-pool/create-tx', { ...TERMS, creator });
    const form = new FormData();
    form.append('transaction', signed(prepared.transaction, wallet));
    form.append('owner', creator);
    await submit(form);
    const { tokenSymbol: symbol } = TERMS;
    await vi.waitFor(async () =>
      expect(await ask(`/tokens/v2/search?query=${prepared.mint}`)).toMatchObject([
        { id: prepared.mint, symbol, launchpad: 'met-dbc', dev: creator },
      ]),
    );
    await buy(prepared.mint, wallet);
    const prices = await ask(`/price/v3?ids=${prepared.mint}`);
    expect(prices[prepared.mint].usdPrice).toBeGreaterThan(0);
    const { elements } = await ask(`/portfolio/v1/positions/${creator}`);
    expect(elements).toContainEqual(expect.objectContaining({ label: 'Rewards', name: 'Studio' }));
  });

  it('is found by its creator as vesting and as liquidity once it has graduated', async () => {
    const wallet = await newWallet();
    const creator = wallet.publicKey.toBase58();
    const lockedVestingParam = {
      totalLockedVestingAmount: 100_000_000,
      cliffUnlockAmount: 0,
      numberOfVestingPeriod: 365,
      totalVestingDuration: 31_536_000,
      cliffDurationFromMigrationTime: 0,
    };
    const buildCurveByMarketCapParam = { ...TERMS.buildCurveByMarketCapParam, lockedVestingParam };
    const prepared = await ask('/studio/v1/dbc-pool/create-tx', {
      ...TERMS,
      buildCurveByMarketCapParam,
      creator,
    });
    const form = new FormData();
    form.append('transaction', signed(prepared.transaction, wallet));
    form.append('owner', creator);
    await submit(form);
    await buyAll(prepared.mint, wallet);
    await vi.waitFor(async () => {
      const { elements } = await ask(`/portfolio/v1/positions/${creator}`);
      const labels = elements.map(({ label }: { label: string }) => label);
      expect(labels).toEqual(expect.arrayContaining(['Vesting', 'LiquidityPool', 'Rewards']));
    });
    const { data } = await ask(`/studio/v1/dbc-pool/addresses/${prepared.mint}`);
    expect(data.dammv2PoolAddress).toEqual(expect.any(String));
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const ONE_SOL = 1_000_000_000;
/** A picture of one pixel. */
const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);
const TERMS = {
  buildCurveByMarketCapParam: {
    quoteMint: SOL,
    initialMarketCap: 80.5,
    migrationMarketCap: 345.25,
    tokenQuoteDecimal: 9,
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
  tokenName: 'Launched by web3.js',
  tokenSymbol: 'WEB3',
  tokenImageContentType: 'image/png',
};

async function newWallet(): Promise<web3.Keypair> {
  const { secretKey }: Pick<Keypair, 'secretKey'> = await instance.newWallet(200n * BigInt(ONE_SOL));
  return web3.Keypair.fromSecretKey(secretKey);
}

/** Asks, and expects an answer without an error. */
async function ask(path: string, body?: object) {
  const { status, json } = await instance.ask(path, body);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

function signed(transaction: string, wallet: web3.Keypair): string {
  const parsed = web3.VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
  parsed.sign([wallet]);
  return Buffer.from(parsed.serialize()).toString('base64');
}

/** Uploads the image and the metadata, which nobody needs a key for. Returns where the metadata are. */
async function upload(prepared: {
  readonly imagePresignedUrl: string;
  readonly metadataPresignedUrl: string;
  readonly imageUrl: string;
}) {
  const put = async (url: string, type: string, body: Uint8Array<ArrayBuffer> | string) => {
    const { ok, status } = await fetch(url, { method: 'PUT', headers: { 'Content-Type': type }, body });
    expect(ok, `${status}`).toBe(true);
  };
  await put(prepared.imagePresignedUrl, 'image/png', IMAGE);
  const { tokenName: name, tokenSymbol: symbol } = TERMS;
  const metadata = { name, symbol, description: '', image: prepared.imageUrl };
  const links = { website: '', twitter: '', telegram: '' };
  await put(
    prepared.metadataPresignedUrl,
    'application/json',
    JSON.stringify({ ...metadata, ...links }, null, 2),
  );
  const metadataUrl = prepared.metadataPresignedUrl.split('?')[0] ?? '';
  const served = await fetch(metadataUrl);
  expect(await served.json()).toMatchObject({ name, symbol, image: prepared.imageUrl });
  const image = await fetch(prepared.imageUrl);
  expect(image.headers.get('content-type')).toBe('image/png');
  return { metadataUrl };
}

interface SubmittedLaunch {
  readonly success: boolean;
  readonly data: { readonly mint: string; readonly configKey: string };
}

async function submit(form: FormData): Promise<SubmittedLaunch> {
  const response = await fetch(`${instance.restUrl}/studio/v1/dbc-pool/submit`, {
    method: 'POST',
    body: form,
    headers: { 'x-api-key': instance.apiKey },
  });
  const json = (await response.json()) as SubmittedLaunch;
  expect(response.status, JSON.stringify(json)).toBe(200);
  return json;
}

function connect(): web3.Connection {
  const wsEndpoint = instance.shown('Solana WebSocket');
  return new web3.Connection(instance.rpcUrl, { commitment: 'confirmed', wsEndpoint });
}

/** Returns the account of the token's metadata as text. */
async function nameOnChain(mint: string): Promise<string> {
  const program = new web3.PublicKey('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');
  const seeds = [Buffer.from('metadata'), program.toBuffer(), new web3.PublicKey(mint).toBuffer()];
  const [address] = web3.PublicKey.findProgramAddressSync(seeds, program);
  const connection = connect();
  return `${(await connection.getAccountInfo(address))?.data.toString('latin1')}`;
}

async function land(transaction: string): Promise<void> {
  const connection = connect();
  const latest = await connection.getLatestBlockhash('finalized');
  const options = { maxRetries: 0, skipPreflight: true };
  const signature = await connection.sendRawTransaction(Buffer.from(transaction, 'base64'), options);
  const { value } = await connection.confirmTransaction({ signature, ...latest }, 'confirmed');
  expect(value.err).toBeNull();
}

/** Orders tokens of a launch. Returns null if the curve does not take so much. */
async function order(mint: string, amount: number, taker: string | null) {
  const query = { inputMint: SOL, outputMint: mint, amount: String(amount), ...(taker && { taker }) };
  const { status, json } = await instance.ask(`/swap/v2/order?${new URLSearchParams(query)}`);
  return status === 200 ? json : null;
}

async function buy(mint: string, wallet: web3.Keypair, amount = ONE_SOL): Promise<void> {
  const { transaction, requestId } = await order(mint, amount, wallet.publicKey.toBase58());
  const signedTransaction = signed(transaction, wallet);
  expect(await ask('/swap/v2/execute', { signedTransaction, requestId })).toMatchObject({
    status: 'Success',
  });
}

/** Buys as much as the curve takes, which completes it. */
async function buyAll(mint: string, wallet: web3.Keypair): Promise<void> {
  let [taken, refused] = [0, 150 * ONE_SOL];
  while (refused - taken > 1) {
    const middle = Math.floor((taken + refused) / 2);
    if ((await order(mint, middle, null)) !== null) taken = middle;
    else refused = middle;
  }
  await buy(mint, wallet, taken);
}
