import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { executeUnrefused, openTestSwap } from '../../../testing/genesis-market/swap.ts';
import { signedAgain } from '../../../testing/rfq/second-signature.ts';
import { ChainUnavailable, SendRejected } from '../../../chain/chain.ts';
import { address } from '../../../solana/address.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import { signWith } from '../../../solana/keypair.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import {
  parseTransaction,
  signTransaction,
  getTransactionSignature,
} from '../../../solana/messages/transaction.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import { executeSwap } from './execute.ts';
import { Code, type ExecutionResult } from '../../../swaps/orders/execution-result.ts';
import { toExecuteResponse, type ExecuteResponse } from '../endpoints/execute.ts';
import { openForEach } from '../../../testing/opened.ts';

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const QUERY = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000' };

const swap = openForEach(openTestSwap);
const order = openForEach(() => swap.order(QUERY));

describe('executeSwap refuses', () => {
  it('an unknown request id', async () => {
    expect(await codeOf(base64(signed()), { requestId: 'request 99' })).toBe(-1);
  });

  it('bytes that are not a transaction', async () => {
    const wire = signed();
    for (const bytes of [new Uint8Array(0), wire.subarray(0, wire.length - 1), wire.subarray(1)]) {
      expect(await codeOf(base64(bytes))).toBe(-2);
    }
    expect(await codeOf(base64(Buffer.concat([wire, new Uint8Array(1_233)])))).toBe(-2);
    expect(await codeOf('not base64!')).toBe(-2);
  });

  it('a transaction with any byte changed, after which the swap can still be made', async () => {
    const wire = signed();
    const before = solOfWallet();
    const place = fc.nat({ max: wire.length - 1 });
    const property = fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const changed = new Uint8Array(wire);
      changed[at] = (changed[at] ?? 0) ^ flip;
      // The first byte counts signatures, the next 64 are one, and the rest is the message.
      const codes = at === 0 || at > 64 ? [-2, -3] : [-2];
      expect(codes).toContain(await codeOf(base64(changed)));
    });
    await assertProperty(property, { cases: 300, seed: SEED });
    expect(solOfWallet()).toBe(before);
    expect(swap.market.chain.sent).toBe(0);
    expect(await swap.execute(order)).toMatchObject({ status: 'Success' });
  });

  it('another transaction of the taker, and that of another order', async () => {
    const other = compileMessage({
      feePayer: swap.wallet.address,
      blockhash: swap.market.chain.recentBlockhash().bytes,
      instructions: [transferLamports(swap.wallet.address, swap.market.network.newAddress(), 1_000_000n)],
    });
    expect(await codeOf(base64(signTransaction(other, [swap.wallet])))).toBe(-3);
    expect(await codeOf(swap.sign(await swap.order({ ...QUERY, amount: '2000000000' })))).toBe(-3);
  });

  it('a transaction without a signature, and one signed with another key', async () => {
    const { messageBytes } = parseTransaction(signed());
    expect(await codeOf(order.transaction ?? '')).toBe(-1003);
    const stranger = swap.newWallet(0n);
    const forged = new Uint8Array(signed());
    forged.set(signWith(stranger, messageBytes), 1);
    expect(await codeOf(base64(forged))).toBe(-2);
  });

  it('a block height other than the order’s', async () => {
    expect(await codeOf(base64(signed()), { lastValidBlockHeight: '1' })).toBe(-1004);
    expect(await codeOf(base64(signed()), { lastValidBlockHeight: 1 })).toBe(-1004);
    const { lastValidBlockHeight } = order;
    expect(await codeOf(base64(signed()), { lastValidBlockHeight })).toBe(0);
  });

  it('an expired order', async () => {
    swap.market.chain.pass(151n);
    expect(await codeOf(base64(signed()))).toBe(-1004);
    expect(swap.market.chain.sent).toBe(0);
  });
});

describe('executeSwap executes an order once', () => {
  it('and gives every request the same answer', async () => {
    const before = solOfWallet();
    const signedTransaction = swap.sign(order);
    const results = await Promise.all([1, 2, 3].map(() => resultOf(signedTransaction)));
    results.push(await resultOf(signedTransaction));
    expect(new Set(results).size).toBe(1);
    expect(await execute(signedTransaction)).toMatchObject({
      status: 'Success',
      totalInputAmount: '1000000000',
    });
    expect(swap.market.chain.sent).toBe(1);
    expect(before - solOfWallet()).toBe(1_000_000_000n + swap.costsOf(order));
  });

  it('also when another order has the same transaction', async () => {
    const other = await swap.order(QUERY);
    const before = solOfWallet();
    expect(await swap.execute(order)).toMatchObject({ code: 0 });
    expect(await swap.execute(other)).toMatchObject({ code: 0 });
    expect(before - solOfWallet()).toBe(2_000_000_000n + swap.costsOf(order) + swap.costsOf(other));
  });

  it('and its answer does not change later', async () => {
    const result = await resultOf(swap.sign(order));
    swap.market.chain.pass(200n);
    expect(await resultOf(swap.sign(order))).toBe(result);
    expect(await codeOf(order.transaction ?? '')).toBe(-1003);
  });
});

