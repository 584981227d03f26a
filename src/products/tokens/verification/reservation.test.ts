import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { signedAgain } from '../../../testing/rfq/second-signature.ts';
import { SendRejected, type SignatureStatus } from '../../../chain/chain.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import type { Address } from '../../../solana/address.ts';
import { createKeypairFromSeed, type Keypair } from '../../../solana/keypair.ts';
import { parseTransaction, getTransactionSignature } from '../../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../../solana/programs/token/account.ts';
import { STORES } from '../../../testing/store/test-store.ts';
import { executeExpress } from './execute.ts';
import {
  createExpressSubject,
  ExpressWorld,
  type ExpressPayment,
} from '../../../testing/products/express-verification.ts';
import { PRICE } from './price.ts';
import { settlePayments } from './settle-payments.ts';

let world: ExpressWorld;
let sender: Keypair;
let other: Keypair;

describe.each(STORES)('who keeps a token from others, on %s', (kind) => {
  beforeEach(() => openWorld(kind));
  afterEach(() => world.close());

  it('a payment that never lands keeps it from nobody, not for a moment', async () => {
    const { chain } = world.market;
    chain.losing = Number.POSITIVE_INFINITY;
    const executing = execute(await world.payment('JUP', other));
    await untilSent();
    expect(await openFor()).toEqual(FREE);
    chain.losing = 0;
    expect(await execute(await world.payment())).toMatchObject({ kind: 'recorded' });
    chain.pass(151n);
    expect(await executing).toMatchObject({ kind: 'failed' });
    expect(await pending()).toEqual([sender.address]);
  });

  it('two payments that are sent at once both make a request, and the operator decides about each', async () => {
    const { chain } = world.market;
    chain.losing = Number.POSITIVE_INFINITY;
    const payments = [await world.payment(), await world.payment('JUP', other)];
    const executing = payments.map((payment) => execute(payment));
    await untilSent(2);
    for (const { transaction } of payments) {
      chain.losing = 0;
      await chain.send(Buffer.from(transaction, 'base64'));
    }
    for (const result of await Promise.all(executing)) {
      expect(result).toMatchObject({ kind: 'recorded', verificationCreated: true });
    }
    expect((await pending()).sort()).toEqual([sender.address, other.address].sort());
    expect(world.held(world.receiver)).toBe(2n * PRICE.amount);
    // The token is taken until both are decided about.
    const third = await world.payment('JUP', richWallet(42));
    await expect(execute(third)).rejects.toMatchObject({ code: 'ELIGIBILITY_CONFLICT' });
    const [first, second] = await world.requests.list('pending');
    await world.requests.decide(world.opened.store.db, first?.signature ?? '', false);
    expect(await openFor()).toEqual(VERIFYING);
    await world.requests.decide(world.opened.store.db, second?.signature ?? '', false);
    expect(await execute(third)).toMatchObject({ kind: 'recorded' });
  });

  it('a sender has one payment at a time, whichever token it is for, and is kept from none afterwards', async () => {
    const { chain } = world.market;
    chain.losing = Number.POSITIVE_INFINITY;
    const [one, two] = [await world.payment(), await world.payment()];
    const executing = execute(one);
    await untilSent();
    const { sent } = chain;
    await expect(execute(two, DOG)).rejects.toMatchObject({
      code: 'ELIGIBILITY_CONFLICT',
      message: expect.stringContaining('send the same request again'),
    });
    // Another signature for the payment that is being sent has no turn of its own.
    const again = Buffer.from(signedAgain(transactionOf(one), sender)).toString('base64');
    await expect(execute({ ...one, transaction: again }, DOG)).rejects.toMatchObject({
      code: 'ELIGIBILITY_CONFLICT',
    });
    expect(await world.requests.list('paying')).toHaveLength(1);
    expect(chain.sent).toBe(sent);
    chain.losing = 0;
    await chain.send(Buffer.from(one.transaction, 'base64'));
    expect(await executing).toMatchObject({ kind: 'recorded' });
    expect(await execute(two, DOG)).toMatchObject({ kind: 'recorded' });
  });
});

