import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GenesisTestMarket } from '../../../testing/genesis-market/open.ts';
import { signedAgain } from '../../../testing/rfq/second-signature.ts';
import type { LeapingTimers } from '../../../testing/timers.ts';
import { ALREADY_PROCESSED } from '../../../chain/chain.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import type { Address } from '../../../solana/address.ts';
import { createKeypairFromSeed, type Keypair } from '../../../solana/keypair.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import {
  parseTransaction,
  signTransaction,
  getTransactionSignature,
} from '../../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { encodeTokenAccount } from '../../../solana/programs/token/account.ts';
import { transfer } from '../../../solana/programs/token/instructions.ts';
import { STORES, type TestStore } from '../../../testing/store/test-store.ts';
import { VerificationRequests } from '../../../tokens/verification/requests.ts';
import type { StoredTokenDecisions } from '../../../tokens/verification/stored-decisions.ts';
import { checkEligibility } from './eligibility.ts';
import { type ExpressDependencies, executeExpress } from './execute.ts';
import {
  createExpressSubject,
  ExpressWorld,
  SEAL_KEY,
  TEXTS,
} from '../../../testing/products/express-verification.ts';
import { craftPayment, type PaymentDependencies } from './payment.ts';
import { PRICE } from './price.ts';
import { openSeal, sealPayment } from './seal.ts';
import { settlePayments } from './settle-payments.ts';

let world: ExpressWorld;
let market: GenesisTestMarket;
let opened: TestStore;
let decisions: StoredTokenDecisions;
let requests: VerificationRequests;
let sender: Keypair;
let receiver: Address;
let services: ExpressDependencies & PaymentDependencies;
let timers: LeapingTimers;

