import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import type { ExecutionStore } from '../../common/ports/execution-store.ts';
import { type Party, runAs } from '../../common/party.ts';
import { address } from '../../solana/address.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { parsePlain, serializePlain } from '../../common/plain-data.ts';
import { type Attempt, type AttemptEnd, type PreparedTransaction, TooManyExecutions } from './store.ts';
import { getPreparedStoreOptions, SharedPreparedStore } from './shared-prepared-store.ts';
import { openForEach } from '../../testing/opened.ts';

let height: bigint;
let server: Server;
let one: SharedPreparedStore<PreparedTransaction, string>;
let other: SharedPreparedStore<PreparedTransaction, string>;
let third: SharedPreparedStore<PreparedTransaction, string>;
const timers = openForEach(() => new ManualTimers());
beforeEach(setUp);

describe('orders shared by several processes', () => {
  it('can be read by another process as they were stored', async () => {
    await one.put(ORDER);
    expect(await other.get('a')).toEqual(ORDER);
    const odd = { ...ORDER, extra: { list: [1n, Uint8Array.of(7)], bytes: 'bytes', empty: {} } };
    expect(parsePlain(serializePlain(odd))).toEqual(odd);
  });

  it('are executed by one process, and answered by all', async () => {
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

  it('pass to another process within the lease when theirs has died', async () => {
    // This is what a killed process leaves behind.
    await server.begin('a', serializePlain(ORDER), 'killed');
    const taken = other.executeOnce(ORDER, landed);
    await advance(LEASE_MS - 500);
    expect(server.answer).toBeNull();
    await advance(1_000);
    expect(await taken).toBe('landed');
    expect(server.answer).toBe('"landed"');
  });

  it('are executed again after an attempt that failed or was not final', async () => {
    expect(await one.executeOnce(ORDER, async () => ({ final: false, answer: 'unknown' }))).toBe('unknown');
    await one.settled();
    await expect(other.executeOnce(ORDER, unheardOf)).rejects.toThrow('must not run');
    await other.settled();
    expect(await one.executeOnce(ORDER, landed)).toBe('landed');
  });

  it('are refused while the server is lost; running executions are answered and written later', async () => {
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

  it('are known to the executing instance after the server lost them, and soon to all instances', async () => {
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

  it('keep their answer when the server lost it or is away', async () => {
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

  /** An execution that waits until the test says so, and then sends or refuses. */
  function stalled(step: 'noteSending' | 'requireHeld' = 'noteSending') {
    let resume = () => {};
    const waiting = new Promise<void>((resolve) => {
      resume = resolve;
    });
    let sent = 0;
    const run = async (attempt: Attempt): Promise<AttemptEnd<string>> => {
      await waiting;
      await attempt[step]();
      sent++;
      return { final: true, answer: 'landed' };
    };
    return { run, resume, sent: () => sent };
  }

  it('are not sent by a process that was stopped for so long that another has answered', async () => {
    const { run, resume, sent } = stalled();
    const first = one.executeOnce(ORDER, run);
    await quiet();
    server.expire();
    const refused = async () => ({ final: false, answer: 'refused' });
    expect(await other.executeOnce(ORDER, refused)).toBe('refused');
    await other.settled();
    resume();
    await expect(first).rejects.toMatchObject({ name: 'Unavailable', run: 'free' });
    expect(sent()).toBe(0);
    await one.settled();
    // What was never sent is checked and counted by the next attempt.
    const attempts: boolean[] = [];
    const next = async ({ mayBeOut }: Attempt) => {
      attempts.push(mayBeOut);
      return landed();
    };
    expect(await one.executeOnce(ORDER, next)).toBe('landed');
    expect(attempts).toEqual([false]);
  });

  it.each(['noteSending', 'requireHeld'] as const)(
    'are not touched by a stopped process while another executes them: %s',
    async (step) => {
      const { run, resume, sent } = stalled(step);
      const first = one.executeOnce(ORDER, run);
      await quiet();
      server.expire();
      const continued = pending();
      const taken = other.executeOnce(ORDER, continued.run);
      await quiet();
      resume();
      await expect(first).rejects.toMatchObject({ name: 'Unavailable', run: 'taken' });
      expect(sent()).toBe(0);
      continued.end({ final: true, answer: 'landed' });
      expect(await taken).toBe('landed');
    },
  );

  it('are sent while the server is lost only as long as their lease cannot have expired, and marked later', async () => {
    for (const [passed, isSent] of [
      [LEASE_MS - 1, true],
      [LEASE_MS, false],
    ] as const) {
      const { run, resume, sent } = stalled();
      const order = { ...ORDER, requestId: `after ${passed}` };
      server.forget();
      const first = one.executeOnce(order, run);
      await quiet();
      server.lost = true;
      await advance(passed, passed);
      resume();
      if (isSent) expect(await first).toBe('landed');
      else await expect(first).rejects.toMatchObject({ name: 'Unavailable', run: 'unknown' });
      expect(sent()).toBe(isSent ? 1 : 0);
      server.lost = false;
      await advance(1_000);
      await one.settled();
    }
  });

  it('are marked as sent as soon as the server answers again', async () => {
    const { run, end } = pending();
    const first = one.executeOnce(ORDER, async (attempt) => {
      server.lost = true;
      await attempt.noteSending();
      return run();
    });
    await quiet();
    expect(server.isMarked).toBe(false);
    server.lost = false;
    await advance(LEASE_MS / 2);
    expect(server.isMarked).toBe(true);
    server.forget();
    await advance(LEASE_MS / 2);
    expect(server.isMarked).toBe(true);
    end({ final: true, answer: 'landed' });
    expect(await first).toBe('landed');
  });

  it('are refused when too many are executing', async () => {
    const { run, end } = pending();
    const running = [one.executeOnce(ORDER, run), one.executeOnce({ ...ORDER, requestId: 'b' }, run)];
    await expect(one.executeOnce({ ...ORDER, requestId: 'c' }, run)).rejects.toThrow(TooManyExecutions);
    end({ final: true, answer: 'landed' });
    await advance(1_000);
    expect(await Promise.all(running)).toEqual(['landed', 'landed']);
    await one.settled();
    expect(await one.executeOnce({ ...ORDER, requestId: 'c' }, landed)).toBe('landed');
  });

  it('are executed for others while one organisation has all that it may', async () => {
    const { run, end } = pending();
    const start = (party: Party, requestId: string) =>
      runAs(party, () => one.executeOnce({ ...ORDER, requestId }, run));
    const running = [start(FLOOD, 'a'), start(FLOOD, 'b')];
    await expect(start(FLOOD, 'c')).rejects.toThrow(TooManyExecutions);
    running.push(start(OTHER, 'd'));
    end({ final: true, answer: 'landed' });
    await advance(1_000);
    expect(await Promise.all(running)).toEqual(['landed', 'landed', 'landed']);
  });

  it('are stored for others while one organisation has handed out all that it may', async () => {
    const put = (party: Party, requestId: string) =>
      runAs(party, () => one.put({ ...ORDER, requestId, lastValidBlockHeight: 150n }));
    await put(FLOOD, 'a');
    server.lost = true;
    await expect(put(FLOOD, 'b')).rejects.toThrow('lost');
    server.lost = false;
    // What was not stored takes no place.
    await put(FLOOD, 'b');
    await expect(put(FLOOD, 'c')).rejects.toThrow('as many swaps of yours as may wait to be executed');
    await runAs(FLOOD, () => one.executeOnce({ ...ORDER, requestId: 'a' }, landed));
    await put(FLOOD, 'c');
    await expect(put(FLOOD, 'd')).rejects.toThrow(Unavailable);
    await put(OTHER, 'e');
    // The blockhash of all has expired.
    height = 151n;
    await put(FLOOD, 'd');
  });
});

const ANY = address('GGztQqQ6pCPaJQnNpXBgELr5cs3WwDakRbh1iEMzjgSJ');
const ORDER: PreparedTransaction = {
  requestId: 'a',
  messageBytes: Uint8Array.of(0, 200, 3),
  lastValidBlockHeight: 2n ** 63n,
  taker: ANY,
  payer: ANY,
};

const FLOOD: Party = { kind: 'organisation', id: 'flood' };
const OTHER: Party = { kind: 'organisation', id: 'other' };
const LEASE_MS = getPreparedStoreOptions('order', 'lost').leaseMs;

/** The state of one order on the server, by the test's clock. */
class Server implements ExecutionStore {
  readonly #timers: ManualTimers;
  lost = false;
  task: string | null = null;
  answer: string | null = null;
  isMarked = false;
  #holder: string | null = null;
  #until = 0;
  #since = 0;

  constructor(timers: ManualTimers) {
    this.#timers = timers;
  }

  #check(): void {
    if (this.lost) throw new Unavailable('lost');
  }

  /** Lets the lease expire, as for a holder that is stopped. */
  expire(): void {
    this.#until = 0;
  }

  /** Empties the server, as a restart does. */
  forget(): void {
    this.#since = this.#timers.now();
    this.#holder = null;
    this.task = null;
    this.answer = null;
    this.isMarked = false;
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
  readonly look: ExecutionStore['look'] = async () => {
    if (this.answer !== null) return { kind: 'ended', answer: this.answer };
    return { kind: this.#holder !== null && this.#until > this.#timers.now() ? 'held' : 'free' };
  };
  readonly begin: ExecutionStore['begin'] = async (_id, task, holder) => {
    this.#check();
    if (this.answer !== null) return { kind: 'ended', answer: this.answer };
    if (this.#holder !== null && this.#until > this.#timers.now()) return { kind: 'held' };
    this.task = task;
    this.#holder = holder;
    this.#until = this.#timers.now() + LEASE_MS;
    return this.isMarked ? { kind: 'begun', isMarked: true } : { kind: 'begun' };
  };
  readonly mark = async (id: string, holder: string, task: string | null) => {
    this.#check();
    if (this.task !== null && this.#until <= this.#timers.now()) return false;
    const isHeld = this.answer === null && (await this.keep(id, holder, task));
    this.isMarked ||= isHeld;
    return isHeld;
  };
  readonly keep = async (_id: string, holder: string, task: string | null) => {
    this.#check();
    if (this.task === null && task !== null) [this.task, this.#holder] = [task, holder];
    if (this.#holder !== holder) return false;
    this.#until = this.#timers.now() + LEASE_MS;
    return true;
  };
  readonly end = async (_id: string, holder: string, answer: string | null, task: string) => {
    this.#check();
    if (answer !== null) this.task ??= task;
    if (this.#holder === holder) this.#holder = null;
    this.answer ??= answer;
  };
}

function setUp(): void {
  height = 0n;
  server = new Server(timers);
  let holders = 0;
  const open = () =>
    new SharedPreparedStore<PreparedTransaction, string>({
      executions: server,
      what: 'swaps',
      answers: { write: JSON.stringify, read: JSON.parse },
      // Of three places, one party may have two.
      capacity: 3,
      height: () => height,
      timers,
      newHolder: () => `holder ${holders++}`,
      onDefect: (error) => {
        throw error;
      },
    });
  one = open();
  other = open();
  third = open();
}

const unheardOf = (): Promise<never> => Promise.reject(new Error('must not run'));
const landed = async (): Promise<AttemptEnd<string>> => ({ final: true, answer: 'landed' });
/** Resolves when everything that needs no time has happened. */
const quiet = () => new Promise(setImmediate);

/** An execution that ends when the test says so. */
function pending() {
  let end = (_execution: AttemptEnd<string>): void => {};
  const promise = new Promise<AttemptEnd<string>>((resolve) => {
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