describe('the reservation of a token', () => {
  beforeEach(() => openWorld('sqlite'));
  afterEach(() => world.close());

  it('a payment keeps it once it was seen to succeed, and frees it when the network takes that back', async () => {
    const { chain } = world.market;
    const payment = await world.payment();
    const takeBack = report(payment, {});
    const executing = execute(payment);
    await vi.waitFor(async () => expect(await openFor()).toEqual(VERIFYING));
    expect(await pending()).toEqual([]);
    const late = execute(await world.payment('JUP', other));
    await expect(late).rejects.toMatchObject({ code: 'ELIGIBILITY_CONFLICT' });
    takeBack();
    chain.pass(151n);
    expect(await executing).toMatchObject({ kind: 'failed' });
    expect(await openFor()).toEqual(FREE);
  });

  it('a payment that is seen to fail keeps it from nobody', async () => {
    const payment = await world.payment();
    const { chain } = world.market;
    const takeBack = report(payment, { error: { InstructionError: [0, { Custom: 1 }] } });
    const executing = execute(payment);
    await untilSent();
    const asked = vi.mocked(chain.signatureStatuses).mock.calls.length;
    await vi.waitFor(() =>
      expect(vi.mocked(chain.signatureStatuses).mock.calls.length).toBeGreaterThan(asked + 1),
    );
    expect(await openFor()).toEqual(FREE);
    takeBack();
    chain.pass(151n);
    expect(await executing).toMatchObject({ kind: 'failed' });
  });

  it('a payment that its sender has landed waits for no turn', async () => {
    const { chain } = world.market;
    chain.losing = Number.POSITIVE_INFINITY;
    const [one, two] = [await world.payment(), await world.payment()];
    const executing = execute(one);
    await untilSent();
    chain.losing = 0;
    await chain.send(Buffer.from(two.transaction, 'base64'));
    expect(await execute(two, DOG)).toMatchObject({ kind: 'recorded' });
    await chain.send(Buffer.from(one.transaction, 'base64'));
    expect(await executing).toMatchObject({ kind: 'recorded' });
  });

  it('a payment whose outcome nobody knows keeps its sender from others for as long as it could land', async () => {
    const { chain } = world.market;
    const killed = vi.spyOn(chain, 'send').mockRejectedValueOnce(new Error('killed'));
    const lost = await world.payment();
    await expect(execute(lost)).rejects.toThrow('killed');
    killed.mockRestore();
    await expect(execute(await world.payment(), DOG)).rejects.toMatchObject({ code: 'ELIGIBILITY_CONFLICT' });
    chain.pass(151n);
    expect(await execute(await world.payment(), DOG)).toMatchObject({ kind: 'recorded' });
    expect(await world.requests.list('paying')).toMatchObject([{ mint: CAT }]);
    await settle();
    expect(await world.requests.list('failed')).toMatchObject([{ mint: CAT }]);
  });

  it('finds a payment that was seen to succeed when the process ended before it was noted as landed', async () => {
    const { chain } = world.market;
    const payment = await world.payment();
    const note = vi.spyOn(world.requests, 'settle').mockRejectedValueOnce(new Error('killed'));
    const signature = getTransactionSignature(transactionOf(payment));
    const statuses = chain.signatureStatuses.bind(chain);
    let asked = 0;
    vi.spyOn(chain, 'signatureStatuses').mockImplementation(async (signatures) => {
      const known = await statuses(signatures);
      const isFirst = known[0] !== null && asked++ === 0;
      return isFirst ? [{ slot: 1n, commitment: 'processed', error: null }] : known;
    });
    await expect(execute(payment)).rejects.toThrow('killed');
    note.mockRestore();
    expect(await world.requests.find(signature)).toMatchObject({ state: 'paying' });
    expect(await openFor()).toEqual(VERIFYING);
    await settle();
    expect(await pending()).toEqual([sender.address]);
    expect(await openFor()).toEqual(VERIFYING);
    expect(world.held(world.receiver)).toBe(PRICE.amount);
  });

  it('is not called refused by the word of one node, if another attempt may have sent it', async () => {
    const { chain } = world.market;
    const payment = await world.payment();
    const send = vi.spyOn(chain, 'send').mockRejectedValueOnce(new Error('killed'));
    await expect(execute(payment)).rejects.toThrow('killed');
    const refused = new SendRejected('sanitize failure', 'SanitizeFailure');
    send.mockRejectedValue(refused);
    const executing = execute(payment);
    await vi.waitFor(() => expect(send.mock.calls.length).toBeGreaterThan(1));
    // The payment that was sent before lands all the same.
    send.mockRestore();
    await chain.send(Buffer.from(payment.transaction, 'base64'));
    expect(await executing).toMatchObject({ kind: 'recorded' });
  });

  it('reserves for a payment that is found processed after the process ended', async () => {
    const { chain } = world.market;
    const payment = await world.payment();
    const killed = vi.spyOn(chain, 'send').mockRejectedValueOnce(new Error('killed'));
    await expect(execute(payment)).rejects.toThrow('killed');
    killed.mockRestore();
    const status: SignatureStatus = { slot: 1n, commitment: 'processed', error: null };
    const finalized = { slot: 1n, height: 1n };
    const found = { status, slot: 1n, finalized, hasHistory: true };
    vi.spyOn(chain, 'searchSignature').mockResolvedValueOnce(found);
    await settle();
    expect(await openFor()).toEqual(VERIFYING);
    expect(await world.requests.list('paying')).toHaveLength(1);
    // A later look says that it is gone.
    chain.pass(151n);
    await settle();
    expect(await openFor()).toEqual(FREE);
  });

  it('does not say that a payment did not land which has landed by another signature', async () => {
    const { chain } = world.market;
    const payment = await world.payment();
    const told = transactionOf(payment);
    const killed = vi.spyOn(chain, 'send').mockRejectedValueOnce(new Error('killed'));
    await expect(execute(payment)).rejects.toThrow('killed');
    killed.mockRestore();
    const landed = signedAgain(told, sender);
    await chain.send(landed);
    chain.pass(151n);
    await settle();
    expect(await world.requests.list('failed')).toHaveLength(1);
    await expect(execute(payment)).rejects.toMatchObject({ code: 'EXECUTION_FAILED' });
    const transaction = Buffer.from(landed).toString('base64');
    expect(await execute({ ...payment, transaction })).toMatchObject({ kind: 'recorded' });
  });
});