describe('executeSwap', () => {
  it('lands the transaction without the bytes that follow it', async () => {
    const sent = base64(Buffer.concat([signed(), new Uint8Array(7)]));
    expect(await execute(sent)).toMatchObject({ status: 'Success' });
    expect(await execute(base64(signed()))).toEqual(await execute(sent));
  });

  it('sends a lost transaction again', async () => {
    swap.market.chain.losing = 3;
    expect(await swap.execute(order)).toMatchObject({
      status: 'Success',
      totalOutputAmount: order.outAmount,
    });
    expect(swap.market.chain.sent).toBe(4);
  });

  it('ends when the block height has passed', async () => {
    swap.market.chain.losing = Number.POSITIVE_INFINITY;
    const result = await resultOf(swap.sign(order));
    expect(toExecuteResponse(result)).toMatchObject({
      status: 'Failed',
      code: -1000,
      signature: expect.any(String),
    });
    expect(swap.market.chain.sent).toBeGreaterThan(5);
    expect(await resultOf(swap.sign(order))).toBe(result);
  });

  it('finds the swap that its wallet has signed twice and landed by the other signature', async () => {
    const signed = parseTransaction(new Uint8Array(Buffer.from(swap.sign(order), 'base64')));
    const other = await swap.market.chain.send(signedAgain(signed, swap.wallet));
    expect(other).not.toBe(getTransactionSignature(signed));
    swap.market.chain.pass(200n);
    expect(await swap.execute(order)).toMatchObject({ status: 'Success', code: 0, signature: other });
  });

  it('continues when the network does not answer for a while', async () => {
    const { chain } = swap.market;
    const [send, statuses] = [chain.send.bind(chain), chain.signatureStatuses.bind(chain)];
    let silence = 6;
    const orSilent = <T>(answer: () => Promise<T>): Promise<T> =>
      silence-- > 0 ? Promise.reject(new ChainUnavailable('silence')) : answer();
    chain.send = (wire) => orSilent(() => send(wire));
    chain.signatureStatuses = (signatures) => orSilent(() => statuses(signatures));
    expect(await swap.execute(order)).toMatchObject({ status: 'Success', code: 0 });
  });

  it('answers that the outcome is unknown while the network is silent, and continues when asked again', async () => {
    const { chain } = swap.market;
    const statuses = chain.signatureStatuses.bind(chain);
    chain.signatureStatuses = () => Promise.reject(new ChainUnavailable('silence'));
    expect(await swap.execute(order)).toMatchObject({ status: 'Failed', code: -1001 });
    chain.signatureStatuses = statuses;
    expect(await swap.execute(order)).toMatchObject({ status: 'Success', code: 0 });
    expect(swap.market.network.account(swap.wallet.address)).not.toBeNull();
  });

  it('returns the network’s refusal of the transaction', async () => {
    swap.market.chain.send = () => Promise.reject(new SendRejected('no', 'TooManyAccountLocks'));
    expect(await swap.execute(order)).toMatchObject({
      code: -1002,
      error: 'the network refuses the transaction: TooManyAccountLocks',
    });
  });
});

describe('executeSwap with an order that is no longer stored', () => {
  it('answers from the transaction on the chain, without amounts and without sending', async () => {
    const wire = base64(signed());
    const { signature, slot } = await swap.execute(order);
    const { sent } = swap.market.chain;
    const answer = await execute(wire, forgotten);
    expect(answer).toEqual({ status: 'Success', code: 0, signature, slot });
    expect(swap.market.chain.sent).toBe(sent);
  });

  it('answers with the program’s error when the transaction failed', async () => {
    const tight = await swap.order({ ...QUERY, slippageBps: '0' });
    expect(await swap.execute(await swap.order({ ...QUERY, amount: '100000000000' }))).toMatchObject({
      code: 0,
    });
    const failure = await swap.execute(tight);
    expect(failure).toMatchObject({ status: 'Failed', code: 6001 });
    expect(await execute(swap.sign(tight), forgotten)).toEqual(failure);
  });

  it('does not answer that it is unknown while the network does not answer or confirm, or the store has just lost its data', async () => {
    const wire = base64(signed());
    const { chain } = swap.market;
    chain.signatureStatuses = () => Promise.reject(new ChainUnavailable('silence'));
    await expect(execute(wire, forgotten)).rejects.toThrow(ChainUnavailable);
    chain.signatureStatuses = async () => [{ slot: 1n, commitment: 'processed', error: null }];
    expect(await execute(wire, forgotten)).toMatchObject({ status: 'Failed', code: -1001 });
    chain.signatureStatuses = async () => [null];
    const orders = { ...swap.composed.orders, mayHaveForgotten: async () => true };
    const asked = { signedTransaction: wire, ...forgotten };
    await expect(executeSwap({ ...swap.composed, orders }, asked)).rejects.toThrow(Unavailable);
    await expect(execute(wire, forgotten)).rejects.toThrow(
      /^there is no order "request 99": .* in no block so far$/,
    );
  });

  it('refuses a transaction that is not a swap or not signed, without asking the chain', async () => {
    const other = compileMessage({
      feePayer: swap.wallet.address,
      blockhash: swap.market.chain.recentBlockhash().bytes,
      instructions: [transferLamports(swap.wallet.address, swap.market.network.newAddress(), 1_000_000n)],
    });
    const transfer = signTransaction(other, [swap.wallet]);
    await swap.market.chain.send(transfer);
    swap.market.chain.signatureStatuses = () => Promise.reject(new Error('was asked'));
    const forged = new Uint8Array(signed());
    forged.set(signWith(swap.newWallet(0n), parseTransaction(forged).messageBytes), 1);
    for (const wire of [base64(transfer), order.transaction ?? '', base64(forged), 'AA==']) {
      expect(await codeOf(wire, forgotten)).toBe(-1);
    }
  });

  const forgotten = { requestId: 'request 99' };
});

