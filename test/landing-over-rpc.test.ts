import { describe, expect, it, vi } from 'vitest';
import type { Chain } from '../src/chain/chain.ts';
import { ALICE, BOB } from '../src/testing/chain/bank.ts';
import { computeBlockhashSlots, startTestChain } from '../src/testing/chain/embedded-chain.ts';
import { openRpcChain } from '../src/chain/rpc/rpc-chain.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { compileMessage } from '../src/solana/messages/compile-message.ts';
import { transferLamports } from '../src/solana/programs/system.ts';
import {
  parseTransaction,
  signTransaction,
  getTransactionSignature,
} from '../src/solana/messages/transaction.ts';
import {
  type SubmittableTransaction,
  submitAndConfirm,
} from '../src/transactions/submit/submit-and-confirm.ts';
import type { Keypair } from '../src/solana/keypair.ts';
import { type HttpFault, RpcProxy } from './rpc-proxy.ts';
import { replaced } from '../src/testing/replaced.ts';
import { signedAgain } from '../src/testing/rfq/second-signature.ts';
import { LeapingTimers } from '../src/testing/timers.ts';
import { openForAll, openForEach } from '../src/testing/opened.ts';

const SLOT_MS = 40;

const network = openForAll(() => startTestChain({ slotMs: SLOT_MS }), 'close');
const proxy = openForEach(() => RpcProxy.start(network), 'close');
const chain = openForEach(
  () =>
    openRpcChain({
      url: new URL(proxy.rpcUrl),
      wsUrl: new URL(proxy.wsUrl),
      pollMs: 30,
      staleMs: 30_000,
      sweepMs: 60_000,
      maxSubscriptions: 100,
      blockhashSlots: computeBlockhashSlots(SLOT_MS),
      callsPerSecond: 10_000,
      transactionsPerSecond: 0,
      programAccounts: null,
      timers: SYSTEM_TIMERS,
      random: Math.random,
      onNotice: () => {},
    }),
  'close',
);
let transfers = 0n;

describe('a transaction that is final', () => {
  it('is not said to be expired by a node that lags behind the last block it could be in', async () => {
    const sent = await finalTransfer();
    const behind = Number(sent.lastValidBlockHeight) - 1;
    reset();
    proxy.onCall = (method) =>
      method === 'getSignatureStatuses' && statusCalls() <= 4 ? ignorant(() => behind) : PASS;
    expect(await submitAndConfirm(chain, SYSTEM_TIMERS, sent)).toMatchObject({ kind: 'landed' });
    expect(statusCalls()).toBeGreaterThan(4);
  });

  it('is not said to be expired while one of two endpoints knows it', async () => {
    const sent = await finalTransfer();
    reset();
    // Every other answer is that of a node which is up to date and has lost its history.
    proxy.onCall = (method) =>
      method === 'getSignatureStatuses' && statusCalls() % 2 === 1 ? ignorant((slot) => slot) : PASS;
    expect(await submitAndConfirm(chain, SYSTEM_TIMERS, sent)).toMatchObject({ kind: 'landed' });
  });

  it('is not said to be expired by a node that keeps no history', async () => {
    const sent = await finalTransfer();
    const old = { ...sent, lastValidBlockHeight: chain.blockHeight('finalized') - 120n };
    await vi.waitFor(() => expect(chain.blockHeight('finalized')).toBeGreaterThan(160n), WAIT);
    reset();
    const noHistory = '{"error":{"code":-32011,"message":"Transaction history is not available"}}';
    proxy.onCall = (method, params) => {
      if (method !== 'getSignatureStatuses' || statusCalls() > 7) return PASS;
      const [, config] = params as [unknown, { readonly searchTransactionHistory: boolean }];
      return config.searchTransactionHistory
        ? { kind: 'answer', status: 200, body: noHistory }
        : ignorant((slot) => slot);
    };
    expect(await submitAndConfirm(chain, SYSTEM_TIMERS, old)).toMatchObject({ kind: 'landed' });
  });

  it('is found though a node refuses to take it once more', async () => {
    const sent = transfer(chain.blockHeight('confirmed') + 1_000n);
    await network.send(sent.wire, { skipPreflight: true });
    reset();
    const expired = '{"error":{"code":-32002,"message":"no","data":{"err":"BlockhashNotFound","logs":[]}}}';
    proxy.onCall = (method) => {
      if (method === 'sendTransaction') return { kind: 'answer', status: 200, body: expired };
      return method === 'getSignatureStatuses' && statusCalls() <= 2 ? ignorant((slot) => slot) : PASS;
    };
    expect(await submitAndConfirm(chain, SYSTEM_TIMERS, sent)).toMatchObject({ kind: 'landed' });
  });

  /** The true answer, as a node gives it that does not know of the transactions; `slot` is what it answers as of. */
  function ignorant(slot: (truly: number) => number): HttpFault {
    return {
      kind: 'change',
      change: (text) => {
        const answer = JSON.parse(text) as StatusAnswer;
        answer.result.context.slot = slot(answer.result.context.slot);
        answer.result.value = answer.result.value.map(() => null);
        return JSON.stringify(answer);
      },
    };
  }
});

it('takes no transaction for another one that an endpoint gives out in its place', async () => {
  const [one, other] = [await finalTransfer(), await finalTransfer()];
  const ask = async (signature: string) => {
    const config = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
    const body = { jsonrpc: '2.0', id: 1, method: 'getTransaction', params: [signature, config] };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(network.rpcUrl, { method: 'POST', headers, body: JSON.stringify(body) });
    return answer.text();
  };
  expect(await chain.transaction(one.signature)).toMatchObject({ signature: one.signature });
  const exchanged = await ask(other.signature);
  proxy.onCall = (method) =>
    method === 'getTransaction' ? { kind: 'answer', status: 200, body: exchanged } : PASS;
  await expect(chain.transaction(one.signature)).rejects.toThrow(
    `must be the one with signature ${one.signature}, got ${other.signature}`,
  );
});

