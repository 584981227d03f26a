import { readFileSync } from 'node:fs';
import { Configuration, type QuoteGetRequest, type QuoteResponse, ResponseError, SwapApi } from '@jup-ag/api';
import {
  type AddressLookupTableAccount,
  Connection,
  Keypair,
  PublicKey,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { closeConnection } from '../../src/testing/chain/web3-connection.ts';
import { Deployment, type DeploymentKind, TESTED_DEPLOYMENTS } from './deployment.ts';
import { untilLanded } from './landed.ts';
import { toInstruction } from './web3-instructions.ts';

let deployment: Deployment;
let connection: Connection;
let wallet: Keypair;

describe.each(TESTED_DEPLOYMENTS)('the npm client of swap v1 on %s', (kind) => {
  beforeAll(() => open(kind));
  afterAll(tearDown);

  it('quotes, swaps, signs and lands', async () => {
    const before = await held(USDC);
    const quote = await swap(
      { inputMint: SOL, outputMint: USDC, amount: 100_000_000 },
      {
        dynamicComputeUnitLimit: true,
        prioritizationFeeLamports: {
          priorityLevelWithMaxLamports: { priorityLevel: 'veryHigh', maxLamports: 1_000_000 },
        },
      },
    );
    expect(quote.slippageBps).toBe(50);
    expect((await held(USDC)) - before).toBe(BigInt(quote.outAmount));
  });

  it('swaps for an exact output', async () => {
    const before = { usdc: await held(USDC), usdt: await held(USDT) };
    const request = { inputMint: USDC, outputMint: USDT, amount: 7_000_000, swapMode: 'ExactOut' } as const;
    const quote = await swap(request);
    expect(quote).toMatchObject({ outAmount: '7000000', swapMode: 'ExactOut' });
    expect((await held(USDT)) - before.usdt).toBe(7_000_000n);
    expect(before.usdc - (await held(USDC))).toBe(BigInt(quote.inAmount));
  });

  it('takes instructions, assembles them itself, signs and lands', async () => {
    const before = await held(JUP);
    const request = { inputMint: SOL, outputMint: JUP, amount: 50_000_000, slippageBps: 100 };
    await agreed(request);
    const quoteResponse = await api().quoteGet({ ...request, instructionVersion: 'V2' });
    const answer = await api().swapInstructionsPost({
      swapRequest: { userPublicKey: userPublicKey(), quoteResponse },
    });
    const { blockhash } = await connection.getLatestBlockhash();
    const message = new TransactionMessage({
      payerKey: wallet.publicKey,
      recentBlockhash: blockhash,
      instructions: [
        ...answer.computeBudgetInstructions,
        ...answer.setupInstructions,
        answer.swapInstruction,
        ...(answer.cleanupInstruction === undefined ? [] : [answer.cleanupInstruction]),
        ...answer.otherInstructions,
      ].map(toInstruction),
    }).compileToV0Message(await Promise.all(answer.addressLookupTableAddresses.map(lookupTable)));
    await signAndLand(new VersionedTransaction(message));
    expect((await held(JUP)) - before).toBe(BigInt(quoteResponse.outAmount));
  });

  // What follows is about the form of answers.
  if (kind !== 'embedded stores') return;

  it('lists the venues by their programs', async () => {
    expect(await api().programIdToLabelGet()).toMatchObject({
      CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C: 'Raydium CP',
    });
  });

  it('gets a sentence that states the problem', async () => {
    const refused = api().quoteGet({ inputMint: SOL, outputMint: SOL, amount: 1 });
    const error = await refused.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof ResponseError)) throw new Error('the quote was not refused');
    expect(error.response.status).toBe(400);
    expect(await error.response.json()).toEqual({
      error: expect.stringContaining('must differ'),
      errorCode: 'CIRCULAR_ARBITRAGE_IS_DISABLED',
    });
  });

  it('may repeat the labels of venues, as arrays are written', async () => {
    const { routePlan } = await api().quoteGet({
      inputMint: SOL,
      outputMint: USDC,
      amount: 1_000_000,
      dexes: ['Raydium CP', 'Whirlpool'],
    });
    expect(routePlan.length).toBeGreaterThan(0);
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'Body cannot be empty'],
    ['a list', [], 'the body must be an object'],
    ['no quote', { userPublicKey: USDC }, 'quoteResponse is missing'],
    ['accounts of pools', { keyedUiAccounts: [{}] }, 'keyedUiAccounts'],
    ['an endless plan', { quoteResponse: { routePlan: new Array(33).fill({}) } }, 'quoteResponse.'],
  ])('is refused a body with %s', async (_, given, message) => {
    const { inputMint, ...rest } = await api().quoteGet({
      inputMint: SOL,
      outputMint: USDC,
      amount: 1_000_000,
    });
    const isRecord = typeof given === 'object' && given !== null && !Array.isArray(given);
    const valid = { userPublicKey: userPublicKey(), quoteResponse: { inputMint, ...rest } };
    const body = isRecord && !('userPublicKey' in given) ? { ...valid, ...given } : given;
    for (const path of ['swap', 'swap-instructions']) {
      const response = await fetch(`${deployment.rest()}/swap/v1/${path}`, {
        method: 'POST',
        headers: { 'x-api-key': deployment.shown('API key'), 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(response.status).toBe(400);
      expect(JSON.stringify(await response.json())).toContain(message);
    }
  });

  async function tearDown(): Promise<void> {
    if (connection !== undefined) closeConnection(connection);
    await deployment?.close();
  }
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN';
const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';

async function open(kind: DeploymentKind): Promise<void> {
  deployment = await Deployment.open(kind);
  connection = new Connection(deployment.shown('Solana RPC'), {
    commitment: 'confirmed',
    wsEndpoint: deployment.shown('Solana WebSocket'),
  });
  const key: number[] = JSON.parse(readFileSync(deployment.shown('its key'), 'utf8'));
  wallet = Keypair.fromSecretKey(Uint8Array.from(key));
  await firstConfirmedSlot();
}

/** The client, at the instance whose turn it is. */
function api(rest = deployment.rest()): SwapApi {
  const headers = { 'x-api-key': deployment.shown('API key') };
  return new SwapApi(new Configuration({ basePath: `${rest}/swap/v1`, headers }));
}

/** Resolves when every instance has seen what landed, so that all quote the same. */
async function agreed(request: QuoteGetRequest): Promise<void> {
  const quoted = async (_: unknown, index: number) => {
    const { inAmount, outAmount } = await api(deployment.shown('REST', index)).quoteGet(request);
    return { inAmount, outAmount };
  };
  await vi.waitFor(
    async () => {
      const [first, ...others] = await Promise.all(Array.from({ length: deployment.size }, quoted));
      for (const other of others) expect(other).toEqual(first);
    },
    { interval: 50 },
  );
}

/** Lookup tables of slot 0 can be used from the next slot on, and preflight looks at the newest confirmed one. */
async function firstConfirmedSlot(): Promise<void> {
  let subscription = 0;
  await new Promise<void>((resolve, reject) => {
    subscription = connection.onSlotChange(() => {
      connection.getSlot('confirmed').then((slot) => slot > 0 && resolve(), reject);
    });
  });
  await connection.removeSlotChangeListener(subscription);
}

function userPublicKey(): string {
  return wallet.publicKey.toBase58();
}

async function held(mint: string): Promise<bigint> {
  const { value } = await connection.getParsedTokenAccountsByOwner(wallet.publicKey, {
    mint: new PublicKey(mint),
  });
  return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
}

async function signAndLand(transaction: VersionedTransaction): Promise<void> {
  transaction.sign([wallet]);
  await untilLanded(connection, await connection.sendTransaction(transaction));
}

/** Quotes, has the transaction made, signs it, and lands it. */
async function swap(
  request: QuoteGetRequest,
  fields: Partial<Parameters<SwapApi['swapPost']>[0]['swapRequest']> = {},
): Promise<QuoteResponse> {
  await agreed(request);
  const quoteResponse = await api().quoteGet(request);
  const answer = await api().swapPost({
    swapRequest: { userPublicKey: userPublicKey(), quoteResponse, ...fields },
  });
  const transaction = VersionedTransaction.deserialize(Buffer.from(answer.swapTransaction, 'base64'));
  await signAndLand(transaction);
  return quoteResponse;
}

async function lookupTable(address: string): Promise<AddressLookupTableAccount> {
  const { value } = await connection.getAddressLookupTable(new PublicKey(address));
  if (value === null) throw new Error(`no lookup table ${address}`);
  return value;
}
