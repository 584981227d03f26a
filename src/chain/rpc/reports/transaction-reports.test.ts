import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { ManualTimers } from '../../../../test/timers.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { encodeBase58 } from '../../../solana/encoding/base58.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import {
  parseTransaction,
  signTransaction,
  transactionSignature,
} from '../../../solana/messages/transaction.ts';
import { testKey } from '../../embedded/bank/bank-for-tests.ts';
import type { TimeRange } from '../../reported-transactions.ts';
import { Coverage } from './coverage.ts';
import { readLogs } from './read-logs.ts';
import { TransactionReports } from './transaction-reports.ts';

const PROGRAM = testKey(1).address;
const OTHER = testKey(2).address;
const NOW = 1_800_000_000;
const WAIT = { interval: 10, timeout: 60_000 };
const TEST_MS = 90_000;

function signature(index: number): string {
  const bytes = new Uint8Array(64).fill(1);
  new DataView(bytes.buffer).setUint32(0, index);
  return encodeBase58(bytes);
}

function logs(index: number, lines: readonly string[], err: unknown = null) {
  return { context: { slot: 7 }, value: { signature: signature(index), err, logs: lines } };
}

const CALLED = [`Program ${PROGRAM} invoke [2]`, `Program ${PROGRAM} success`];

/** A transaction without instructions, and a node's answer to `getTransaction` for it. */
function executedAt(time: number) {
  const payer = testKey(3);
  const message = compileMessage({
    feePayer: payer.address,
    blockhash: new Uint8Array(32).fill(1),
    instructions: [],
  });
  const wire = signTransaction(message, [payer]);
  const meta = {
    err: null,
    fee: 5_000,
    preBalances: [10_000],
    postBalances: [5_000],
    preTokenBalances: [],
    postTokenBalances: [],
    innerInstructions: [],
    logMessages: CALLED,
  };
  return {
    signature: transactionSignature(parseTransaction(wire)),
    answer: {
      slot: 7n,
      blockTime: BigInt(time),
      transaction: [Buffer.from(wire).toString('base64'), 'base64'],
      meta,
      version: 'legacy',
    },
  };
}

describe('readLogs', () => {
  it.each([
    ['calls the program', CALLED, null, true],
    ['calls it in logs that were truncated', ['Log truncated'], null, true],
    ['fails', CALLED, { InstructionError: [0, { Custom: 1 }] }, false],
    ['only mentions the program', [`Program ${OTHER} invoke [1]`], null, false],
    ['writes the line of a call itself', [`Program log: Program ${PROGRAM} invoke [1]`], null, false],
  ])('tells whether a transaction must be read that %s', (_, lines, err, mayCall) => {
    expect(readLogs(logs(1, lines, err), PROGRAM)).toEqual({ slot: 7n, signature: signature(1), mayCall });
  });

  it('takes a transaction without logs for one that may call the program', () => {
    const result = { context: { slot: 7 }, value: { signature: signature(1), err: null, logs: null } };
    expect(readLogs(result, PROGRAM).mayCall).toBe(true);
  });

  it.each([
    ['no signature', { context: { slot: 7 }, value: { err: null, logs: [] } }],
    ['a short one', { context: { slot: 7 }, value: { signature: 'abc', err: null, logs: [] } }],
    ['a huge one', { context: { slot: 7 }, value: { signature: 'z'.repeat(100_000), err: null, logs: [] } }],
    ['false logs', { context: { slot: 7 }, value: { signature: signature(1), err: null, logs: [1] } }],
  ])('refuses a notification with %s', (_, result) => {
    expect(() => readLogs(result, PROGRAM)).toThrow(OperatorError);
  });
});

