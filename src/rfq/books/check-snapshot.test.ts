import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { U64_MAX } from '../../solana/units.ts';
import { SNAPSHOT_REFUSALS, type SnapshotRefusal } from '../makers/snapshot-refusals.ts';
import { checkSnapshot, computeLotSize, type SnapshotContext } from './check-snapshot.ts';
import { createTestAddress, SOL_TOKEN, snapshot, USDC, USDC_TOKEN } from '../../testing/rfq/test-rfq.ts';
import type { Snapshot } from './snapshot.ts';

describe('checkSnapshot', () => {
  it('accepts a snapshot that meets every condition, unchanged', () => {
    const sent = snapshot(NOW);
    expect(checkSnapshot(sent, CONTEXT)).toMatchObject({ bids: sent.bids, asks: sent.asks, note: null });
  });

  it.each(BROKEN.map(([refusal, , , message], i) => [refusal, message, i] as const))(
    'is refused for %s: %s',
    (refusal, message, i) => {
      const [, overrides, context] = BROKEN[i] ?? [refusal, {}, {}];
      const verdict = checkSnapshot(snapshot(NOW, overrides), { ...CONTEXT, ...context });
      expect(verdict).toMatchObject({ refusal, message: expect.stringContaining(message) });
    },
  );

  it('has a test for every refusal', () => {
    expect([...new Set(BROKEN.map(([refusal]) => refusal))]).toEqual([...SNAPSHOT_REFUSALS]);
  });

  it('refuses for the first condition that does not hold', () => {
    const broken = BROKEN.map(([refusal, overrides, context]) => ({ refusal, overrides, context }));
    assertProperty(
      fc.property(fc.subarray(broken, { minLength: 1 }), (some) => {
        // Later ones may undo earlier ones of the same field, so each field is broken by the first that names it.
        const backwards = [...some].reverse();
        const overrides = Object.assign({}, ...backwards.map((one) => one.overrides));
        const context = { ...CONTEXT, ...Object.assign({}, ...backwards.map((one) => one.context)) };
        const verdict = checkSnapshot(snapshot(NOW, overrides), context);
        expect('refusal' in verdict ? verdict.refusal : 'accepted').toBe(some[0]?.refusal);
      }),
      { cases: 1_000, seed: SEED },
    );
  });

  it('accepts equal prices, crossed sides, a long expiry and a single side, as the public examples send them', () => {
    const crossed = checkSnapshot(
      snapshot(NOW, { bids: [level(200_140n, 1n), level(200_140n, 10n)], asks: [level(199_860n, 1n)] }),
      CONTEXT,
    );
    expect(crossed).toMatchObject({
      bids: [level(200_140n, 1n), level(200_140n, 10n)],
      asks: [level(199_860n, 1n)],
      note: 'the book is crossed: takers can buy at your ask of 199860 and sell at your bid of 200140',
    });
    expect(checkSnapshot(snapshot(NOW, { expirySeconds: 10_000_000n }), CONTEXT)).toHaveProperty(
      'note',
      null,
    );
    expect(checkSnapshot(snapshot(NOW, { expirySeconds: U64_MAX }), CONTEXT)).toHaveProperty(
      'note',
      `quote_expiry_time of ${U64_MAX} is a number of seconds from now on and no date: the quote holds until it is replaced`,
    );
    expect(checkSnapshot(snapshot(NOW, { asks: [] }), CONTEXT)).toMatchObject({ asks: [], note: null });
  });

  it('notes which levels the balance does not cover', () => {
    const asks = [1n, 2n, 3n, 4n].map((n) => level(101_000_000n + n, 10n ** 9n));
    const verdict = checkSnapshot(snapshot(NOW, { asks, bids: [level(100_000_000n, 10n ** 9n)] }), {
      ...CONTEXT,
      baseBalance: { amount: 1_500_000_000n },
      quoteBalance: { amount: 0n },
    });
    expect(verdict).toMatchObject({
      bids: [],
      asks: [asks[0], { price: 101_000_002n, volume: 500_000_000n }],
      note: 'bid level 1 was dropped: the balance is 0 quote atoms; ask level 2 was cut to 500000000 base atoms and ask levels 3 to 4 were dropped: the balance is 1500000000 base atoms',
    });
  });

  it('requires lots of one atom if the base has fewer decimals than the quote', () => {
    const token = (decimals: number) => ({ ...SOL, decimals });
    expect([
      computeLotSize(token(5), token(6)),
      computeLotSize(token(6), token(6)),
      computeLotSize(token(8), token(6)),
    ]).toEqual([1n, 1n, 100n]);
  });

  it('does not throw for any numbers', () => {
    const u64 = fc.bigInt(0n, U64_MAX);
    const side = fc.array(fc.record({ price: u64, volume: u64 }), { maxLength: 8 });
    const numbers = fc.record({
      timestamp: u64,
      sequence: u64,
      expirySeconds: u64,
      lotSizeBase: u64,
      bids: side,
      asks: side,
    });
    assertProperty(
      fc.property(numbers, u64, u64, fc.boolean(), (sent, base, quote, plausible) => {
        const whole = plausible
          ? { ...sent, timestamp: MICROS, lotSizeBase: 1_000n, expirySeconds: 10n }
          : sent;
        const verdict = checkSnapshot(snapshot(NOW, whole), {
          ...CONTEXT,
          baseBalance: { amount: base },
          quoteBalance: { amount: quote },
        });
        if ('refusal' in verdict) expect(verdict.message.length).toBeLessThan(400);
        else expect(verdict.bids.length + verdict.asks.length).toBeGreaterThan(0);
      }),
      { cases: 2_000, seed: SEED },
    );
  });
});