describe('a message that its fee payer has signed twice', () => {
  it('has landed by the signature that is on the chain', async () => {
    const { sent, other } = await landedByOther([ALICE, BOB]);
    const outcome = await submitAndConfirm(chain, SYSTEM_TIMERS, sent);
    expect(outcome).toMatchObject({ kind: 'landed', signature: other, status: { error: null } });
  });

  it('is not said to be expired by a node that lists nothing, if another than the asker may have signed', async () => {
    const { sent } = await landedByOther([ALICE, BOB]);
    proxy.onCall = refusesLists;
    const timers = new LeapingTimers();
    const outcome = submitAndConfirm(chain, timers, sent);
    await vi.waitFor(() => expect(proxy.calls.get('getSignaturesForAddress') ?? 0).toBeGreaterThan(0), WAIT);
    timers.leap(120_000);
    expect(await outcome).toEqual({ kind: 'unknown' });
  });

  it('is said to be expired by a node that lists nothing, if it never landed and one wallet signs', async () => {
    const lost = transfer(chain.blockHeight('finalized'));
    proxy.onCall = refusesLists;
    await vi.waitFor(
      () => expect(chain.blockHeight('finalized')).toBeGreaterThan(lost.lastValidBlockHeight),
      WAIT,
    );
    const outcome = await submitAndConfirm(chain, SYSTEM_TIMERS, { ...lost, isPaidByOthers: true });
    expect(outcome).toEqual({ kind: 'expired' });
  });

  /** Lands a transaction by another signature of its fee payer. Returns the one that is told, and that of the chain. */
  async function landedByOther(signers: readonly Keypair[]) {
    const amount = 1_000n + ++transfers;
    const instructions = signers.map(({ address }) => transferLamports(address, BOB.address, amount));
    const blockhash = network.recentBlockhash().bytes;
    const message = compileMessage({ feePayer: ALICE.address, blockhash, instructions });
    const wire = signTransaction(message, signers);
    const told = parseTransaction(wire);
    const lastValidBlockHeight = chain.blockHeight('confirmed');
    const other = await network.send(signedAgain(told, ALICE), { skipPreflight: true });
    await vi.waitFor(async () => {
      const [status] = await network.signatureStatuses([other]);
      expect(status?.commitment).toBe('finalized');
      expect(chain.blockHeight('finalized')).toBeGreaterThan(lastValidBlockHeight);
    }, WAIT);
    const signature = getTransactionSignature(told);
    return { other, sent: { wire, signature, lastValidBlockHeight, isPaidByOthers: true } };
  }

  const refusesLists: RpcProxy['onCall'] = (method) =>
    method === 'getSignaturesForAddress'
      ? { kind: 'answer', status: 200, body: '{"error":{"code":-32011,"message":"no history"}}' }
      : PASS;
});

describe('a transaction that never landed', () => {
  it('is said to be expired when the network has shown it again and again', async () => {
    const lost = transfer(chain.blockHeight('finalized'));
    await vi.waitFor(
      () => expect(chain.blockHeight('finalized')).toBeGreaterThan(lost.lastValidBlockHeight),
      WAIT,
    );
    reset();
    expect(await submitAndConfirm(chain, SYSTEM_TIMERS, lost)).toEqual({ kind: 'expired' });
    expect(statusCalls()).toBeGreaterThan(1);
    expect(proxy.calls.get('sendTransaction') ?? 0).toBe(0);
  });

  it('is not said to be expired by a false block height that the chain believes', async () => {
    const lost = transfer(chain.blockHeight('finalized') + 1_000_000n);
    const deceived: Chain = replaced(chain, {
      blockHeight: (commitment) =>
        commitment === 'finalized' ? lost.lastValidBlockHeight + 1n : chain.blockHeight(commitment),
    });
    expect(await submitAndConfirm(deceived, SYSTEM_TIMERS, lost)).toMatchObject({ kind: 'landed' });
  });
});

const WAIT = { interval: 20 };
const PASS: HttpFault = { kind: 'pass' };

/** A transaction that no other is like, and the height after which the caller takes its blockhash for expired. */
function transfer(lastValidBlockHeight: bigint): SubmittableTransaction {
  const message = compileMessage({
    feePayer: ALICE.address,
    blockhash: network.recentBlockhash().bytes,
    instructions: [transferLamports(ALICE.address, BOB.address, 1_000n + ++transfers)],
  });
  const wire = signTransaction(message, [ALICE]);
  return { wire, signature: getTransactionSignature(parseTransaction(wire)), lastValidBlockHeight };
}

/** A transfer that is final by now, with a blockhash that has run out as far as `land` knows. */
async function finalTransfer(): Promise<SubmittableTransaction> {
  const sent = transfer(chain.blockHeight('confirmed'));
  await network.send(sent.wire, { skipPreflight: true });
  await vi.waitFor(async () => {
    const [status] = await network.signatureStatuses([sent.signature]);
    expect(status?.commitment).toBe('finalized');
  }, WAIT);
  await vi.waitFor(
    () => expect(chain.blockHeight('finalized')).toBeGreaterThan(sent.lastValidBlockHeight),
    WAIT,
  );
  return sent;
}

interface StatusAnswer {
  readonly result: { readonly context: { slot: number }; value: unknown[] };
}

const reset = () => {
  proxy.calls.clear();
};
const statusCalls = () => proxy.calls.get('getSignatureStatuses') ?? 0;
