import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../../testing/timers.ts';
import type { MessageTransport } from '../../../common/ports/message-transport.ts';
import type { ExecutionStore } from '../../../common/ports/execution-store.ts';
import {
  type ForwardExecution,
  createExecutionForwarder,
  readForwardedRequest,
} from './forward-execution.ts';
import { type ExecuteDependencies, handleForwardedExecutions } from './execute.ts';
import { writeResult } from '../../../swaps/orders/stored-result.ts';
import type { StoredOrder } from '../../../swaps/orders/stored-order.ts';
import { openForEach } from '../../../testing/opened.ts';

let state: Awaited<ReturnType<ExecutionStore['look']>>;
let sent: unknown[];
let owner: string | null;
let isThere: boolean;
let execute: ForwardExecution;
const timers = openForEach(() => new ManualTimers());
beforeEach(setUp);

describe('createExecutionForwarder', () => {
  it('has the owner of the maker execute the order, and returns its result', async () => {
    const answer = execute(WITH_MAKER, BODY);
    await advance(1_000);
    state = { kind: 'held' };
    await advance(60_000);
    state = { kind: 'ended', answer: writeResult(LANDED) };
    await advance(100);
    expect(await answer).toEqual(LANDED);
    expect(sent).toEqual([['there', BODY]]);
  });

  it('sends the order again while no instance has begun it, because a dead connection may have lost it', async () => {
    const answer = execute(WITH_MAKER, BODY);
    await advance(1_500);
    expect(sent).toEqual([
      ['there', BODY],
      ['there', BODY],
    ]);
    state = { kind: 'ended', answer: writeResult(LANDED) };
    await advance(100);
    expect(await answer).toEqual(LANDED);
  });

  it('returns null if the order has no maker, no other instance owns the maker, or the owner is gone', async () => {
    expect(await execute(WITHOUT, BODY)).toBeNull();
    isThere = false;
    expect(await execute(WITH_MAKER, BODY)).toBeNull();
    owner = null;
    isThere = true;
    expect(await execute(WITH_MAKER, BODY)).toBeNull();
    expect(sent).toEqual([]);
  });

  it('returns null if the owner ended its run without a final result', async () => {
    state = { kind: 'held' };
    const answer = execute(WITH_MAKER, BODY);
    await advance(200);
    state = { kind: 'free' };
    await advance(100);
    expect(await answer).toBeNull();
  });

  it('returns null if no instance has begun the order after three seconds', async () => {
    const answer = execute(WITH_MAKER, BODY);
    await advance(3_100);
    expect(await answer).toBeNull();
  });
});

it('handleForwardedExecutions reports messages that are not JSON, and goes on', async () => {
  const defects: unknown[] = [];
  let deliver = (_message: string): void => {};
  const transport: MessageTransport = {
    self: 'here',
    send: async () => false,
    receive: async (handler) => {
      deliver = handler;
    },
  };
  const dependencies = {
    onDefect: (_where, error) => defects.push(error),
  } as Partial<ExecuteDependencies> as ExecuteDependencies;
  await handleForwardedExecutions(dependencies, transport);
  for (const message of ['', '{', 'null']) deliver(message);
  await expect.poll(() => defects.length).toBe(3);
});

const BODY = { requestId: 'a', signedTransaction: 'AA==' };
const LANDED = { kind: 'succeeded', signature: 's', slot: 7n, amounts: null } as const;

function setUp(): void {
  state = { kind: 'free' };
  sent = [];
  owner = 'there';
  isThere = true;
  const transport: MessageTransport = {
    self: 'here',
    receive: async () => undefined,
    send: async (to, message) => {
      if (isThere) sent.push([to, readForwardedRequest(message)]);
      return isThere;
    },
  };
  const executions = { look: async () => state } as Partial<ExecutionStore> as ExecutionStore;
  execute = createExecutionForwarder({
    transport,
    executions,
    timers,
    findOwner: async (makerId) => (makerId === 'maker' ? owner : null),
  });
}

const WITH_MAKER = { requestId: 'a', coSigner: { makerId: 'maker' } } as StoredOrder;
const WITHOUT = { requestId: 'a' } as Partial<StoredOrder> as StoredOrder;

async function advance(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    timers.advance(100);
    await new Promise(setImmediate);
  }
}
