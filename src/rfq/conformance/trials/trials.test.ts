import { beforeEach, expect, it } from 'vitest';
import type { LastLook, OfferedSwap } from '../../streams/maker-link.ts';
import { createKeypairFromSeed, signWith } from '../../../solana/keypair.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import { memo } from '../../../solana/programs/memo.ts';
import { signTransaction } from '../../../solana/messages/transaction.ts';
import { MAKER, modified, signed } from '../../../testing/rfq/checked-maker.ts';
import { ManualTimers } from '../../../testing/timers.ts';
import { SwapConnections, type SwapMessage } from '../../streams/swap-connections.ts';
import { type SwapStream, SwapStreams } from '../../streams/swap-streams.ts';
import { Trials } from './trials.ts';

let streams: SwapStreams;
let stream: SwapStream;
let sent: SwapMessage[];
let trials: Trials;
let settled: string[];
let swap: OfferedSwap;
beforeEach(setUp);

it('Trials keeps what the maker signs, once', async () => {
  const trial = trials.begin(swap);
  expect(pending('one')).toEqual(['of an order', 'a trial']);
  expect(submit(signed(swap.transaction))).toBeNull();
  const wire = new Uint8Array(Buffer.from(signed(swap.transaction), 'base64'));
  expect(await trial.decided).toEqual({ kind: 'signed', wire });
  expect(submit(signed(swap.transaction))).toContain('was submitted before');
  expect(trial.replies).toHaveLength(1);
  expect(pending('one')).toEqual(['of an order']);
  expect(settled).toEqual([]);
});

it('Trials tells a changed message from an unusable answer, after which the maker may try again', async () => {
  const trial = trials.begin(swap);
  for (const unusable of ['AAAA', '%', Buffer.from(swap.transaction).toString('base64')]) {
    expect(submit(unusable)).toContain('the swap a trial waits on');
  }
  expect(trial.replies).toEqual([{ kind: 'unusable', reason: expect.stringContaining(MAKER.address) }]);
  expect(pending('one')).toContain('a trial');
  expect(submit(modified(swap.transaction))).toContain('is rejected');
  expect(await trial.decided).toEqual({ kind: 'modified' });
});

it('Trials leaves every other swap, and every other maker, to settlement', () => {
  const trial = trials.begin(swap);
  expect(submit(signed(swap.transaction), stream, 'of an order')).toBe('settlement knows');
  expect(submit(signed(swap.transaction), open('another'))).toBe('settlement knows');
  expect(pending('another')).toEqual([]);
  expect(pending('one')).toEqual(['of an order', 'a trial']);
  trial.end();
  expect(submit(signed(swap.transaction))).toBe('settlement knows');
  expect(pending('one')).toEqual(['of an order']);
  expect(trial.replies).toEqual([]);
  expect(settled).toEqual(['one of an order', 'another a trial', 'one a trial']);
});

it('Trials.endAll ends every trial', () => {
  trials.begin(swap);
  trials.begin({ ...swap, swapUuid: 'another trial' });
  trials.endAll();
  expect(pending('one')).toEqual(['of an order']);
});

it('Trials accepts only the signature of the maker', () => {
  const trial = trials.begin(swap);
  const forged = Buffer.from(signed(swap.transaction), 'base64');
  // The maker's place, after the count and the taker's signature.
  forged.set(signWith(TAKER, forged.subarray(1 + 2 * 64)), 1 + 64);
  expect(submit(forged.toString('base64'))).toContain('waits on');
  expect(trial.replies.map(({ kind }) => kind)).toEqual(['unusable']);
});

const TAKER = createKeypairFromSeed(new Uint8Array(32).fill(7));
const ORDERS: OfferedSwap = { swapUuid: 'of an order', makerId: 'one', transaction: new Uint8Array(1) };

function setUp(): void {
  settled = [];
  const settlement: LastLook = {
    submitted: ({ makerId, swapUuid }) => {
      settled.push(`${makerId} ${swapUuid}`);
      return 'settlement knows';
    },
    pending: (makerId) => (makerId === 'one' ? [ORDERS] : []),
    knows: () => false,
  };
  const timers = new ManualTimers();
  streams = new SwapStreams({
    connections: new SwapConnections(timers),
    makers: { acquire: () => null, connected: () => undefined, disconnected: () => undefined },
    lastLook: settlement,
    timers,
    refreshMakers: async () => undefined,
    onGone: () => undefined,
  });
  stream = open('one');
  trials = new Trials(streams);
  const message = compileMessage({
    feePayer: TAKER.address,
    blockhash: new Uint8Array(32).fill(1),
    instructions: [memo('for the maker to sign', [MAKER.address])],
  });
  swap = { swapUuid: 'a trial', makerId: 'one', transaction: signTransaction(message, [TAKER]) };
}

function open(makerId: string): SwapStream {
  sent = [];
  const into = sent;
  const opened = streams.open(makerId, {
    send: (message) => into.push(message),
    end: () => undefined,
    unread: () => 0,
  });
  if (opened === null) throw new Error('too many streams were opened');
  return opened;
}

/** Returns what the maker is answered; null when nothing. */
function submit(signedTransaction: string, by = stream, swapUuid = 'a trial'): string | null {
  const before = sent.length;
  by.received({ kind: 'submit', swapUuid, signedTransaction });
  const [answer] = sent.slice(before);
  return answer?.kind === 'error' ? answer.text : null;
}

/** The swaps that a new stream of the maker is offered. */
function pending(makerId: string): readonly string[] {
  const opened = open(makerId);
  if (makerId === 'one') stream = opened;
  return sent.flatMap((message) => (message.kind === 'available' ? [message.swapUuid] : []));
}
