import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../../../test/timers.ts';
import type { Relay } from '../../../common/ports/relay.ts';
import type { SharedRuns } from '../../../common/ports/shared-runs.ts';
import { type ForwardExecution, forwardExecution, forwardedBody } from './forward-execution.ts';
import { type ExecuteParts, handleForwardedExecutions } from './execute.ts';
import type { StoredOrder } from './stored-order.ts';

const BODY = { requestId: 'a', signedTransaction: 'AA==' };
const LANDED = { status: 'Success', code: 0, signature: 's' };

let timers: ManualTimers;
let state: Awaited<ReturnType<SharedRuns['look']>>;
let sent: unknown[];
let home: string | null;
let isThere: boolean;
let execute: ForwardExecution;

beforeEach(() => {
  timers = new ManualTimers();
  state = { kind: 'free' };
  sent = [];
  home = 'there';
  isThere = true;
  const relay: Relay = {
    self: 'here',
    receive: async () => undefined,
    send: async (to, message) => {
      if (isThere) sent.push([to, forwardedBody(message)]);
      return isThere;
    },
  };
  const runs = { look: async () => state } as Partial<SharedRuns> as SharedRuns;
  execute = forwardExecution({
    relay,
    runs,
    timers,
    homeOf: async (makerId) => (makerId === 'maker' ? home : null),
  });
});

const WITH_MAKER = { requestId: 'a', coSigner: { makerId: 'maker' } } as StoredOrder;
const WITHOUT = { requestId: 'a' } as Partial<StoredOrder> as StoredOrder;

async function advance(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    timers.advance(100);
    await new Promise(setImmediate);
  }
}

describe('an order whose maker is at another instance', () => {
  it('is executed there, and answered here', async () => {
    const answer = execute(WITH_MAKER, BODY);
    await advance(1_000);
    state = { kind: 'held' };
    await advance(60_000);
    state = { kind: 'ended', answer: JSON.stringify(LANDED) };
    await advance(100);
    expect(await answer).toEqual(LANDED);
    expect(sent).toEqual([['there', BODY]]);
  });

  it('is sent again while nobody is at it, because a dead connection may have taken it', async () => {
    const answer = execute(WITH_MAKER, BODY);
    await advance(1_500);
    expect(sent).toEqual([
      ['there', BODY],
      ['there', BODY],
    ]);
    state = { kind: 'ended', answer: JSON.stringify(LANDED) };
    await advance(100);
    expect(await answer).toEqual(LANDED);
  });

  it('is left to this instance when it has no maker, the maker is not elsewhere, or that instance is gone', async () => {
    expect(await execute(WITHOUT, BODY)).toBeNull();
    isThere = false;
    expect(await execute(WITH_MAKER, BODY)).toBeNull();
    home = null;
    isThere = true;
    expect(await execute(WITH_MAKER, BODY)).toBeNull();
    expect(sent).toEqual([]);
  });

  it('is left to this instance when the other has let go of it without a final answer', async () => {
    state = { kind: 'held' };
    const answer = execute(WITH_MAKER, BODY);
    await advance(200);
    state = { kind: 'free' };
    await advance(100);
    expect(await answer).toBeNull();
  });

  it('is left to this instance when nobody is at it for three seconds', async () => {
    const answer = execute(WITH_MAKER, BODY);
    await advance(3_100);
    expect(await answer).toBeNull();
  });
});

it('what other instances send in no form is reported, and ends nothing', async () => {
  const defects: unknown[] = [];
  let deliver = (_message: string): void => {};
  const relay: Relay = {
    self: 'here',
    send: async () => false,
    receive: async (handler) => {
      deliver = handler;
    },
  };
  const parts = { onDefect: (_where, error) => defects.push(error) } as Partial<ExecuteParts> as ExecuteParts;
  await handleForwardedExecutions(parts, relay);
  for (const message of ['', '{', 'null']) deliver(message);
  await expect.poll(() => defects.length).toBe(3);
});
