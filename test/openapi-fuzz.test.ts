import { beforeAll, describe, expect, it } from 'vitest';
import { deriveSmartAccountSettings, deriveVault } from '../src/solana/programs/smart-account/addresses.ts';
import { SMART_ACCOUNT_PROGRAM } from '../src/solana/programs/smart-account/program.ts';
import { encodeSmartAccountSettings } from '../src/testing/swaps/smart-account-settings.ts';
import { AGGREGATOR_PROGRAM } from '../src/protocol/venue/aggregator-program.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { faultsOf, writeOut } from '../src/testing/documented.ts';
import { fuzzOperations } from '../src/testing/fuzzed-answers.ts';
import { type DocumentedCall, FuzzedRequests, listCalls } from '../src/testing/fuzzed-requests.ts';
import { openSwapGateway } from '../src/testing/genesis-market/gateway.ts';
import { openTestSwap } from '../src/testing/genesis-market/swap.ts';
import { openForAll } from '../src/testing/opened.ts';

let requests: FuzzedRequests;
const swap = await openTestSwap();
const app = openForAll(() => openSwapGateway(swap), 'close');
const document = openForAll(async () => writeOut((await app.inject('/openapi.json')).json()));
beforeAll(setUp);

describe('every operation of the OpenAPI document', () => {
  it('answers as documented, for any request', async () => {
    const answered = await fuzzOperations(calls(), { app, document, requestFor, suite: SUITE });
    const names = calls().map(({ method, path }) => `${method} ${path}`);
    expect(names.filter((name) => !answered.includes(name))).toEqual([]);
  });

  const odd = [
    ...['amount=1&amount=2', 'amount[]=1', 'amount[a]=1', '__proto__=1', '__proto__[x]=1', 'constructor=1'],
    ...['%', '%ff%fe=1', '&&&=', '=', 'amount', 'taker=%00', `x=${'y'.repeat(8_000)}`],
    Array.from({ length: 1_500 }, (_, index) => `k${index}=1`).join('&'),
  ];

  it.each(odd)('takes a query that is written oddly for what it is: %.30s', async (text) => {
    const sound = new URLSearchParams({
      inputMint: SOL,
      outputMint: USDC,
      amount: '1000000',
      taker: swap.wallet.address,
    });
    for (const { method, path } of calls()) {
      const url = `${path}?${sound}&${text}`;
      const payload =
        method === 'post' ? { payload: '{}', headers: { 'content-type': 'application/json' } } : {};
      const answer = await app.inject({ method: method.toUpperCase() as 'GET', url, ...payload });
      expect([200, 400, 414], `${method} ${url.slice(0, 300)}: ${answer.body}`).toContain(answer.statusCode);
    }
  });

  const bodies = [
    ...['', '{', 'null', '[]', '"x"', '{}', '['.repeat(5_000), '{"__proto__":{"x":1}}', '\u0000'],
    ...['{"signedTransaction":1,"requestId":{}}', '{"signedTransaction":"","requestId":"\\u0000"}'],
    JSON.stringify({ signedTransaction: 'A'.repeat(900_000), requestId: 'x'.repeat(50_000) }),
  ];

  it.each(bodies)('says what is wrong with a body: %.30s', async (payload) => {
    for (const { method, path } of calls().filter((call) => call.method === 'post')) {
      const headers = { 'content-type': 'application/json' };
      const answer = await app.inject({ method: method as 'POST', url: path, headers, payload });
      expect([400, 413], `${path}: ${answer.body}`).toContain(answer.statusCode);
      const answered = { method, path, status: answer.statusCode, body: answer.json() };
      expect(faultsOf(document, answered), `${path}: ${answer.body}`).toEqual([]);
      expect(answer.body).toMatch(/"(error|message)":"[^"]{8,}/);
    }
  });

  it('says in its documented form that a body is of a type that is not read', async () => {
    for (const { method, path } of calls().filter((call) => call.method === 'post')) {
      const headers = { 'content-type': 'text/plain' };
      const answer = await app.inject({ method: method as 'POST', url: path, headers, payload: 'x' });
      const answered = { method, path, status: answer.statusCode, body: answer.json() };
      expect(answer.statusCode).toBe(415);
      expect(faultsOf(document, answered), `${path}: ${answer.body}`).toEqual([]);
    }
  });

  it('leaves the service as able as before', async () => {
    const order = await swap.order({ inputMint: SOL, outputMint: USDC, amount: '1000000' });
    expect(await swap.execute(order)).toMatchObject({
      status: 'Success',
      totalOutputAmount: order.outAmount,
    });
  });
});

const SEED = 20_261_121;
/** The cases of each operation: many enough that every operation succeeds once, whatever the seed. */
const SUITE = { cases: 1_000, short: 150, seed: SEED };
const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

async function setUp(): Promise<void> {
  const texts = ['true', 'false', '5', 'high', swap.wallet.address];
  requests = new FuzzedRequests(await sensibleValues(), texts);
}

/** What makes sense for a parameter, or a member of a body, by its name. */
async function sensibleValues() {
  const wallet = swap.wallet.address;
  const order = await swap.order({ inputMint: SOL, outputMint: USDC, amount: '1000000' });
  const query = new URLSearchParams({ inputMint: SOL, outputMint: USDC, amount: '1000000' });
  const quote = (await app.inject(`/swap/v1/quote?${query}`)).json();
  const settings = deriveSmartAccountSettings(1n);
  const members = [{ signer: wallet, permissions: 7 }];
  swap.market.network.setAccount(settings, {
    ...{ lamports: 10_000_000n, owner: SMART_ACCOUNT_PROGRAM, executable: false, rentEpoch: 0n },
    data: encodeSmartAccountSettings({ members }),
  });
  const vault = deriveVault(settings, 0);
  swap.market.network.setAccount(vault, {
    ...{ lamports: 10_000_000_000n, owner: SYSTEM_PROGRAM, executable: false, rentEpoch: 0n },
    data: new Uint8Array(),
  });
  // Programs are addresses too, and some of them cannot stand where wallets do.
  const wallets = [wallet, swap.newWallet(0n).address, SYSTEM_PROGRAM, TOKEN_PROGRAM, AGGREGATOR_PROGRAM];
  return {
    destinationTokenAccount: wallets,
    nativeDestinationAccount: wallets,
    referralAccount: wallets,
    inputMint: [SOL, USDC],
    outputMint: [USDC, SOL],
    amount: ['1', '1000000', '18446744073709551615'],
    taker: wallets,
    vault: [vault],
    settingsPda: [settings],
    signers: [wallet],
    payer: wallets,
    receiver: wallets,
    userPublicKey: wallets,
    feeAccount: wallets,
    slippageBps: ['0', '50', 'rtse', 50],
    platformFeeBps: ['1', 0],
    maxAccounts: ['20', '64'],
    dexes: ['Whirlpool'],
    excludeDexes: ['Whirlpool,Raydium CP'],
    swapMode: ['ExactIn', 'ExactOut'],
    quoteResponse: [quote],
    requestId: [order.requestId, 'x'],
    signedTransaction: [swap.sign(order)],
  };
}

const calls = () => listCalls(document);

function requestFor(call: DocumentedCall) {
  const isForMultisig = call.operation.parameters.some(({ name }) => name === 'settingsPda');
  return requests.requestFor(call, (name) => (isForMultisig && name === 'taker' ? 'vault' : name));
}
