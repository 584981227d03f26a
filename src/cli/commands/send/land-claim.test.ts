import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import {
  getTransactionSignature,
  parseTransaction,
  signTransaction,
} from '../../../solana/messages/transaction.ts';
import { createTestKey } from '../../../testing/chain/bank.ts';
import { SkippingTimers } from '../../../testing/timers.ts';
import { landClaim } from './land-claim.ts';

let server: Server;
/** Returns the result of a call, or undefined to end the connection without an answer. */
let answer: (method: string) => object | undefined;
let calls: string[];
let timers: SkippingTimers;
beforeEach(setUp);
afterEach(tearDown);

describe('landClaim', () => {
  it('sends again until the transaction is confirmed', async () => {
    answer = (method) => {
      if (method !== 'getSignatureStatuses') return result(method);
      return statuses(countCalls('sendTransaction') < 3 ? null : { confirmationStatus: 'confirmed' });
    };
    expect(await land()).toEqual({ signature: SIGNATURE, event: null });
    expect(countCalls('sendTransaction')).toBe(3);
  });

  it('waits while it is only processed, and while the node cannot be reached', async () => {
    answer = (method) => {
      const asked = calls.length;
      if (asked < 8) return undefined;
      if (method !== 'getSignatureStatuses') return result(method);
      return statuses({ confirmationStatus: asked < 20 ? 'processed' : 'finalized' });
    };
    expect(await land()).toMatchObject({ signature: SIGNATURE });
    expect(calls.length).toBeGreaterThanOrEqual(20);
  });

  it('ends at once when the node refuses the transaction', async () => {
    answer = () => ({ error: { code: -32002, message: 'Transaction simulation failed' } });
    await expect(land()).rejects.toThrow(/refused sendTransaction: .*Transaction simulation failed/);
    expect(calls).toEqual(['sendTransaction']);
  });

  it('says that it failed', async () => {
    answer = (method) => {
      if (method !== 'getSignatureStatuses') return result(method);
      return statuses({ confirmationStatus: 'confirmed', err: { InstructionError: [2, { Custom: 6003 }] } });
    };
    await expect(land()).rejects.toThrow(
      `the transaction ${SIGNATURE} failed: {"InstructionError":[2,{"Custom":6003}]}`,
    );
  });

  it('says that it has expired, unless the node only lags behind', async () => {
    answer = (method) => {
      if (method === 'getSignatureStatuses') return statuses(null);
      // The first answers are those of a node that does not know the blockhash yet.
      if (method === 'isBlockhashValid') {
        const asked = countCalls(method);
        return { result: { context: { slot: 1 }, value: asked > 9 && asked < 30 } };
      }
      return result(method);
    };
    await expect(land()).rejects.toThrow(`${SIGNATURE} did not land in time; run the command again`);
    expect(countCalls('isBlockhashValid')).toBe(39);
  });

  it('says what to look at when the outcome stays unknown', async () => {
    answer = (method) => {
      if (method === 'sendTransaction') return result(method);
      timers.advance(30_000);
      return undefined;
    };
    await expect(land()).rejects.toThrow(
      /does not say whether the transaction \w+ has landed; see .* send show/,
    );
  });
});

const PAYER = createTestKey(1);
const WIRE = signTransaction(
  compileMessage({ feePayer: PAYER.address, blockhash: new Uint8Array(32), instructions: [] }),
  [PAYER],
);
const SIGNATURE = getTransactionSignature(parseTransaction(WIRE));

function land() {
  const { port } = server.address() as AddressInfo;
  return landClaim(new URL(`http://127.0.0.1:${port}`), WIRE, timers);
}

function result(method: string): object {
  if (method === 'isBlockhashValid') return { result: { context: { slot: 1 }, value: true } };
  return { result: method === 'sendTransaction' ? SIGNATURE : null };
}

function statuses(status: object | null): object {
  return { result: { context: { slot: 1 }, value: [status === null ? null : { slot: 1, ...status }] } };
}

function countCalls(method: string): number {
  return calls.filter((each) => each === method).length;
}

async function setUp(): Promise<void> {
  calls = [];
  timers = new SkippingTimers();
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method } = JSON.parse(body);
      calls.push(method);
      const answered = answer(method);
      if (answered === undefined) request.socket.destroy();
      else response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...answered }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function tearDown(): Promise<void> {
  await new Promise((resolve) => server.close(resolve));
}
