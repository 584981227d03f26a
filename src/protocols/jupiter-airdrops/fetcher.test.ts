import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import type { MultipleElement } from '../../protocol/positions/element.ts';
import type { Fetched } from '../../protocol/positions/fetcher.ts';
import { TestView } from '../../testing/protocols/wallet-view.ts';
import { fetchForWallet, writeTestTokenAccount, writeAccountData } from '../../testing/protocols/accounts.ts';
import { computeClaimAmounts } from './claim-amounts.ts';
import { jupiterAirdrops } from './fetcher.ts';
import { type Distributor, DISTRIBUTOR_PROGRAM } from './layout.ts';

describe('jupiterAirdrops', () => {
  it('shows what a claim pays now and what unlocks later', async () => {
    const { elements, unreadable } = await fetchForWallet(jupiterAirdrops, opened(1_500n), OWNER);
    expect(unreadable).toEqual([]);
    // 499 of 999 have unlocked, of which 100 were paid out.
    expect(elements).toEqual([
      {
        type: 'multiple',
        label: 'Airdrop',
        assets: [
          { type: 'token', mint: MINT, amount: 399n, attributes: { isClaimable: true } },
          { type: 'token', mint: MINT, amount: 500n, attributes: { lockedUntil: 2_000_000 } },
        ],
        ref: CLAIM,
        sourceRefs: [{ address: DISTRIBUTOR, name: 'Distributor' }],
      },
    ]);
  });

  it('shows all of the rest as claimable from the end on, and nothing as claimable before the start', async () => {
    expect(assetsOf(await fetchForWallet(jupiterAirdrops, opened(2_000n), OWNER))).toEqual([
      [899n, { isClaimable: true }],
    ]);
    expect(assetsOf(await fetchForWallet(jupiterAirdrops, opened(999n), OWNER))).toEqual([
      [899n, { lockedUntil: 2_000_000 }],
    ]);
  });

  it('shows nothing of a claim that was paid in full, was clawed back, or whose distributor was closed', async () => {
    const paid = opened(1_500n);
    paid.set(CLAIM, DISTRIBUTOR_PROGRAM, claimStatus({ locked: 999n, withdrawn: 999n }));
    const closed = opened(1_500n);
    closed.accounts.delete(DISTRIBUTOR);
    for (const view of [paid, closed, opened(1_500n, { clawedBack: 1 })]) {
      expect(await fetchForWallet(jupiterAirdrops, view, OWNER)).toEqual({ elements: [], unreadable: [] });
    }
  });

  it('does not show as claimable what the program would not pay', async () => {
    const blocked = (lockedUntil: number) => [
      [399n, { lockedUntil }],
      [500n, { lockedUntil: 2_000_000 }],
    ];
    const shown = async (terms: Terms, held?: bigint) =>
      assetsOf(await fetchForWallet(jupiterAirdrops, opened(1_500n, terms, held), OWNER));
    expect(await shown({ activatesAt: 1_600n })).toEqual(blocked(1_600_000));
    expect(await shown({ activatesAt: 1_600n, activationType: 0 })).toEqual(blocked(-1));
    expect(await shown({}, 398n)).toEqual([[398n, { lockedUntil: -1 }]]);
    expect(await shown({ claimed: 999_602n })).toEqual([[398n, { lockedUntil: -1 }]]);
    // Just enough.
    expect(await shown({ activatesAt: 100n, activationType: 0 }, 399n)).toContainEqual([
      399n,
      { isClaimable: true },
    ]);
    expect(await shown({ claimed: 999_601n })).toContainEqual([399n, { isClaimable: true }]);
  });

  it('shows no more than the vault holds and the bound of all claims allows, whatever was promised', async () => {
    const view = opened(1_500n, { max: U64_MAX }, 5n);
    view.set(CLAIM, DISTRIBUTOR_PROGRAM, claimStatus({ locked: U64_MAX, withdrawn: 0n }));
    expect(assetsOf(await fetchForWallet(jupiterAirdrops, view, OWNER))).toEqual([[5n, { lockedUntil: -1 }]]);
    view.set(VAULT, TOKEN_PROGRAM, writeTestTokenAccount(MINT, U64_MAX));
    view.set(DISTRIBUTOR, DISTRIBUTOR_PROGRAM, distributor({ max: 7n, claimed: 1n, startsAt: 1_600n }));
    expect(assetsOf(await fetchForWallet(jupiterAirdrops, view, OWNER))).toEqual([
      [6n, { lockedUntil: 2_000_000 }],
    ]);
    view.set(DISTRIBUTOR, DISTRIBUTOR_PROGRAM, distributor({ max: 7n, startsAt: 1_600n, endsAt: 1n << 62n }));
    expect(assetsOf(await fetchForWallet(jupiterAirdrops, view, OWNER))).toEqual([[7n, { lockedUntil: -1 }]]);
    view.set(DISTRIBUTOR, DISTRIBUTOR_PROGRAM, distributor({ max: 7n, claimed: 8n }));
    expect(assetsOf(await fetchForWallet(jupiterAirdrops, view, OWNER))).toEqual([]);
  });

  it('reads claims beside others that cannot be read, and names those', async () => {
    const view = opened(1_500n);
    const other = named(30);
    view.set(named(20), DISTRIBUTOR_PROGRAM, writeAccountData(160, '00', [[72, 'address', OWNER]]));
    view.set(
      named(21),
      DISTRIBUTOR_PROGRAM,
      claimStatus({ locked: U64_MAX, withdrawn: 0n, distributor: other }),
    );
    view.set(other, DISTRIBUTOR_PROGRAM, distributor({ activationType: 9 }));
    const { elements, unreadable } = await fetchForWallet(jupiterAirdrops, view, OWNER);
    expect(elements).toHaveLength(1);
    expect(unreadable?.map(({ address }) => address)).toEqual([named(20), named(21)]);
    expect(unreadable?.[1]?.reason).toContain('activation type 9');
  });

  it('believes no claim status of another program', async () => {
    const view = opened(1_500n);
    view.set(CLAIM, named(40), claimStatus({ locked: 999n, withdrawn: 0n }));
    expect((await fetchForWallet(jupiterAirdrops, view, OWNER)).elements).toEqual([]);
  });
});

