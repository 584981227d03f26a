import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { bps } from '../../solana/units.ts';
import { assertProperty, countCases } from '../../testing/random.ts';
import { FillMarket } from '../../testing/waiting-orders/fills.ts';
import { checkFill } from '../../custody/checks/fill.ts';
import { toFillToSign } from './sign-fill.ts';
import { readLandedFill } from './landed-fill.ts';
import { FillPlanner } from './fill-planner.ts';

const fills = await FillMarket.open();

it('a fill pays what it was planned to pay, and every atom and lamport is where it belongs', async () => {
  const mints = fills.mints();
  const anyPair = fc.record({ inputMint: fc.constantFrom(...mints), outputMint: fc.constantFrom(...mints) });
  const wish = fc.record({
    pair: fc.oneof(
      anyPair,
      anyPair.map((pair) => ({ ...pair, outputMint: WRAPPED_SOL_MINT })),
      fc.constantFrom(...listOnSingleVenues(mints)),
    ),
    dollars: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 })),
    isOutOfReach: fc.boolean(),
    isOpen: fc.constantFrom(false, false, true),
    isFeeOpen: fc.boolean(),
    feeBps: fc.constantFrom(0, 0, 85, 255),
    slippageBps: fc.constantFrom(null, 0, 50, 10_000),
    dust: fc.constantFrom(0n, 0n, 1n, 12_345n),
    kind: fc.constantFrom('all', 'all', 'all', 'all', 'round', 'round of an entry', 'entry'),
  });
  const seen = {
    whole: 0,
    part: 0,
    exact: 0,
    entry: 0,
    native: 0,
    created: 0,
    charged: 0,
    labels: new Set<string>(),
  };
  await assertProperty(
    fc.asyncProperty(
      wish,
      async ({ pair, dollars, isOutOfReach, isOpen, isFeeOpen, feeBps, slippageBps, dust, kind }) => {
        const { inputMint, outputMint, label }: VenuePair = pair;
        fc.pre(inputMint !== outputMint);
        const amount = fills.amountWorth(inputMint, dollars[0] * 10 ** dollars[1]);
        const deposited = fills[kind.endsWith('entry') ? 'depositEntry' : 'deposit'](
          { inputMint, outputMint, amount },
          {
            slippageBps: slippageBps === null ? null : bps(slippageBps),
            exactly: kind.startsWith('round') ? amount / 7n : null,
          },
        );
        const { sale } = deposited;
        const { outputAccount } = sale;
        fills.setTokens(sale.account, { owner: sale.vault, mint: inputMint, amount: amount + dust });
        // What was bought before, or sent by a stranger.
        if (outputAccount !== null) {
          fills.setTokens(outputAccount, { owner: sale.vault, mint: outputMint, amount: dust });
        }
        if (isOpen) fills.openAta(sale.wallet, outputMint);
        const gas = fills.gasWallet.address;
        if (isFeeOpen) for (const mint of [inputMint, outputMint]) fills.openAta(gas, mint);
        const venues =
          label === undefined ? {} : { venues: { kind: 'only', labels: new Set([label]) } as const };
        const planner = new FillPlanner({ ...fills.dependencies, ...venues, feeBps: bps(feeBps) });
        // Receipts have no price. If only the whole misses the floor, a part may reach it.
        const anyPrice = { referenceIn: 1_000, referenceOut: 1e12 };
        const first = await planner.plan(sale, anyPrice);
        if (first.kind === 'waits') return;
        const fill = isOutOfReach ? await planner.plan(sale, fills.missed(sale, first)) : first;
        if (fill.kind === 'waits') return;
        const feesBefore = [inputMint, outputMint].map((mint) => fills.tokens(fills.ata(gas, mint)));
        const before = fills.lamports(gas);
        const rent = fills.lamports(sale.account) - (inputMint === WRAPPED_SOL_MINT ? amount + dust : 0n);
        checkFill(toFillToSign(fills.gasWallet, sale, fill), sale.vault);
        const landed = await fills.land(deposited, fill);
        expect(landed.error).toBeNull();
        // The wallet, which had nothing, has exactly the quoted output unless the vault keeps it, and the rent of an account that
        // is closed.
        const received = outputAccount === null ? fills.received(sale) : fills.tokens(outputAccount) - dust;
        expect(received).toBe(fill.quotedOut);
        expect(fill.quotedOut).toBeGreaterThanOrEqual(fill.floor);
        expect(fill.threshold).toBeGreaterThanOrEqual(fill.floor);
        const isNative = outputMint === WRAPPED_SOL_MINT && outputAccount === null;
        const isRentWallets = fill.isWhole && fill.rentReturned === 0n;
        expect(fills.lamports(sale.wallet)).toBe(
          (isRentWallets ? rent : 0n) + (isNative ? fill.quotedOut : 0n),
        );
        if (isNative) expect(fill.rentPaid).toBe(0n);
        // The gas wallet paid what was stated, and no rent that did not come back.
        expect(before - fills.lamports(gas)).toBe(fill.lamports + fill.rentPaid - fill.rentReturned);
        expect(fill.rentPaid).toBeLessThanOrEqual(fill.rentReturned);
        // The vault keeps what is not sold, and what it buys for later, in the order's accounts alone.
        expect(fill.inputAmount).toBe(sale.exactly ?? (fill.isWhole ? amount + dust : fill.inputAmount));
        expect(fill.isWhole && sale.exactly !== null).toBe(false);
        const kept = [fill.isWhole ? null : sale.account, outputAccount].filter((each) => each !== null);
        expect(new Set(fills.leftWith(sale.vault, landed))).toEqual(new Set(kept));
        expect(fills.lamports(sale.vault)).toBe(0n);
        if (!fill.isWhole) expect(fills.tokens(sale.account)).toBe(amount + dust - fill.inputAmount);
        const fees = [inputMint, outputMint].map(
          (mint, index) => fills.tokens(fills.ata(gas, mint)) - (feesBefore[index] ?? 0n),
        );
        expect(fees[0]).toBeOneOf([0n, (fill.inputAmount * BigInt(feeBps)) / 10_000n]);
        expect(fees.filter((fee) => fee > 0n).length).toBeLessThanOrEqual(feeBps === 0 ? 0 : 1);
        expect(readLandedFill(sale, landed)).toEqual({
          kind: 'filled',
          input: fill.inputAmount,
          output: fill.quotedOut,
          isWhole: fill.isWhole,
          lamports: fill.lamports + fill.rentPaid - fill.rentReturned,
        });
        seen[fill.isWhole ? 'whole' : sale.exactly === null ? 'part' : 'exact']++;
        if (outputAccount !== null) seen.entry++;
        if (isNative) seen.native++;
        if (fill.created !== null) seen.created++;
        if (fees.some((fee) => fee > 0n)) seen.charged++;
        if (label !== undefined) seen.labels.add(label);
      },
    ),
    SUITE,
  );
  expect(seen.labels.size).toBeGreaterThan(2);
  const { labels: _, ...kinds } = seen;
  for (const [kind, count] of Object.entries(kinds)) {
    expect(count, kind).toBeGreaterThan(countCases(SUITE) / 30);
  }
});

const SUITE = { cases: 2_000, short: 80, seed: 38, against: 'the programs' };

interface VenuePair {
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** The only venue that may be used; absent allows every venue. */
  readonly label?: string;
}

/** Each two mints that a venue trades directly, both ways. */
function listOnSingleVenues(mints: readonly Address[]): readonly VenuePair[] {
  return mints.flatMap((inputMint) =>
    mints.flatMap((outputMint) => {
      const labels = new Set(
        fills.market.pools.between(inputMint, outputMint).map(({ venue }) => venue.label),
      );
      return Array.from(labels, (label) => ({ inputMint, outputMint, label }));
    }),
  );
}