describe('Coverage', () => {
  it('is complete only between the margins of what was reported', () => {
    const coverage = new Coverage();
    expect(coverage.isComplete({ from: NOW, to: NOW + 60 })).toBe(false);
    coverage.begin(NOW);
    expect(coverage.isComplete({ from: NOW, to: NOW + 60 })).toBe(false);
    expect(coverage.isComplete({ from: NOW + 10, to: NOW + 60 })).toBe(true);
    coverage.lose(NOW + 100);
    expect(coverage.isComplete({ from: NOW + 10, to: NOW + 80 })).toBe(true);
    expect(coverage.isComplete({ from: NOW + 10, to: NOW + 81 })).toBe(false);
    coverage.begin(NOW + 200);
    expect(coverage.isComplete({ from: NOW + 10, to: NOW + 80 })).toBe(true);
    expect(coverage.isComplete({ from: NOW + 80, to: NOW + 81 })).toBe(false);
    expect(coverage.isComplete({ from: NOW + 210, to: NOW + 300 })).toBe(true);
  });

  it('claims no more when it has to join gaps', () => {
    const coverage = new Coverage();
    coverage.begin(NOW);
    for (let i = 1; i <= 2_000; i++) coverage.miss(NOW + i * 1_000);
    expect(coverage.isComplete({ from: NOW + 100, to: NOW + 200 })).toBe(false);
    expect(coverage.isComplete({ from: NOW + 2_000_000 - 60, to: NOW + 2_000_000 })).toBe(false);
    expect(coverage.isComplete({ from: NOW + 1_999_100, to: NOW + 1_999_900 })).toBe(true);
  });
});

describe('Coverage of an earlier watch', () => {
  const KNOWN = { from: NOW - 1_000, to: NOW - 100 };

  it.each([
    ['before the first report', ['resume', 'begin']],
    ['after it', ['begin', 'resume']],
  ])('is told %s', (_, steps) => {
    const coverage = new Coverage();
    for (const step of steps) {
      if (step === 'begin') coverage.begin(NOW);
      else coverage.resume(KNOWN);
    }
    expect(coverage.isComplete(KNOWN)).toBe(true);
    expect(coverage.isComplete({ ...KNOWN, from: KNOWN.from - 1 })).toBe(false);
    expect(coverage.isComplete({ ...KNOWN, to: KNOWN.to + 1 })).toBe(false);
    const gap = coverage.gapWithin({ from: KNOWN.from, to: NOW + 100 }, () => true);
    expect(gap).toEqual({ from: KNOWN.to, to: NOW + 10 });
    if (gap !== null) coverage.close(gap);
    expect(coverage.isComplete({ from: KNOWN.from, to: NOW + 100 })).toBe(true);
    expect(coverage.lastComplete(NOW + 100)).toEqual({ from: KNOWN.from, to: NOW + 100 });
  });

  it('leaves a gap right after the first report apart, so that it can be closed', () => {
    const coverage = new Coverage();
    coverage.begin(NOW);
    coverage.lose(NOW + 5);
    coverage.begin(NOW + 50);
    const gap = coverage.gapWithin({ from: NOW, to: NOW + 100 }, () => true);
    expect(gap).toEqual({ from: NOW + 10, to: NOW + 60 });
    coverage.miss(NOW - 100);
    if (gap !== null) coverage.close(gap);
    expect(coverage.isComplete({ from: NOW + 10, to: NOW + 100 })).toBe(true);
    expect(coverage.isComplete({ from: NOW + 9, to: NOW + 100 })).toBe(false);
  });

  it('ends where transactions are missing', () => {
    const coverage = new Coverage();
    expect(coverage.lastComplete(NOW)).toBeNull();
    coverage.begin(NOW);
    expect(coverage.lastComplete(NOW + 5)).toBeNull();
    expect(coverage.lastComplete(NOW + 500)).toEqual({ from: NOW + 10, to: NOW + 500 });
    coverage.miss(NOW + 480);
    expect(coverage.lastComplete(NOW + 500)).toEqual({ from: NOW + 10, to: NOW + 420 });
    expect(coverage.lastComplete(NOW + 900)).toEqual({ from: NOW + 540, to: NOW + 900 });
    coverage.lose(NOW + 700);
    expect(coverage.lastComplete(NOW + 900)).toEqual({ from: NOW + 540, to: NOW + 680 });
  });
});