describe.each(STORES)('express verification on %s', (kind) => {
  beforeEach(() => setUp(kind));
  afterEach(() => world.close());

  it('takes 1,000 JUP and records the request; the same request again has the same answer', async () => {
    const request = {
      ...(await paymentOf()),
      ...createExpressSubject(CAT, { website: 'https://example.org' }),
    };
    const before = held(sender.address);
    const result = await executeExpress(services, request);
    expect(result).toMatchObject({ kind: 'recorded', verificationCreated: true, metadataCreated: true });
    expect(await executeExpress(services, request)).toEqual(result);
    expect(before - held(sender.address)).toBe(1_000_000_000n);
    expect(held(receiver)).toBe(1_000_000_000n);
    expect(await requests.list('pending')).toMatchObject([
      {
        mint: CAT,
        sender: sender.address,
        amount: 1_000_000_000n,
        wantsVerification: true,
        submission: { ...TEXTS, details: { website: 'https://example.org/' } },
      },
    ]);
  });

  it('takes a payment that is followed by other bytes', async () => {
    const { transaction, ...payment } = await paymentOf();
    const sent = Buffer.concat([Buffer.from(transaction, 'base64'), new Uint8Array(4)]).toString('base64');
    const result = await executeExpress(services, {
      ...payment,
      transaction: sent,
      ...createExpressSubject(CAT, {}),
    });
    expect(result).toMatchObject({ kind: 'recorded' });
  });

  it('takes no second payment for a token that has an open request', async () => {
    await executeExpress(services, { ...(await paymentOf()), ...createExpressSubject(CAT) });
    expect(await checkEligibility(services, CAT)).toMatchObject({
      verificationError: 'A premium verification request for this token already exists',
      metadataError: null,
    });
    const before = held(sender.address);
    const again = executeExpress(services, { ...(await paymentOf()), ...createExpressSubject(CAT) });
    await expect(again).rejects.toMatchObject({ code: 'ELIGIBILITY_CONFLICT' });
    expect(held(sender.address)).toBe(before);
    // Metadata is a request of its own.
    const metadata = { ...(await paymentOf()), ...createExpressSubject(CAT, { name: 'Cat' }) };
    expect(await executeExpress(services, metadata)).toMatchObject({
      verificationCreated: false,
      metadataCreated: true,
    });
  });

  it('takes one payment when many for the same token come at once', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => paymentOf()));
    const before = held(sender.address);
    const ended = await Promise.allSettled(
      all.map((payment) => executeExpress(services, { ...payment, ...createExpressSubject(CAT) })),
    );
    const recorded = ended.filter(({ status }) => status === 'fulfilled');
    expect(recorded).toHaveLength(1);
    expect(before - held(sender.address)).toBe(1_000_000_000n);
    expect(await requests.list('pending')).toHaveLength(1);
  });

  it('answers the same when another instance begins the same request in the middle of the first', async () => {
    const request = { ...(await paymentOf()), ...createExpressSubject(CAT, { name: 'Cat' }) };
    const openFor = requests.openFor.bind(requests);
    let elsewhere: Promise<unknown> | null = null;
    vi.spyOn(requests, 'openFor').mockImplementation(async (mint) => {
      // The second instance is done between the first one's look at its payment and at the token.
      if (elsewhere === null) {
        elsewhere = executeExpress(services, request);
        await elsewhere;
      }
      return openFor(mint);
    });
    const result = await executeExpress(services, request);
    expect(result).toMatchObject({ kind: 'recorded', verificationCreated: true, metadataCreated: true });
    expect(await elsewhere).toEqual(result);
    expect(held(receiver)).toBe(1_000_000_000n);
  });

  it('lets one payment make one request, for one token', async () => {
    const payment = await paymentOf();
    await executeExpress(services, { ...payment, ...createExpressSubject(CAT) });
    for (const other of [createExpressSubject(DOG), createExpressSubject(DOG, { name: 'Dog' })]) {
      const again = executeExpress(services, { ...payment, ...other });
      await expect(again).rejects.toMatchObject({ code: 'ELIGIBILITY_CONFLICT' });
    }
    expect(await requests.openFor(DOG)).toEqual({ verification: false, metadata: false });
  });

  it('reserves no token for a payment that has landed by another signature, and finds that one', async () => {
    const payment = await paymentOf();
    const told = parseTransaction(new Uint8Array(Buffer.from(payment.transaction, 'base64')));
    const other = signedAgain(told, sender);
    await market.chain.send(other);
    // The network knows a transaction by its message.
    const simulated = await market.chain.simulate(other, { verifySignatures: true });
    const simulate = vi.spyOn(market.chain, 'simulate');
    simulate.mockResolvedValue({ ...simulated, error: ALREADY_PROCESSED });
    const request = { ...payment, ...createExpressSubject(DOG) };
    await expect(executeExpress(services, request)).rejects.toMatchObject({ code: 'EXECUTION_FAILED' });
    expect(await requests.openFor(DOG)).toEqual({ verification: false, metadata: false });
    // It is not said that nothing was paid, after which the sender would pay once more.
    market.chain.pass(200n);
    await expect(executeExpress(services, request)).rejects.toMatchObject({ code: 'EXECUTION_FAILED' });
    const landed = { ...request, transaction: Buffer.from(other).toString('base64') };
    expect(await executeExpress(services, landed)).toMatchObject({ kind: 'recorded' });
    await expect(executeExpress(services, { ...landed, ...createExpressSubject(CAT) })).rejects.toMatchObject(
      {
        code: 'ELIGIBILITY_CONFLICT',
      },
    );
  });

  it('frees the token of a payment that the sender has landed by another signature while it was sent', async () => {
    const payment = await paymentOf();
    const told = parseTransaction(new Uint8Array(Buffer.from(payment.transaction, 'base64')));
    const { chain } = market;
    const land = chain.send.bind(chain);
    vi.spyOn(chain, 'send').mockImplementation(async () => {
      vi.mocked(chain.send).mockRestore();
      await land(signedAgain(told, sender));
      chain.pass(200n);
      return getTransactionSignature(told);
    });
    const request = { ...payment, ...createExpressSubject(CAT) };
    await expect(executeExpress(services, request)).rejects.toMatchObject({ code: 'EXECUTION_FAILED' });
    expect(await requests.openFor(CAT)).toEqual({ verification: false, metadata: false });
  });

  it('refuses a transaction that it has not made, and one that somebody else was given', async () => {
    const payment = await paymentOf();
    const cheap = compileMessage({
      feePayer: sender.address,
      instructions: [
        transfer(TOKEN_PROGRAM, {
          source: deriveAssociatedTokenAddress(sender.address, PRICE.mint, TOKEN_PROGRAM),
          destination: deriveAssociatedTokenAddress(sender.address, PRICE.mint, TOKEN_PROGRAM),
          authority: sender.address,
          amount: 1n,
        }),
      ],
      lookupTables: null,
      blockhash: market.chain.recentBlockhash().bytes,
    });
    const stranger = createKeypairFromSeed(new Uint8Array(32).fill(3));
    const signed = (bytes: Uint8Array, by: Keypair) =>
      Buffer.from(signTransaction(bytes, [by])).toString('base64');
    const unsigned = Buffer.from(payment.transaction, 'base64').fill(0, 1, 65).toString('base64');
    for (const changed of [
      { transaction: signed(cheap, sender) },
      { sender: stranger.address },
      { requestId: '' },
      { requestId: `${payment.requestId}A` },
      { requestId: payment.requestId.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) },
      { transaction: unsigned },
      { transaction: 'nonsense' },
      { transaction: '' },
    ]) {
      const refused = executeExpress(services, { ...payment, ...changed, ...createExpressSubject(CAT) });
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    }
    expect(market.chain.sent).toBe(0);
    expect(await requests.openFor(CAT)).toEqual({ verification: false, metadata: false });
  });

  it('makes no request with a payment that would fail, so it keeps the token from nobody', async () => {
    const payment = await paymentOf();
    leave(999_999_999n);
    const result = await executeExpress(services, { ...payment, ...createExpressSubject(CAT) });
    expect(result).toMatchObject({ kind: 'failed', code: 1 });
    expect(await requests.openFor(CAT)).toEqual({ verification: false, metadata: false });
    expect(market.chain.sent).toBe(0);
    expect(await craftPayment(services, sender.address, 'JUP')).toMatchObject({ kind: 'lacking', code: 1 });
  });

  it('refuses a payment that has expired, and frees the token of one that never landed', async () => {
    const late = await paymentOf();
    market.chain.pass(151n);
    const refused = executeExpress(services, { ...late, ...createExpressSubject(CAT) });
    await expect(refused).rejects.toMatchObject({ code: 'TRANSACTION_EXPIRED' });
    const lost = await paymentOf();
    market.chain.losing = Number.POSITIVE_INFINITY;
    const executing = executeExpress(services, { ...lost, ...createExpressSubject(CAT) });
    while (market.chain.sent === 0) await new Promise(setImmediate);
    market.chain.pass(151n);
    expect(await executing).toMatchObject({ kind: 'failed' });
    expect(await requests.openFor(CAT)).toEqual({ verification: false, metadata: false });
    market.chain.losing = 0;
    expect(
      await executeExpress(services, { ...(await paymentOf()), ...createExpressSubject(CAT) }),
    ).toMatchObject({
      kind: 'recorded',
    });
  });

  it('finds a payment that landed when the process ended before it was noted', async () => {
    const payment = await paymentOf();
    const request = { ...payment, ...createExpressSubject(CAT) };
    // The process is killed right after sending: nothing is noted any more.
    const note = vi.spyOn(requests, 'settle').mockRejectedValueOnce(new Error('killed'));
    await expect(executeExpress(services, request)).rejects.toThrow('killed');
    note.mockRestore();
    expect(held(receiver)).toBe(1_000_000_000n);
    expect(await requests.list('pending')).toEqual([]);
    await settlePayments({ chain: market.chain, timers, requests }, -60_000);
    expect(await requests.list('pending')).toMatchObject([{ mint: CAT }]);
    expect(await executeExpress(services, request)).toMatchObject({ kind: 'recorded' });
    expect(held(receiver)).toBe(1_000_000_000n);
  });

  it('records a payment that the wallet sent itself, although its blockhash has expired since', async () => {
    const payment = await paymentOf();
    await market.chain.send(Buffer.from(payment.transaction, 'base64'));
    market.chain.pass(200n);
    // Nodes answer for recent transactions unless they are told to search their history.
    vi.spyOn(market.chain, 'signatureStatuses').mockResolvedValueOnce([null]);
    const request = { ...payment, ...createExpressSubject(CAT) };
    expect(await executeExpress(services, request)).toMatchObject({ kind: 'recorded' });
    expect(await requests.list('pending')).toMatchObject([{ mint: CAT }]);
    expect(held(receiver)).toBe(1_000_000_000n);
  });

  it('does not say that nothing was paid if the network cannot know', async () => {
    const payment = await paymentOf();
    market.chain.pass(200n);
    const finalized = { slot: 1_000n, height: 1_000n };
    const forgotten = { status: null, slot: 1_000n, finalized, hasHistory: false };
    vi.spyOn(market.chain, 'searchSignature').mockResolvedValue(forgotten);
    const refused = executeExpress(services, { ...payment, ...createExpressSubject(CAT) });
    await expect(refused).rejects.toMatchObject({ code: 'EXECUTION_FAILED' });
    expect(await requests.openFor(CAT)).toEqual({ verification: false, metadata: false });
  });

  it('settles a payment once when two instances look for it at the same time', async () => {
    const request = { ...(await paymentOf()), ...createExpressSubject(CAT) };
    const note = vi.spyOn(requests, 'settle').mockRejectedValueOnce(new Error('killed'));
    await expect(executeExpress(services, request)).rejects.toThrow('killed');
    note.mockRestore();
    // Instances share a database only if it is PostgreSQL.
    const store = kind === 'sqlite' ? opened.store : await opened.reopen();
    const other = new VerificationRequests(store, market.chain.genesisHash);
    const instances = [requests, other].map((each) => ({ chain: market.chain, timers, requests: each }));
    await Promise.all(instances.map((instance) => settlePayments(instance, -60_000)));
    const pending = await requests.list('pending');
    expect(pending).toMatchObject([{ mint: CAT }]);
    // What the operator decides is final: a late note of an instance does not open the request again.
    await requests.decide(opened.store.db, pending[0]?.signature ?? '', false);
    await Promise.all(instances.map((instance) => settlePayments(instance, -60_000)));
    for (const each of [requests, other]) await each.settle(pending[0]?.signature ?? '', true);
    expect(await other.list('rejected')).toHaveLength(1);
    expect(await other.list('pending')).toEqual([]);
  });

  it('continues with the same request after the process ended before sending', async () => {
    const request = { ...(await paymentOf()), ...createExpressSubject(CAT) };
    const send = vi.spyOn(market.chain, 'send').mockRejectedValueOnce(new Error('killed'));
    await expect(executeExpress(services, request)).rejects.toThrow('killed');
    send.mockRestore();
    expect(await requests.openFor(CAT)).toEqual({ verification: false, metadata: false });
    expect(await executeExpress(services, request)).toMatchObject({ kind: 'recorded' });
    expect(await requests.list('pending')).toMatchObject([{ submission: request.submission }]);
  });

  it('refuses verified, banned and unknown tokens before anything is paid', async () => {
    const jup = createExpressSubject(PRICE.mint);
    await expect(executeExpress(services, { ...(await paymentOf()), ...jup })).rejects.toMatchObject({
      code: 'ELIGIBILITY_CONFLICT',
      message: 'This token is already verified',
    });
    const unknown = createExpressSubject(market.network.newAddress());
    await expect(executeExpress(services, { ...(await paymentOf()), ...unknown })).rejects.toMatchObject({
      code: 'INVALID_TOKEN_ID',
    });
    await decisions.write(opened.store.db, CAT, () => ({ level: 'banned', tags: [], details: {} }));
    await decisions.refresh();
    const banned = executeExpress(services, {
      ...(await paymentOf()),
      ...createExpressSubject(CAT, { name: 'Cat' }),
    });
    await expect(banned).rejects.toMatchObject({ code: 'ELIGIBILITY_CONFLICT' });
    expect(market.chain.sent).toBe(0);
  });
});

