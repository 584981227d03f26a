import { describe, expect, it } from 'vitest';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createKeypairFromSeed } from '../../solana/keypair.ts';
import { isSignedBy, parseTransaction } from '../../solana/messages/transaction.ts';
import type { BookLevel, LiveBook } from '../books/live-book.ts';
import { createTestAddress, USDC } from '../../testing/rfq/test-rfq.ts';
import { createUnacceptableSwaps } from './unacceptable-swaps.ts';
import { findSmallFill } from './fill-offer.ts';
import { MAKER, MAKER_ID } from '../../testing/rfq/checked-maker.ts';
import { REFUSAL_SITUATIONS } from './trials/report.ts';
import { buildCheckTransaction } from './swap-transaction.ts';

const LEVELS = [{ price: 100_000_000n, volume: 50_000_000_000n }];

describe('findSmallFill', () => {
  it('is a thousandth of the best level, on a side that has levels', () => {
    expect(findSmallFill([book([], []), book(LEVELS, [])], CLOCK)).toMatchObject({
      inputMint: WRAPPED_SOL_MINT,
      outputMint: USDC,
      quote: { inAmount: 50_000_000n, outAmount: 5_000_000n },
    });
    expect(findSmallFill([book([], LEVELS)], CLOCK)).toMatchObject({
      inputMint: USDC,
      outputMint: WRAPPED_SOL_MINT,
      quote: { inAmount: 5_000_000n, outAmount: 50_000_000n },
    });
  });

  it('is larger if a thousandth is worth nothing, and null if the whole level is', () => {
    const dust = (volume: bigint) => findSmallFill([book([{ price: 100_000_000n, volume }], [])], CLOCK);
    expect(dust(1_000n)?.quote).toMatchObject({ inAmount: 10n, outAmount: 1n });
    expect(dust(10n)?.quote).toMatchObject({ inAmount: 10n, outAmount: 1n });
    expect(dust(9n)).toBeNull();
    expect(findSmallFill([], CLOCK)).toBeNull();
  });
});

describe.each([
  ['bids', book(LEVELS, [])],
  ['asks', book([], LEVELS)],
])('swaps to be refused on the %s', (_, live) => {
  const offer = findSmallFill([live], CLOCK);
  if (offer === null) throw new Error('the book cannot be filled');
  const found = createUnacceptableSwaps({
    offer,
    taker: TAKER.address,
    stranger: createTestAddress(3),
    passed: NOW,
  });

  it('returns one swap for each situation', () => {
    expect(found.map(({ situation }) => situation)).toEqual(REFUSAL_SITUATIONS);
  });

  it.each(found.map(({ what, departure }) => [what, departure] as const))(
    'can be signed by the maker alone: %s',
    (_what, departure) => {
      const transaction = parseTransaction(buildCheckTransaction(source, departure));
      expect(isSignedBy(transaction, 0)).toBe(true);
      expect(transaction.message.staticAccounts.slice(0, 2)).toEqual([TAKER.address, MAKER.address]);
      expect(transaction.signatures.slice(1)).toEqual([new Uint8Array(64)]);
      expect(Buffer.compare(transaction.messageBytes, parseTransaction(good).messageBytes)).not.toBe(0);
    },
  );

  it('builds a different message for every serial', () => {
    expect(Buffer.compare(buildCheckTransaction({ ...source, serial: 2 }), good)).not.toBe(0);
    expect(Buffer.compare(buildCheckTransaction(source), good)).toBe(0);
  });

  const source = { offer, taker: TAKER, blockhash: BLOCKHASH, serial: 1 };
  const good = buildCheckTransaction(source);
});

const TAKER = createKeypairFromSeed(new Uint8Array(32).fill(7));
const NOW = 1_800_000_000n;
const CLOCK = { slot: 1n, epoch: 0n, unixTimestamp: NOW };
const BLOCKHASH = {
  blockhash: createTestAddress(9),
  bytes: new Uint8Array(32).fill(9),
  lastValidBlockHeight: 150n,
  slot: 1n,
  fetchedAt: 0,
};

function book(bids: readonly BookLevel[], asks: readonly BookLevel[]): LiveBook {
  return {
    version: 1,
    makerId: MAKER_ID,
    makerAddress: MAKER.address,
    bids,
    asks,
    expiresAt: 0,
    base: { mint: WRAPPED_SOL_MINT, decimals: 9, tokenProgram: TOKEN_PROGRAM },
    quote: { mint: USDC, decimals: 6, tokenProgram: TOKEN_PROGRAM },
  };
}