describe('Coverage whose clock goes ahead and back', () => {
  it('never claims a time of which something is missing', () => {
    const event = fc.record({
      kind: fc.constantFrom('miss', 'lose', 'begin'),
      now: fc.integer({ min: 0, max: 5_000 }),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const coverage = new Coverage();
        coverage.begin(-1_000);
        const missed: TimeRange[] = [];
        let lostAt: number | null = null;
        for (const { kind, now } of events) {
          if (kind === 'miss') {
            coverage.miss(now);
            missed.push({ from: now - 60, to: now + 60 });
          } else if (kind === 'lose') {
            coverage.lose(now);
            lostAt ??= now - 20;
          } else {
            coverage.begin(now);
            if (lostAt !== null) missed.push({ from: Math.min(lostAt, now), to: Math.max(lostAt, now + 10) });
            lostAt = null;
          }
        }
        const lacks = ({ from, to }: TimeRange) =>
          missed.some((gap) => gap.from < to && gap.to > from) || (lostAt !== null && to > lostAt);
        for (let from = 0; from < 5_000; from += 50) {
          const range = { from, to: from + 50 };
          expect(coverage.isComplete(range)).toBe(!lacks(range));
        }
        const last = coverage.lastComplete(5_000);
        if (last !== null) expect(lacks(last)).toBe(false);
      }),
      { seed: 20_261_124 },
    );
  });
});