describe('executeSwap over a network that does not return a landed transaction', () => {
  it.each([
    ['because its answer never ends', () => new Promise<never>(() => {})],
    ['because it has none', async () => null],
    ['because it is away', () => Promise.reject(new ChainUnavailable('silence'))],
  ])('%s: answers in time, without amounts', async (_why, transaction) => {
    const before = solOfWallet();
    const answer = await read(transaction);
    const landed = { status: 'Success', code: 0, signature: expect.any(String), slot: expect.any(String) };
    expect(answer).toEqual(landed);
    expect(solOfWallet()).toBe(before - 1_000_000_000n - swap.costsOf(order));
  });

  it('answers with the program’s code when the swap failed', async () => {
    const tight = await swap.order({ ...QUERY, slippageBps: '0' });
    expect(await swap.execute(await swap.order({ ...QUERY, amount: '100000000000' }))).toMatchObject({
      code: 0,
    });
    swap.market.chain.transaction = () => new Promise<never>(() => {});
    expect(await swap.execute(tight)).toMatchObject({ status: 'Failed', code: 6001, totalInputAmount: '0' });
  });

  const read = (answer: () => Promise<null>) => {
    swap.market.chain.transaction = answer;
    return swap.execute(order);
  };
});

describe('executeSwap with a swap that fails on chain', () => {
  it('returns its signature and the name of the error', async () => {
    const tight = await swap.order({ ...QUERY, slippageBps: '0' });
    const large = await swap.order({ ...QUERY, amount: '100000000000' });
    expect(await swap.execute(large)).toMatchObject({ code: 0 });
    const before = solOfWallet();
    expect(await swap.execute(tight)).toMatchObject({
      status: 'Failed',
      code: 6001,
      signature: expect.any(String),
      slot: expect.stringMatching(/^\d+$/),
      error: expect.stringMatching(/^SlippageToleranceExceeded: /),
      totalInputAmount: '0',
      totalOutputAmount: '0',
      swapEvents: [],
    });
    expect(before - solOfWallet()).toBe(
      BigInt(tight.signatureFeeLamports) + BigInt(tight.prioritizationFeeLamports),
    );
  });

  it('names the errors of other programs, too', async () => {
    const wallet = swap.newWallet(2_000_000_000n);
    const first = await swap.order({ ...QUERY, taker: wallet.address, slippageBps: '500' });
    const second = await swap.order({ ...QUERY, taker: wallet.address, slippageBps: '500' });
    expect(await swap.execute(first, [wallet])).toMatchObject({ code: 0 });
    expect(await swap.execute(second, [wallet])).toMatchObject({
      status: 'Failed',
      code: 1,
      error: 'ResultWithNegativeLamports',
    });
  });
});

const SEED = 20_261_123;

function resultOf(signedTransaction: string, extra: object = {}): Promise<ExecutionResult> {
  return executeUnrefused(swap.composed, { signedTransaction, requestId: order.requestId, ...extra });
}

async function execute(signedTransaction: string, extra: object = {}): Promise<ExecuteResponse> {
  return toExecuteResponse(await resultOf(signedTransaction, extra));
}

/** Returns the documented code of a refusal or failure. */
async function codeOf(signedTransaction: string, extra: object = {}): Promise<number> {
  const request = { signedTransaction, requestId: order.requestId, ...extra };
  const outcome = await executeSwap(swap.composed, request);
  return outcome.kind === 'succeeded' ? Code.SUCCESS : outcome.code;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const signed = () => Buffer.from(swap.sign(order), 'base64');
const solOfWallet = () => swap.holding(swap.wallet.address, WRAPPED_SOL_MINT);
