import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { Books, createBookVersions } from './books.ts';
import type { LiveBook } from './live-book.ts';
import { createTestAddress, snapshot, USDC } from '../../testing/rfq/test-rfq.ts';

describe('Books', () => {
  it('finds books by their two mints in either direction, one per maker and direction', () => {
    const { books, put, between, timers } = open();
    put('one', 10_000);
    put('two', 10_000, [DOLLAR, SOL]);
    put('one', 10_000);
    expect(between().sort()).toEqual(['one', 'two']);
    expect(books.between(WRAPPED_SOL_MINT, USDC, timers.now())).toHaveLength(2);
    expect(books.between(WRAPPED_SOL_MINT, createTestAddress(9), timers.now())).toEqual([]);
    expect([...books.listed(timers.now())].map(({ live }) => live.version).sort()).toEqual([2, 3]);
  });

  it('returns the same list until something changes', () => {
    const { books, put, timers } = open();
    put('one', 10_000);
    const before = books.between(USDC, WRAPPED_SOL_MINT, timers.now());
    expect(books.between(WRAPPED_SOL_MINT, USDC, timers.now() + 9_999)).toBe(before);
    put('one', 10_000);
    expect(books.between(USDC, WRAPPED_SOL_MINT, timers.now())).not.toBe(before);
  });

  it('hides expired books at once, and notifies watchers', () => {
    const { timers, put, between, heard, books } = open();
    put('one', 10_000);
    put('two', 20_000);
    expect(between(timers.now() + 9_999)).toHaveLength(2);
    expect(between(timers.now() + 10_000)).toEqual(['two']);
    for (let second = 0; second < 10; second++) timers.advance(1_000);
    expect(heard.slice(2)).toEqual([['one', null]]);
    expect([...books.all(timers.now())]).toHaveLength(1);
    for (let second = 0; second < 10; second++) timers.advance(1_000);
    expect([between(), timers.waiting]).toEqual([[], 0]);
  });

  it('removes all books of a maker at once, and stops notifying watchers that stopped', () => {
    const { put, between, heard, books, stop } = open();
    put('one', 10_000);
    put('one', 10_000, [DOLLAR, SOL]);
    put('two', 10_000);
    books.removeAll('one');
    expect(between()).toEqual(['two']);
    expect(heard.slice(3)).toEqual([
      ['one', null],
      ['one', null],
    ]);
    stop();
    books.removeAll('two');
    expect(heard).toHaveLength(5);
  });

  it('does not remove a book in place of the one that replaced it', () => {
    const { put, books, timers, between } = open();
    put('one', 10_000);
    const [first] = [...books.listed(timers.now())];
    put('one', 10_000);
    if (first !== undefined) books.remove(first);
    expect(between()).toEqual(['one']);
  });
});

const SOL = { mint: WRAPPED_SOL_MINT, decimals: 9, tokenProgram: TOKEN_PROGRAM };
const DOLLAR = { mint: USDC, decimals: 6, tokenProgram: TOKEN_PROGRAM };

function open() {
  const timers = new ManualTimers();
  const books = new Books(timers, createBookVersions());
  const heard: [string, LiveBook | null][] = [];
  const stop = books.watch((makerId, book) => heard.push([makerId, book]));
  const put = (makerId: string, expiresIn: number, [base, quote] = [SOL, DOLLAR]) => {
    const sent = snapshot(timers.now());
    const { bids, asks } = sent;
    books.put(
      { snapshot: sent, arranged: { bids, asks }, receivedAt: timers.now() },
      {
        makerId,
        makerAddress: createTestAddress(1),
        base,
        quote,
        bids,
        asks,
        expiresAt: timers.now() + expiresIn,
      },
    );
  };
  const between = (at = timers.now()) =>
    books.between(USDC, WRAPPED_SOL_MINT, at).map(({ makerId }) => makerId);
  return { timers, books, heard, stop, put, between };
}
