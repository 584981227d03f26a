import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../../test/timers.ts';
import type { SharedRuns } from '../../common/ports/shared-runs.ts';
import { address } from '../../solana/address.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { plainOf, plainText } from '../../common/plain-data.ts';
import { type Execution, type PreparedTransaction, TooManyExecutions } from './store.ts';
import { preparedRuns, SharedStore } from './shared-store.ts';

const ANY = address('GGztQqQ6pCPaJQnNpXBgELr5cs3WwDakRbh1iEMzjgSJ');
const ORDER: PreparedTransaction = {
  requestId: 'a',
  messageBytes: Uint8Array.of(0, 200, 3),
  lastValidBlockHeight: 2n ** 63n,
  taker: ANY,
  payer: ANY,
};

const LEASE_MS = preparedRuns('order', 'lost').leaseMs;

/** One order's state as the server keeps it, by the test's clock. */
class Server implements SharedRuns {
  readonly #timers: ManualTimers;
  lost = false;
  task: string | null = null;
  answer: string | null = null;
  #holder: string | null = null;
  #until = 0;
  #since = 0;

  constructor(timers: ManualTimers) {
    this.#timers = timers;
  }

  #check(): void {
    if (this.lost) throw new Unavailable('lost');
  }

  /** As a server that was started again, or emptied. */
  forget(): void {
    this.#since = this.#timers.now();
    this.#holder = null;
    this.task = null;
    this.answer = null;
  }

  readonly age = async () => {
    this.#check();
    return this.#timers.now() - this.#since;
  };
  readonly put = async (_id: string, task: string) => {
    this.#check();
    this.task = task;
  };
  readonly get = async () => this.task;
  readonly look: SharedRuns['look'] = async () => {
    if (this.answer !== null) return { kind: 'ended', answer: this.answer };
    return { kind: this.#holder !== null && this.#until > this.#timers.now() ? 'held' : 'free' };
  };
  readonly begin: SharedRuns['begin'] = async (_id, task, holder) => {
    this.#check();
    if (this.answer !== null) return { kind: 'ended', answer: this.answer };
    if (this.#holder !== null && this.#until > this.#timers.now()) return { kind: 'held' };
    this.task = task;
    this.#holder = holder;
    this.#until = this.#timers.now() + LEASE_MS;
    return { kind: 'begun' };
  };
  readonly mark = async () => this.#check();
  readonly keep = async (_id: string, holder: string, task: string) => {
    this.#check();
    if (this.task === null) [this.task, this.#holder] = [task, holder];
    if (this.#holder === holder) this.#until = this.#timers.now() + LEASE_MS;
  };
  readonly end = async (_id: string, holder: string, answer: string | null, task: string) => {
    this.#check();
    if (answer !== null) this.task ??= task;
    if (this.#holder === holder) this.#holder = null;
    this.answer ??= answer;
  };
}

let timers: ManualTimers;
let server: Server;
let one: SharedStore<PreparedTransaction, string>;
let other: SharedStore<PreparedTransaction, string>;
let third: SharedStore<PreparedTransaction, string>;

beforeEach(() => {
  timers = new ManualTimers();
  server = new Server(timers);
  let holders = 0;
  const open = () =>
    new SharedStore<PreparedTransaction, string>({
      runs: server,
      what: 'swaps',
      answers: { write: JSON.stringify, read: JSON.parse },
      capacity: 2,
      timers,
      newHolder: () => `holder ${holders++}`,
      onDefect: (error) => {
        throw error;
      },
    });
  one = open();
  other = open();
  third = open();
});

const unheardOf = (): Promise<never> => Promise.reject(new Error('must not run'));
const landed = async (): Promise<Execution<string>> => ({ final: true, answer: 'landed' });
/** When everything that needs no time has happened. */
const quiet = () => new Promise(setImmediate);

/** An execution that ends when the test says so. */
function pending() {
  let end = (_execution: Execution<string>): void => {};
  const promise = new Promise<Execution<string>>((resolve) => {
    end = resolve;
  });
  return { run: () => promise, end };
}

async function advance(ms: number, step = 250): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) {
    timers.advance(step);
    await quiet();
  }
}

describe('orders of several processes', () => {
  it('are read elsewhere as they were given out', async () => {
    await one.put(ORDER);
    expect(await other.get('a')).toEqual(ORDER);
    const odd = { ...ORDER, extra: { list: [1n, Uint8Array.of(7)], bytes: 'bytes', empty: {} } };
    expect(plainOf(plainText(odd))).toEqual(odd);
  });

  it('are executed by one, and answered by all', async () => {
    const { run, end } = pending();
    const first = one.executeOnce(ORDER, run);
    await quiet();
    const others = [one.executeOnce(ORDER, unheardOf), other.executeOnce(ORDER, unheardOf)];
    end({ final: true, answer: 'landed' });
    await advance(1_000);
    expect(await Promise.all([first, ...others])).toEqual(['landed', 'landed', 'landed']);
    expect(await other.executeOnce(ORDER, unheardOf)).toBe('landed');
  });

  it('stay with a process for as long as it lives', async () => {
    const { run, end } = pending();
    const first = one.executeOnce(ORDER, run);
    await quiet();
    const second = other.executeOnce(ORDER, unheardOf);
    await advance(100_000);
    end({ final: true, answer: 'landed' });
    await advance(1_000);
    expect(await Promise.all([first, second])).toEqual(['landed', 'landed']);
  });

  it('go to another process when theirs has died, within the lease', async () => {
    // As a process that was killed leaves it behind.
    await server.begin('a', plainText(ORDER), 'killed');
    const taken = other.executeOnce(ORDER, landed);
    await advance(LEASE_MS - 500);
    expect(server.answer).toBeNull();
    await advance(1_000);
    expect(await taken).toBe('landed');
    expect(server.answer).toBe('"landed"');
  });

  it('run again when the end was left open, and when it failed', async () => {
    expect(await one.executeOnce(ORDER, async () => ({ final: false, answer: 'unknown' }))).toBe('unknown');
    await one.settled();
    await expect(other.executeOnce(ORDER, unheardOf)).rejects.toThrow('must not run');
    await other.settled();
    expect(await one.executeOnce(ORDER, landed)).toBe('landed');
  });

  it('are refused while the server is lost, but what runs already is answered and written later', async () => {
    const { run, end } = pending();
    const first = one.executeOnce(ORDER, run);
    await quiet();
    server.lost = true;
    await expect(one.put(ORDER)).rejects.toThrow(Unavailable);
    await expect(other.executeOnce(ORDER, unheardOf)).rejects.toThrow(Unavailable);
    end({ final: true, answer: 'landed' });
    expect(await first).toBe('landed');
    await advance(20_000);
    expect(await one.executeOnce(ORDER, unheardOf)).toBe('landed');
    const settled = one.settled();
    server.lost = false;
    await advance(1_000);
    await settled;
    expect(await other.executeOnce(ORDER, unheardOf)).toBe('landed');
  });

  it('are known to whoever executes them although the server forgot, and soon to all', async () => {
    const { run, end } = pending();
    await one.put(ORDER);
    const first = one.executeOnce(ORDER, run);
    const waiting = other.executeOnce(ORDER, unheardOf);
    await quiet();
    server.forget();
    expect(await one.get('a')).toEqual(ORDER);
    const again = one.executeOnce(ORDER, unheardOf);
    expect(await other.mayHaveForgotten()).toBe(true);
    await advance(LEASE_MS / 2);
    expect(await other.mayHaveForgotten()).toBe(false);
    expect(await third.get('a')).toEqual(ORDER);
    end({ final: true, answer: 'landed' });
    await advance(1_000);
    expect(await Promise.all([first, again, waiting])).toEqual(['landed', 'landed', 'landed']);
  });

  it('keep their answer although the server forgot it, or is away', async () => {
    expect(await one.executeOnce(ORDER, landed)).toBe('landed');
    await one.settled();
    server.forget();
    expect(await one.get('a')).toEqual(ORDER);
    expect(await one.executeOnce(ORDER, unheardOf)).toBe('landed');
    await one.settled();
    expect(await other.executeOnce(ORDER, unheardOf)).toBe('landed');
    server.lost = true;
    expect(await one.executeOnce(ORDER, unheardOf)).toBe('landed');
    await expect(other.executeOnce(ORDER, unheardOf)).rejects.toThrow(Unavailable);
  });

  it('refuse more than they can follow', async () => {
    const { run, end } = pending();
    const running = [one.executeOnce(ORDER, run), one.executeOnce({ ...ORDER, requestId: 'b' }, run)];
    await expect(one.executeOnce({ ...ORDER, requestId: 'c' }, run)).rejects.toThrow(TooManyExecutions);
    end({ final: true, answer: 'landed' });
    await advance(1_000);
    expect(await Promise.all(running)).toEqual(['landed', 'landed']);
    await one.settled();
    expect(await one.executeOnce({ ...ORDER, requestId: 'c' }, landed)).toBe('landed');
  });
});