describe('sealPayment', () => {
  it('vouches for the sender and every byte of the message, with its key', () => {
    const id = sealPayment(SEAL_KEY, payment);
    expect(openSeal(SEAL_KEY, id, payment)).toEqual(sealed);
    expect(openSeal(new Uint8Array(32), id, payment)).toBeNull();
    expect(openSeal(SEAL_KEY, id, { ...payment, sender: 'b' })).toBeNull();
    expect(openSeal(SEAL_KEY, id, { ...payment, messageBytes: Uint8Array.of(1, 2, 4) })).toBeNull();
    for (let at = 0; at < id.length; at++) {
      const changed = `${id.slice(0, at)}${id[at] === 'A' ? 'B' : 'A'}${id.slice(at + 1)}`;
      expect(openSeal(SEAL_KEY, changed, payment), String(at)).toBeNull();
    }
  });

  const payment = {
    sender: 'a',
    messageBytes: Uint8Array.of(1, 2, 3),
    lastValidBlockHeight: 5n,
    currency: 'USDC' as const,
    inAmount: 7n,
    outAmount: 11n,
  };
  const sealed = { lastValidBlockHeight: 5n, currency: 'USDC', inAmount: 7n, outAmount: 11n };
});

/** Tokens of the genesis that the list of this test does not verify. */
const [CAT, DOG] = [getGenesisToken('WIF').mint, getGenesisToken('BONK').mint];

async function setUp(kind: (typeof STORES)[number]): Promise<void> {
  world = await ExpressWorld.open(kind, 'without programs');
  ({ market, opened, decisions, requests, sender, receiver, services, timers } = world);
}

const paymentOf = () => world.payment();
const held = (owner: Address) => world.held(owner);

/** Takes all JUP from the sender but some atoms. */
function leave(amount: bigint): void {
  const address = deriveAssociatedTokenAddress(sender.address, PRICE.mint, TOKEN_PROGRAM);
  const account = market.network.account(address);
  if (account === null) throw new Error('the sender has no JUP');
  const token = {
    mint: PRICE.mint,
    owner: sender.address,
    amount,
    delegate: null,
    state: 'initialized' as const,
  };
  const rest = { nativeReserve: null, delegatedAmount: 0n, closeAuthority: null, extensions: [] };
  market.network.setAccount(address, { ...account, data: encodeTokenAccount({ ...token, ...rest }) });
}
