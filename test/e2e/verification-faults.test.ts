import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeypairFromSeed } from '../../src/solana/keypair.ts';
import {
  addSignatures,
  parseTransaction,
  getTransactionSignature,
} from '../../src/solana/messages/transaction.ts';
import { TOKENS } from '../../src/solana/known-tokens.ts';
import { FaultWorld, type StoresKind, TESTED_STORES } from './fault-world.ts';

let world: FaultWorld;
let unused: string[];

describe.each(TESTED_STORES)('express verification with %s', (stores) => {
  beforeAll(setUp);
  afterAll(() => world?.close());

  const next = nextGateway(stores);

  it(`records a payment that landed before kill -9; the same request goes to ${next.name}`, async () => {
    const [payment, mint, before] = [await signedPayment('USDC'), freshToken(), await collected()];
    world.unseen.add(payment.signature);
    const executing = execute(payment, mint);
    await world.until(() => world.isConfirmed(payment.signature));
    await world.killGateway();
    expect(await executing).toBeNull();
    world.unseen.delete(payment.signature);
    await next.takeOver();
    expect(await execute(payment, mint)).toMatchObject(created);
    expect(await execute(payment, mint)).toMatchObject(created);
    expect(await collected()).toBe(before + BigInt(String(payment.claim.jupOutputAmount)));
    expect(await pendingOf(payment)).toHaveLength(1);
    await next.goBack();
  });

  it(`sends a payment that kill -9 kept back; the same request goes to ${next.name}`, async () => {
    const [payment, mint, before] = [await signedPayment(), freshToken(), await collected()];
    world.held.add(payment.signature);
    const executing = execute(payment, mint);
    await world.until(() => world.tried.has(payment.signature));
    await world.killGateway();
    expect(await executing).toBeNull();
    expect(await world.isConfirmed(payment.signature)).toBe(false);
    world.held.delete(payment.signature);
    await next.takeOver();
    expect(await execute(payment, mint)).toMatchObject(created);
    expect(await collected()).toBe(before + PRICE);
    expect(await pendingOf(payment)).toHaveLength(1);
    await next.goBack();
  });

  it('records a payment once that all instances are sent at the same time', async () => {
    const [payment, mint, before] = [await signedPayment('SOL'), freshToken(), await collected()];
    const answers = await Promise.all(restsOf(stores).map((rest) => execute(payment, mint, rest)));
    for (const answer of answers) expect(answer).toMatchObject(created);
    expect(await collected()).toBe(before + BigInt(String(payment.claim.jupOutputAmount)));
    expect(await pendingOf(payment)).toHaveLength(1);
  });

  it('records a payment for one token when it is sent for two at the same time', async () => {
    const [payment, before] = [await signedPayment(), await collected()];
    const rests = restsOf(stores);
    const answers = await Promise.all(rests.map((rest) => execute(payment, freshToken(), rest)));
    expect(answers.map((answer) => answer?.status).sort()).toEqual([200, 409]);
    expect(answers.find((answer) => answer?.status === 409)?.json.code).toBe('ELIGIBILITY_CONFLICT');
    expect(await collected()).toBe(before + PRICE);
    expect(await pendingOf(payment)).toHaveLength(1);
  });

  it('takes one of two payments for the same token that are sent at the same time', async () => {
    const mint = freshToken();
    const [one, other] = [await signedPayment(), await signedPayment()];
    const before = await collected();
    const [first = '', second = ''] = restsOf(stores);
    const answers = await Promise.all([execute(one, mint, first), execute(other, mint, second)]);
    expect(answers.map((answer) => answer?.status).sort()).toEqual([200, 409]);
    expect(await collected()).toBe(before + PRICE);
    expect([...(await pendingOf(one)), ...(await pendingOf(other))]).toHaveLength(1);
  });

  async function setUp(): Promise<void> {
    unused = TOKENS.map(({ mint }) => mint).filter((mint) => mint !== JUP);
    world = await FaultWorld.open(stores, [`--token-verification-wallet=${receiver}`]);
    const wallet = world.taker.address;
    const funds = 20n * PRICE;
    await world.admin('network', 'POST', 'network/faucet', { wallet, mint: JUP, amount: String(funds) });
    await world.until(async () => (await world.holding(wallet, JUP)) >= funds);
  }
});