describe('computeClaimAmounts', () => {
  it('pays the rounded down share of the time in all, however often a wallet claims', () => {
    assertProperty(
      fc.property(terms, ({ locked, startsAt, duration, claims }) => {
        const endsAt = startsAt + duration;
        const at: Distributor = {
          mint: MINT,
          tokenVault: VAULT,
          maxTotalClaim: U64_MAX,
          totalAmountClaimed: 0n,
          startsAt,
          endsAt,
          activationPoint: 0n,
          activationType: 'timestamp',
          isClawedBack: false,
        };
        let withdrawn = 0n;
        for (const unixTimestamp of claims.toSorted((one, other) => (one < other ? -1 : 1))) {
          const claim = { lockedAmount: locked, lockedAmountWithdrawn: withdrawn };
          const amounts = computeClaimAmounts(claim, at, { slot: 0n, epoch: 0n, unixTimestamp }, U64_MAX);
          expect(amounts.blocked).toBe(0n);
          withdrawn += amounts.payable;
          expect(withdrawn + amounts.locked).toBe(locked);
          if (unixTimestamp < startsAt) expect(withdrawn).toBe(0n);
          else if (unixTimestamp >= endsAt) expect(withdrawn).toBe(locked);
          else expect(isFloorOf(withdrawn, locked, unixTimestamp - startsAt, duration)).toBe(true);
        }
      }),
      { cases: 100, seed: SEED },
    );
  });

  it('calls nothing payable of a claim that was paid more than has unlocked', () => {
    const at = {
      startsAt: 0n,
      endsAt: 100n,
      activationPoint: 0n,
      activationType: 'timestamp',
    } as Distributor;
    const claim = { lockedAmount: 100n, lockedAmountWithdrawn: 60n };
    const bounds = { maxTotalClaim: 100n, totalAmountClaimed: 60n };
    const clock = { slot: 0n, epoch: 0n, unixTimestamp: 50n };
    expect(computeClaimAmounts(claim, { ...at, ...bounds }, clock, 40n)).toEqual({
      payable: 0n,
      blocked: 0n,
      locked: 40n,
    });
  });

  const terms = fc.record({
    locked: fc.bigInt(0n, U64_MAX),
    startsAt: fc.bigInt(0n, 1n << 40n),
    duration: fc.bigInt(1n, 1n << 40n),
    claims: fc.array(fc.bigInt(0n, 1n << 41n), { minLength: 1, maxLength: 8 }),
  });

  /** What the program has paid by a moment, as a share of the whole that is compared without a division. */
  const isFloorOf = (part: bigint, whole: bigint, elapsed: bigint, duration: bigint) =>
    part * duration <= whole * elapsed && (part + 1n) * duration > whole * elapsed;
});

