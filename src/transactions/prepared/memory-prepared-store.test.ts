import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { type Party, runAs } from '../../common/party.ts';
import { address } from '../../solana/address.ts';
import { MemoryPreparedStore } from './memory-prepared-store.ts';
import { type AttemptEnd, type PreparedTransaction, TooManyExecutions } from './store.ts';
import { openForEach } from '../../testing/opened.ts';

let height: bigint;
let orders: MemoryPreparedStore<PreparedTransaction, string>;
const timers = openForEach(() => new ManualTimers());
beforeEach(setUp);

describe('MemoryPreparedStore', () => {
  it('keeps an order for five minutes', async () => {
    const order = orderOf('a');
    await orders.put(order);
    timers.advance(5 * MINUTE - 1);
    expect(await orders.get('a')).toBe(order);
    timers.advance(1);
    expect(await orders.get('a')).toBeNull();
    expect(await orders.get('never')).toBeNull();
  });

  it('drops the oldest order when it is full and the order can no longer land', async () => {
    for (const requestId of ['a', 'b', 'c']) await orders.put(orderOf(requestId, 1_000n));
    height = 1_001n;
    await orders.put(orderOf('d', 1_151n));
    expect(await orders.get('a')).toBeNull();
    expect(await orders.get('b')).not.toBeNull();
  });

  it('refuses an order when it is full of orders that can still land, and keeps those', async () => {
    for (const requestId of ['a', 'b', 'c']) await orders.put(orderOf(requestId, 1_000n));
    height = 1_000n;
    const refused = orders.put(orderOf('d', 1_150n));
    await expect(refused).rejects.toThrow(Unavailable);
    await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 5 });
    for (const requestId of ['a', 'b', 'c']) expect(await orders.get(requestId)).not.toBeNull();
    expect(await orders.get('d')).toBeNull();
    // An order that is stored already can be stored again.
    await orders.put(orderOf('c', 1_150n));
  });

  it('has room again once an order has been executed, and still finds that order', async () => {
    for (const requestId of ['a', 'b', 'c']) await orders.put(orderOf(requestId, 1_000n));
    await orders.executeOnce(orderOf('b'), done);
    await orders.put(orderOf('d', 1_000n));
    for (const requestId of ['a', 'b', 'c', 'd']) expect(await orders.get(requestId)).not.toBeNull();
    expect(await orders.executeOnce(orderOf('b'), unheardOf)).toBe('done');
  });

  it('executes an order once, also while the execution is running', async () => {
    const { run, end } = pending();
    const first = orders.executeOnce(orderOf('a'), run);
    const second = orders.executeOnce(orderOf('a'), unheardOf);
    end({ final: true, answer: 'landed' });
    expect(await Promise.all([first, second])).toEqual(['landed', 'landed']);
    expect(await orders.executeOnce(orderOf('a'), unheardOf)).toBe('landed');
  });

  it('executes again after an attempt that failed or was not final', async () => {
    const open = async () => ({ final: false, answer: 'unknown' });
    expect(await orders.executeOnce(orderOf('a'), open)).toBe('unknown');
    await expect(orders.executeOnce(orderOf('a'), unheardOf)).rejects.toThrow('must not run');
    expect(await orders.executeOnce(orderOf('a'), done)).toBe('done');
  });

  it('keeps an order during its execution, and its answer for ten more minutes', async () => {
    const { run, end } = pending();
    await orders.put(orderOf('a'));
    const running = orders.executeOnce(orderOf('a'), run);
    timers.advance(60 * MINUTE);
    expect(await orders.get('a')).not.toBeNull();
    end({ final: true, answer: 'landed' });
    await running;
    timers.advance(10 * MINUTE - 1);
    expect(await orders.executeOnce(orderOf('a'), unheardOf)).toBe('landed');
    timers.advance(1);
    expect(await orders.get('a')).toBeNull();
  });

  it('drops finished executions for new ones, and refuses when all are running', async () => {
    await orders.executeOnce(orderOf('a'), done);
    await orders.put(orderOf('b'));
    await orders.executeOnce(orderOf('b'), done);
    const { run, end } = pending();
    const running = ['c', 'd', 'e'].map((requestId) => orders.executeOnce(orderOf(requestId), run));
    expect(await orders.get('b')).toBeNull();
    await expect(orders.executeOnce(orderOf('f'), done)).rejects.toThrow(TooManyExecutions);
    end({ final: true, answer: 'landed' });
    await Promise.all(running);
    expect(await orders.executeOnce(orderOf('f'), done)).toBe('done');
  });

  describe('shared by organisations', () => {
    it('has a place for an order of another organisation than the one that floods', async () => {
      for (const requestId of ['a', 'b', 'c']) await put(FLOOD, requestId);
      await expect(put(FLOOD, 'd')).rejects.toThrow('as many swaps of yours as may wait to be executed');
      await put(OTHER, 'e');
      for (const requestId of ['a', 'b', 'c', 'e']) expect(await orders.get(requestId)).not.toBeNull();
      await expect(put(OTHER, 'f')).rejects.toThrow('4 swaps wait to be executed');
    });

    it('drops orders that can no longer land of whoever floods, and not those of others', async () => {
      await put(OTHER, 'e');
      for (const requestId of ['a', 'b']) await put(FLOOD, requestId);
      height = 1_001n;
      await put(FLOOD, 'c');
      expect(await orders.get('e')).not.toBeNull();
      expect(await orders.get('a')).toBeNull();
      // Whoever has less than the flood takes a place of the flood.
      await put({ kind: 'client', id: '203.0.113.7' }, 'f');
      await put({ kind: 'organisation', id: 'third' }, 'g');
      expect(await orders.get('e')).not.toBeNull();
      expect(await orders.get('b')).toBeNull();
    });

    it('keeps the answers of others while one organisation executes more and more', async () => {
      expect(await execute(OTHER, 'theirs')).toBe('done');
      for (let at = 0; at < 20; at++) await execute(FLOOD, `flood ${at}`);
      expect(await execute(OTHER, 'theirs', unheardOf)).toBe('done');
    });

    it('executes for others while one organisation has all that it may', async () => {
      const { run, end } = pending();
      const running = ['a', 'b', 'c'].map((requestId) => execute(FLOOD, requestId, run));
      await expect(execute(FLOOD, 'd')).rejects.toThrow(TooManyExecutions);
      expect(await execute(OTHER, 'e')).toBe('done');
      end({ final: true, answer: 'landed' });
      await Promise.all(running);
    });

    const put = (party: Party, requestId: string) =>
      runAs(party, () => orders.put(orderOf(requestId, 1_000n)));
    const execute = (party: Party, requestId: string, run = done) =>
      runAs(party, () => orders.executeOnce(orderOf(requestId), run));
  });
});

const ANY = address('GGztQqQ6pCPaJQnNpXBgELr5cs3WwDakRbh1iEMzjgSJ');
const MINUTE = 60_000;

const FLOOD: Party = { kind: 'organisation', id: 'flood' };
const OTHER: Party = { kind: 'organisation', id: 'other' };

function setUp(): void {
  height = 0n;
  // Of four places, one party may have three.
  orders = new MemoryPreparedStore({
    capacity: 4,
    what: 'swaps',
    timers,
    height: () => height,
  });
}

function orderOf(requestId: string, lastValidBlockHeight = 1n): PreparedTransaction {
  return {
    requestId,
    messageBytes: new Uint8Array(3),
    lastValidBlockHeight,
    taker: ANY,
    payer: ANY,
  };
}

const done = async (): Promise<AttemptEnd<string>> => ({ final: true, answer: 'done' });
const unheardOf = (): Promise<never> => Promise.reject(new Error('must not run'));

/** An execution that ends when the test says so. */
function pending() {
  let end = (_execution: AttemptEnd<string>): void => {};
  const promise = new Promise<AttemptEnd<string>>((resolve) => {
    end = resolve;
  });
  return { run: () => promise, end };
}