describe('the prices of an accepted book', () => {
  it('are warned of when they are in another unit than the pools suggest', () => {
    // 200 dollars for one SOL are 200,000,000 atoms of USDC.
    expect(noteAt(199_000_000n, 201_000_000n, 200e6)).toBeNull();
    expect(noteAt(199n, 201n, 200e6)).toMatch(
      /^the best bid of 199 is 0\.0000010 times the price of the pools, 200000000; prices are quote atoms for one whole base token/,
    );
    expect(noteAt(190_000_000n, 201_000_000_000n, 200e6)).toContain(
      'the best ask of 201000000000 is 1005 times',
    );
    expect(noteAt(100_000_000n, 400_000_000n, 200e6)).toBeNull();
    expect(noteAt(199n, 201n, null)).toBeNull();
  });

  const noteAt = (bid: bigint, ask: bigint, poolPrice: number | null) => {
    const sides = { bids: [level(bid, 1_000n)], asks: [level(ask, 1_000n)] };
    const verdict = checkSnapshot(snapshot(NOW, sides), { ...CONTEXT, poolPrice });
    return 'note' in verdict ? verdict.note : verdict.message;
  };
});

const SEED = 20_261_123;
const NOW = 1_800_000_000_000;
const SOL = { mint: WRAPPED_SOL_MINT, decimals: 9, tokenProgram: TOKEN_PROGRAM };
const CONTEXT: SnapshotContext = {
  makerId: 'maker-1',
  makerAddress: createTestAddress(1),
  pairs: null,
  status: 'prod',
  blockedBy: null,
  cluster: 'mainnet',
  lastSequence: 0n,
  now: NOW,
  base: SOL,
  quote: { mint: USDC, decimals: 6, tokenProgram: TOKEN_PROGRAM },
  baseBalance: { amount: 10n ** 12n },
  quoteBalance: { amount: 10n ** 12n },
  poolPrice: null,
};
const level = (price: bigint, volume: bigint) => ({ price, volume });
const MICROS = BigInt(NOW) * 1_000n;
const PAIRS = [{ base: USDC, quote: WRAPPED_SOL_MINT }];

/** One way to break each condition, or several. */
const BROKEN: readonly (readonly [SnapshotRefusal, Partial<Snapshot>, Partial<SnapshotContext>, string])[] = [
  ['maker-id', { makerId: 'other' }, {}, 'maker_id must be that of the key, maker-1, got "other"'],
  ['maker-address', { makerAddress: createTestAddress(2) }, {}, `got "${createTestAddress(2)}"`],
  [
    'status',
    {},
    { status: 'suspended', blockedBy: 'it is suspended until noon' },
    'must be prod, but is suspended: it is suspended until noon',
  ],
  [
    'swap-stream',
    {},
    { status: 'offline' },
    'no swap stream is live: the status is offline until StreamSwap is open',
  ],
  ['cluster', { cluster: 'devnet' }, {}, 'cluster must be mainnet, got devnet'],
  ['cluster', { cluster: 'unspecified' }, {}, 'cluster must be mainnet, got unspecified'],
  ['pair', { quote: SOL_TOKEN }, {}, 'must differ'],
  ['pair', {}, { pairs: PAIRS }, `the pair must be one of the maker's, ${USDC}/${WRAPPED_SOL_MINT}, got`],
  ['token', {}, { base: { unusable: 'must be a mint, but it does not exist' } }, 'base_token must be a mint'],
  [
    'token',
    {},
    { quote: { unusable: 'cannot be quoted: it takes a fee on transfers' } },
    'quote_token cannot be quoted',
  ],
  [
    'token',
    { base: { ...SOL_TOKEN, decimals: 8 } },
    {},
    'base_token.decimals must be 9, as the mint says, got 8',
  ],
  [
    'token',
    { quote: { ...USDC_TOKEN, tokenProgram: TOKEN_2022_PROGRAM } },
    {},
    'quote_token.owner must be the mint',
  ],
  ['token', { base: { ...SOL_TOKEN, symbol: 'S'.repeat(33) } }, {}, 'symbol must be at most 32 characters'],
  ['lot-size', { lotSizeBase: 1n }, {}, 'lot_size_base must be 1000 for 9 base and 6 quote decimals, got 1'],
  ['expiry', { expirySeconds: 9n }, {}, 'quote_expiry_time must be at least 10 seconds, got 9'],
  ['levels', { bids: [], asks: [] }, {}, 'at least one level must have a price and a volume above zero'],
  ['levels', { bids: [level(0n, 1n)], asks: [level(1n, 0n)] }, {}, 'got 1 bids and 1 asks without'],
  ['levels', { bids: Array.from({ length: 101 }, () => level(1n, 1n)) }, {}, 'at most 100 levels, got 101'],
  ['sequence', { sequence: 7n }, { lastSequence: 7n }, 'must be above the last accepted one, 7, got 7'],
  ['sequence', { sequence: 0n }, {}, 'must be above the last accepted one, 0, got 0'],
  ['timestamp', { timestamp: MICROS - 60_000_001n }, {}, 'timestamp must be within 60 s of now'],
  [
    'timestamp',
    { timestamp: BigInt(NOW) },
    {},
    `timestamp must be within 60 s of now, ${MICROS} in Unix microseconds`,
  ],
  [
    'inventory',
    {},
    { baseBalance: { unusable: 'the token account x does not exist' } },
    'for base_token the token account x does not exist',
  ],
  [
    'inventory',
    {},
    { quoteBalance: { unusable: 'the token account x is frozen' } },
    'for quote_token the token account x is frozen',
  ],
  ['inventory', {}, { baseBalance: { amount: 0n }, quoteBalance: { amount: 0n } }, 'cover no level'],
];