describe('TransactionReports', () => {
  let peer: WebSocketServer;
  let node: WebSocket | null;
  let subscribed: number;
  let asked: string[];
  let timers: ManualTimers;
  let notices: string[];
  let reports: TransactionReports;
  /** Unix seconds of the network. */
  let now: number;
  /** What the node answers when it is asked for a transaction. */
  let found: (signature: string) => unknown;

  beforeEach(async () => {
    subscribed = 0;
    asked = [];
    notices = [];
    node = null;
    now = NOW + 1_000;
    found = () => null;
    timers = new ManualTimers();
    peer = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    peer.on('connection', (socket) => {
      node = socket;
      socket.on('error', () => {});
      socket.on('message', (data) => {
        const { id, method } = JSON.parse(data.toString());
        if (method !== 'logsSubscribe') return;
        subscribed++;
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: id }));
      });
    });
    await vi.waitFor(() => expect(peer.address()).not.toBeNull(), WAIT);
    reports = new TransactionReports({
      client: {
        // A node that reports transactions and then has none of them.
        call: async (_method, params, read) => {
          asked.push(String(params[0]));
          return read(found(String(params[0])));
        },
      },
      wsUrl: new URL(`ws://127.0.0.1:${(peer.address() as AddressInfo).port}`),
      timers,
      random: () => 0,
      readsPerSecond: 10,
      now: () => now,
      requirePlausible: (slot) => {
        if (slot > 100n) throw new OperatorError(`slot ${slot}`);
      },
      onNotice: (message) => notices.push(message),
    });
    reports.watch([PROGRAM], () => {
      throw new Error('nothing was executed');
    });
    await vi.waitFor(() => expect(isComplete()).toBe(true), WAIT);
  });

  afterEach(async () => {
    reports.close();
    node?.terminate();
    await new Promise((resolve) => peer.close(resolve));
  });

  const isComplete = () => reports.isComplete({ from: NOW + 1_010, to: NOW + 1_020 });

  function notify(result: unknown): void {
    node?.send(
      JSON.stringify({ jsonrpc: '2.0', method: 'logsNotification', params: { subscription: 1, result } }),
    );
  }

  it(
    'asks for no transaction that failed or only mentions the program, however many come',
    async () => {
      for (let i = 0; i < 5_000; i++) {
        notify(i % 2 === 0 ? logs(i, CALLED, 'AccountInUse') : logs(i, []));
      }
      notify(logs(9_999, CALLED));
      await vi.waitFor(() => {
        timers.advance(100);
        expect(asked).toEqual([signature(9_999)]);
      }, WAIT);
      expect(notices).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'asks three times for a transaction that never existed, and then tells that its time is incomplete',
    async () => {
      for (let i = 0; i < 3; i++) notify(logs(1, CALLED));
      await vi.waitFor(() => {
        timers.advance(50);
        expect(asked).toEqual([signature(1), signature(1), signature(1)]);
      }, WAIT);
      await vi.waitFor(() => expect(isComplete()).toBe(false), WAIT);
    },
    TEST_MS,
  );

  it(
    'goes on after a transaction that cannot be read, and tells it once',
    async () => {
      found = (asked) => {
        if (asked !== signature(9)) throw new RangeError('a record names account 9 of 3');
        return null;
      };
      for (let i = 0; i < 10; i++) notify(logs(i, CALLED));
      await vi.waitFor(() => {
        timers.advance(100);
        expect(asked.filter((each) => each === signature(9))).toHaveLength(3);
      }, WAIT);
      expect(notices).toEqual([expect.stringMatching(`${signature(0)} cannot be taken in.*account 9 of 3`)]);
      expect(isComplete()).toBe(false);
    },
    TEST_MS,
  );

  it(
    'is not complete while it waits to ask for a transaction again',
    async () => {
      notify(logs(1, CALLED));
      await vi.waitFor(() => {
        if (asked.length === 0) timers.advance(100);
        expect(asked).toEqual([signature(1)]);
      }, WAIT);
      now += 30;
      // Whether the answer has been looked at, or not yet, it is one that is still to come.
      for (let turns = 0; turns < 100; turns++) {
        expect(isComplete()).toBe(false);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(asked).toEqual([signature(1)]);
    },
    TEST_MS,
  );

  it(
    'leaves out what was not read when it was closed, and asks for it when it is reported again',
    async () => {
      notify(logs(1, CALLED));
      await vi.waitFor(() => {
        timers.advance(100);
        expect(asked).not.toEqual([]);
      }, WAIT);
      const { length } = asked;
      now += 500;
      reports.close();
      reports.watch([PROGRAM], () => {});
      await vi.waitFor(() => expect(reports.isComplete({ from: now + 10, to: now + 20 })).toBe(true), WAIT);
      expect(isComplete()).toBe(false);
      notify(logs(1, CALLED));
      await vi.waitFor(() => {
        timers.advance(100);
        expect(asked.length).toBeGreaterThan(length);
      }, WAIT);
    },
    TEST_MS,
  );

  it(
    'leaves out the oldest of too many transactions, and tells it once',
    async () => {
      for (let i = 0; i < 1_500; i++) notify(logs(i, CALLED));
      await vi.waitFor(() => expect(notices).toHaveLength(1), WAIT);
      expect(isComplete()).toBe(false);
      expect(asked).toEqual([]);
      timers.advance(100);
      await vi.waitFor(() => expect(asked).toHaveLength(1), WAIT);
    },
    TEST_MS,
  );

  it(
    'leaves out both times of a transaction that executed long after its report, as when the clock went ahead',
    async () => {
      const executed = now + 600;
      const transaction = executedAt(executed);
      found = () => transaction.answer;
      now += 100;
      const at = (time: number) => reports.isComplete({ from: time - 5, to: time + 5 });
      notify({
        context: { slot: 7 },
        value: { signature: transaction.signature, err: null, logs: CALLED },
      });
      await vi.waitFor(() => {
        timers.advance(100);
        expect(at(now)).toBe(false);
      }, WAIT);
      expect([at(now + 300), at(executed), at(executed + 300)]).toEqual([true, false, true]);
      expect(reports.lastPassedOn()).toBeNull();
      now += 1_200;
      expect(reports.lastPassedOn()).toEqual({ from: executed + 60, to: now - 120 });
    },
    TEST_MS,
  );

  it(
    'opens the connection again when a slot is impossible, and asks for nothing',
    async () => {
      notify({ ...logs(1, CALLED), context: { slot: 1_000 } });
      await vi.waitFor(() => {
        timers.advance(100);
        expect(subscribed).toBe(2);
      }, WAIT);
      expect(asked).toEqual([]);
    },
    TEST_MS,
  );
});