const EXPRESS = '/tokens/v2/verify/express';
const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN';
const PRICE = 1_000_000_000n;
const receiver = createKeypairFromSeed(new Uint8Array(32).fill(77)).address;

interface Payment {
  readonly requestId: string;
  readonly transaction: string;
  readonly signature: string;
  /** The fields of the request that say what was paid, if it was not JUP. */
  readonly claim: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Asks the gateway whose turn it is, or the one at `rest`. */
async function ask(path: string, body?: object, rest = world.ofGateway('REST')): Promise<Answer> {
  const response = await fetch(`${rest}${EXPRESS}/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': world.ofGateway('API key') },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Answer['json'] };
}

/** A payment that the demo wallet has signed. */
async function signedPayment(currency = 'JUP'): Promise<Payment> {
  const query = new URLSearchParams({ senderAddress: world.taker.address, paymentCurrency: currency });
  const { json } = await ask(`craft-txn?${query}`);
  expect(json).toMatchObject({ code: 0, receiverAddress: receiver });
  const wire = addSignatures(parseTransaction(Buffer.from(String(json.transaction), 'base64')), [
    world.taker,
  ]);
  return {
    requestId: String(json.requestId),
    transaction: Buffer.from(wire).toString('base64'),
    signature: getTransactionSignature(parseTransaction(wire)),
    claim:
      currency === 'JUP'
        ? {}
        : {
            paymentCurrency: currency,
            paymentAmount: json.quotedInputAmount,
            jupOutputAmount: json.amount,
          },
  };
}

/** Requests new metadata for a token. Resolves to null if the gateway is gone before it answers. */
function execute(payment: Payment, tokenId: string, rest?: string): Promise<Answer | null> {
  const { requestId, transaction, claim } = payment;
  const texts = { twitterHandle: '', description: '', tokenMetadata: { tokenId, name: 'New name' } };
  const body = { requestId, transaction, senderAddress: world.taker.address, tokenId, ...claim, ...texts };
  return ask('execute', body, rest).catch(() => null);
}

/** A token about which no test has requested anything. */
function freshToken(): string {
  const mint = unused.pop();
  if (mint === undefined) throw new Error('the genesis has too few tokens');
  return mint;
}

/** The requests of the payment that wait for the operator's decision. */
async function pendingOf({ signature }: Payment): Promise<readonly unknown[]> {
  const { requests } = await world.admin('gateway', 'GET', 'token-requests');
  return (requests as { readonly signature: string }[]).filter((request) => request.signature === signature);
}

const collected = () => world.holding(receiver, JUP);
const created = { status: 200, json: { status: 'Success', metadataCreated: true } };

/** Two addresses to send requests to at the same time: of both instances, or twice that of the only one. */
function restsOf(stores: StoresKind): readonly [string, string] {
  const rest = world.ofGateway('REST');
  if (stores !== 'two instances') return [rest, rest];
  world.turnTo(1);
  const other = world.ofGateway('REST');
  world.turnTo(0);
  return [rest, other];
}

/** Which gateway clients turn to when theirs was killed. */
function nextGateway(stores: StoresKind) {
  if (stores !== 'two instances') {
    return {
      name: 'the same instance, started again',
      takeOver: () => world.startGateway(),
      goBack: () => Promise.resolve(),
    };
  }
  return {
    name: 'another instance',
    takeOver: async () => world.turnTo(1),
    goBack: () => {
      world.turnTo(0);
      return world.startGateway();
    },
  };
}
