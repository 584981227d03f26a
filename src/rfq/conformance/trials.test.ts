import { beforeEach, expect, it } from 'vitest';
import type { LastLook, OfferedSwap } from '../streams/maker-link.ts';
import { keypairFromSeed, signWith } from '../../solana/keypair.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { memo } from '../../solana/programs/memo.ts';
import { signTransaction } from '../../solana/messages/transaction.ts';
import { MAKER, modified, signed } from './maker-for-tests.ts';
import { Trials } from './trials.ts';

const TAKER = keypairFromSeed(new Uint8Array(32).fill(7));
const ORDERS: OfferedSwap = { swapUuid: 'of an order', makerId: 'one', transaction: new Uint8Array(1) };

let trials: Trials;
let settled: string[];
let swap: OfferedSwap;

beforeEach(() => {
  settled = [];
  const settlement: LastLook = {
    submitted: ({ makerId, swapUuid }) => {
      settled.push(`${makerId} ${swapUuid}`);
      return 'settlement knows';
    },
    pending: (makerId) => (makerId === 'one' ? [ORDERS] : []),
    knows: () => false,
  };
  trials = new Trials(settlement);
  const message = compileMessage({
    feePayer: TAKER.address,
    blockhash: new Uint8Array(32).fill(1),
    instructions: [memo('for the maker to sign', [MAKER.address])],
  });
  swap = { swapUuid: 'a trial', makerId: 'one', transaction: signTransaction(message, [TAKER]) };
});

function submit(signedTransaction: string, makerId = 'one', swapUuid = 'a trial'): string | null {
  return trials.submitted({ makerId, swapUuid, signedTransaction });
}

it('keeps what the maker signs, once', async () => {
  const trial = trials.begin(swap);
  expect(trials.pending('one')).toEqual([ORDERS, swap]);
  expect(submit(signed(swap.transaction))).toBeNull();
  const wire = new Uint8Array(Buffer.from(signed(swap.transaction), 'base64'));
  expect(await trial.decided).toEqual({ kind: 'signed', wire });
  expect(submit(signed(swap.transaction))).toContain('was submitted before');
  expect(trial.replies).toHaveLength(1);
  expect(trials.pending('one')).toEqual([ORDERS]);
  expect(settled).toEqual([]);
});

it('tells another message from an answer that cannot be used, after which the maker may try again', async () => {
  const trial = trials.begin(swap);
  for (const unusable of ['AAAA', '%', Buffer.from(swap.transaction).toString('base64')]) {
    expect(submit(unusable)).toContain('the swap a trial waits on');
  }
  expect(trial.replies).toEqual([{ kind: 'unusable', reason: expect.stringContaining(MAKER.address) }]);
  expect(trials.pending('one')).toContain(swap);
  expect(submit(modified(swap.transaction))).toContain('is rejected');
  expect(await trial.decided).toEqual({ kind: 'modified' });
});

it('passes everything else on to settlement', () => {
  const trial = trials.begin(swap);
  expect(submit(signed(swap.transaction), 'another')).toBe('settlement knows');
  expect(submit(signed(swap.transaction), 'one', 'of an order')).toBe('settlement knows');
  expect(trials.pending('another')).toEqual([]);
  trial.end();
  expect(submit(signed(swap.transaction))).toBe('settlement knows');
  expect(trials.pending('one')).toEqual([ORDERS]);
  expect(trial.replies).toEqual([]);
  expect(settled).toEqual(['another a trial', 'one of an order', 'one a trial']);
});

it('forgets every trial at once', () => {
  trials.begin(swap);
  trials.begin({ ...swap, swapUuid: 'another trial' });
  trials.endAll();
  expect(trials.pending('one')).toEqual([ORDERS]);
});

it('takes no signature that is not the maker’s', () => {
  const trial = trials.begin(swap);
  const forged = Buffer.from(signed(swap.transaction), 'base64');
  // The maker's place, after the count and the taker's signature.
  forged.set(signWith(TAKER, forged.subarray(1 + 2 * 64)), 1 + 64);
  expect(submit(forged.toString('base64'))).toContain('waits on');
  expect(trial.replies.map(({ kind }) => kind)).toEqual(['unusable']);
});