const SEED = 15_001;
const U64_MAX = (1n << 64n) - 1n;
const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
const [OWNER, MINT, DISTRIBUTOR, CLAIM, VAULT] = [named(1), named(2), named(3), named(4), named(5)];

/** A claim status as the program writes it. */
function claimStatus(terms: { locked: bigint; withdrawn: bigint; distributor?: Address }): Uint8Array {
  return writeAccountData(160, '16b7f99df75f9660', [
    [8, 'address', named(9)],
    [40, 'address', terms.distributor ?? DISTRIBUTOR],
    [72, 'address', OWNER],
    [104, 'u64', terms.locked],
    [112, 'u64', terms.withdrawn],
    [120, 'u64', 77n],
    [128, 'u64', 7n],
  ]);
}

interface Terms {
  readonly max?: bigint;
  readonly claimed?: bigint;
  readonly startsAt?: bigint;
  readonly endsAt?: bigint;
  readonly activatesAt?: bigint;
  readonly activationType?: number;
  readonly clawedBack?: number;
}

/** A distributor as the program writes it, which unlocks between the seconds 1,000 and 2,000. */
function distributor(terms: Terms = {}): Uint8Array {
  return writeAccountData(448, '4d778b4654f70c1a', [
    [40, 'address', MINT],
    [104, 'address', VAULT],
    [272, 'u64', terms.max ?? 1_000_000n],
    [288, 'u64', terms.claimed ?? 0n],
    [304, 'i64', terms.startsAt ?? 1_000n],
    [312, 'i64', terms.endsAt ?? 2_000n],
    [328, 'u64', terms.activatesAt ?? 0n],
    [336, 'u8', terms.activationType ?? 1],
    [339, 'u8', terms.clawedBack ?? 0],
  ]);
}

/** A wallet that has 999 atoms of an airdrop, of which it has claimed 100, at the second `now`. */
function opened(now: bigint, terms: Terms = {}, held = 1_000_000n): TestView {
  const view = new TestView();
  view.setClock({ epoch: 0n, unixTimestamp: now });
  view.set(CLAIM, DISTRIBUTOR_PROGRAM, claimStatus({ locked: 999n, withdrawn: 100n }));
  view.set(DISTRIBUTOR, DISTRIBUTOR_PROGRAM, distributor(terms));
  view.set(VAULT, TOKEN_PROGRAM, writeTestTokenAccount(MINT, held));
  return view;
}

const assetsOf = ({ elements }: Fetched) =>
  (elements as readonly MultipleElement[]).flatMap(({ assets }) =>
    assets.map(({ attributes, ...asset }) => [asset.type === 'token' && asset.amount, attributes]),
  );