/** Tokens of the genesis that the list of this test does not verify. */
const [CAT, DOG] = [getGenesisToken('WIF').mint, getGenesisToken('BONK').mint];
const FREE = { verification: false, metadata: false };
const VERIFYING = { verification: true, metadata: false };

const transactionOf = ({ transaction }: ExpressPayment) =>
  parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
const execute = (payment: ExpressPayment, mint: Address = CAT) =>
  executeExpress(world.services, { ...payment, ...createExpressSubject(mint) });
const openFor = (mint: Address = CAT) => world.requests.openFor(mint);
const pending = async () => (await world.requests.list('pending')).map(({ sender: of }) => of);
const settle = () =>
  settlePayments({ chain: world.market.chain, timers: world.timers, requests: world.requests }, -60_000);

/** A wallet with as much SOL and JUP as the sender. */
function richWallet(seed: number): Keypair {
  const { network } = world.market;
  const wallet = createKeypairFromSeed(new Uint8Array(32).fill(seed));
  const held = (owner: Address) => deriveAssociatedTokenAddress(owner, PRICE.mint, TOKEN_PROGRAM);
  const [lamports, jup] = [sender.address, held(sender.address)].map((from) => network.account(from));
  if (!lamports || !jup) throw new Error('the sender has no SOL or no JUP');
  network.setAccount(wallet.address, lamports);
  network.setAccount(held(wallet.address), {
    ...jup,
    data: encodeTokenAccount({ ...decodeTokenAccount(jup.data), owner: wallet.address }),
  });
  return wallet;
}

/** Lets the network report a payment by this status, and loses what is sent. */
function report(payment: ExpressPayment, status: Partial<SignatureStatus>): () => void {
  const { chain } = world.market;
  const signature = getTransactionSignature(transactionOf(payment));
  const statuses = chain.signatureStatuses.bind(chain);
  const told: SignatureStatus = { slot: 1n, commitment: 'processed', error: null, ...status };
  chain.losing = Number.POSITIVE_INFINITY;
  const spy = vi.spyOn(chain, 'signatureStatuses').mockImplementation(async (asked) => {
    const known = await statuses(asked);
    return asked.map((each, at) => (each === signature && chain.sent > 0 ? told : (known[at] ?? null)));
  });
  return () => spy.mockRestore();
}

/** Waits until a payment that is lost was sent. */
async function untilSent(count = 1): Promise<void> {
  while (world.market.chain.sent < count) await new Promise(setImmediate);
}

async function openWorld(kind: (typeof STORES)[number]): Promise<void> {
  world = await ExpressWorld.open(kind, 'without programs');
  sender = world.sender;
  other = richWallet(41);
}
