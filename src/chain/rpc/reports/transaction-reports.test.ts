import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { ManualTimers } from '../../../testing/timers.ts';
import { runAs } from '../../../common/party.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import {
  parseTransaction,
  signTransaction,
  getTransactionSignature,
} from '../../../solana/messages/transaction.ts';
import { createTestKey } from '../../../testing/chain/bank.ts';
import { CallPace } from '../client/call-pace.ts';
import {
  CALLED,
  createLogsNotification,
  PROGRAM,
  createTestSignature,
} from '../../../testing/chain/node-reports.ts';
import { TransactionReports } from './transaction-reports.ts';

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
  beforeEach(setUp);
  afterEach(tearDown);

  it('asks for no transaction that failed or only mentions the program, however many come', async () => {
    for (let i = 0; i < 5_000; i++) {
      notify(i % 2 === 0 ? createLogsNotification(i, CALLED, 'AccountInUse') : createLogsNotification(i, []));
    }
    notify(createLogsNotification(9_999, CALLED));
    await vi.waitFor(() => {
      timers.advance(100);
      expect(asked).toEqual([createTestSignature(9_999)]);
    }, WAIT);
    expect(notices).toEqual([]);
  });

  it('asks three times for a transaction that never existed, and then tells that its time is incomplete', async () => {
    for (let i = 0; i < 3; i++) notify(createLogsNotification(1, CALLED));
    await vi.waitFor(() => {
      timers.advance(50);
      expect(asked).toEqual([createTestSignature(1), createTestSignature(1), createTestSignature(1)]);
    }, WAIT);
    await vi.waitFor(() => expect(isComplete()).toBe(false), WAIT);
  });

  it('goes on after a transaction that cannot be read, and tells it once', async () => {
    found = (asked) => {
      if (asked !== createTestSignature(9)) throw new RangeError('a record names account 9 of 3');
      return null;
    };
    for (let i = 0; i < 10; i++) notify(createLogsNotification(i, CALLED));
    await vi.waitFor(() => {
      timers.advance(100);
      expect(asked.filter((each) => each === createTestSignature(9))).toHaveLength(3);
    }, WAIT);
    expect(notices).toEqual([
      expect.stringMatching(`${createTestSignature(0)} cannot be taken in.*account 9 of 3`),
    ]);
    expect(isComplete()).toBe(false);
  });

  it('is not complete while it waits to ask for a transaction again', async () => {
    notify(createLogsNotification(1, CALLED));
    await vi.waitFor(() => {
      if (asked.length === 0) timers.advance(100);
      expect(asked).toEqual([createTestSignature(1)]);
    }, WAIT);
    now += 30;
    // Whether the answer has been looked at, or not yet, it is one that is still to come.
    for (let turns = 0; turns < 100; turns++) {
      expect(isComplete()).toBe(false);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(asked).toEqual([createTestSignature(1)]);
  });

  it('leaves out what was not read when it was closed, and asks for it when it is reported again', async () => {
    notify(createLogsNotification(1, CALLED));
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
    notify(createLogsNotification(1, CALLED));
    await vi.waitFor(() => {
      timers.advance(100);
      expect(asked.length).toBeGreaterThan(length);
    }, WAIT);
  });

  it('leaves out the oldest of too many transactions, and tells it once', async () => {
    for (let i = 0; i < 1_500; i++) notify(createLogsNotification(i, CALLED));
    await vi.waitFor(() => expect(notices).toHaveLength(1), WAIT);
    expect(isComplete()).toBe(false);
    // They are read at the pace that is set for them.
    expect(asked).toHaveLength(10);
    timers.advance(1_000);
    await vi.waitFor(() => expect(asked).toHaveLength(20), WAIT);
  });

  it('leaves out both times of a transaction that executed long after its report, as when the clock went ahead', async () => {
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
  });

  it('opens the connection again when a slot is impossible, and asks for nothing', async () => {
    notify({ ...createLogsNotification(1, CALLED), context: { slot: 1_000 } });
    await vi.waitFor(() => {
      timers.advance(100);
      expect(subscribed).toBe(2);
    }, WAIT);
    expect(asked).toEqual([]);
  });

  async function setUp(): Promise<void> {
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
    const pace = new CallPace({ callsPerSecond: 100, reportsPerSecond: 10, timers });
    reports = new TransactionReports({
      client: {
        // A node that reports transactions and then has none of them.
        call: async (_method, params, read) => {
          await runAs('reports', () => pace.turn(false));
          asked.push(String(params[0]));
          return read(found(String(params[0])));
        },
      },
      wsUrl: new URL(`ws://127.0.0.1:${(peer.address() as AddressInfo).port}`),
      timers,
      random: () => 0,
      readsPerSecond: 10,
      blockhashSlots: 200,
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
  }

  async function tearDown(): Promise<void> {
    reports.close();
    node?.terminate();
    await new Promise((resolve) => peer.close(resolve));
  }

  const isComplete = () => reports.isComplete({ from: NOW + 1_010, to: NOW + 1_020 });

  function notify(result: unknown): void {
    node?.send(
      JSON.stringify({ jsonrpc: '2.0', method: 'logsNotification', params: { subscription: 1, result } }),
    );
  }
});

const NOW = 1_800_000_000;
const WAIT = { interval: 10 };

/** A transaction without instructions, and a node's answer to `getTransaction` for it. */
function executedAt(time: number) {
  const payer = createTestKey(3);
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
    signature: getTransactionSignature(parseTransaction(wire)),
    answer: {
      slot: 7n,
      blockTime: BigInt(time),
      transaction: [Buffer.from(wire).toString('base64'), 'base64'],
      meta,
      version: 'legacy',
    },
  };
}
