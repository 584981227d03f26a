import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  claimDbcCreatorTradingFee,
  claimDbcTradingFee,
} from '../../../src/protocols/meteora-dbc/program/instructions-claim.ts';
import { swap2Dbc } from '../../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import type { DbcVirtualPool } from '../../../src/protocols/meteora-dbc/program/layout-pool.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { sampleCases } from '../../../src/testing/random.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';
import { setClock } from './fixture.ts';
import { launchCase, NOW, SLOT } from './swap-cases.ts';
import {
  CREATOR,
  type Launch,
  layOut,
  PARTNER,
  readPool,
  REFERRALS,
  USER,
  USER_TOKENS,
  userParties,
  writeLaunch,
  writeUser,
} from './swap-fixture.ts';

const SUITE = { cases: 400, short: 60, seed: 20_261_130 };
const MILLION = 1_000_000n;

type Step =
  | {
      readonly kind: 'swap';
      readonly isPurchase: boolean;
      readonly mode: number;
      readonly share: bigint;
      readonly hasReferral: boolean;
    }
  | { readonly kind: 'partner' | 'creator'; readonly share: bigint };

const share = fc.oneof(fc.bigInt(0n, MILLION), fc.bigInt(0n, 20_000n), fc.bigInt(0n, 10n));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('swap' as const),
      isPurchase: fc.boolean(),
      mode: fc.constantFrom(0, 1, 1, 2),
      share,
      hasReferral: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('partner' as const, 'creator' as const), share }),
  },
);
const lives = fc.record({
  launch: launchCase,
  steps: fc.array(fc.record({ step, seconds: fc.bigInt(0n, 90n) }), { minLength: 25, maxLength: 25 }),
});

it('every atom belongs to the curve, to somebody’s fees, or to somebody’s account, whatever is traded', async () => {
  const network = new TestNetwork(['meteora-dbc']);
  let [executed, completed] = [0, 0];
  for (const [index, life] of sampleCases(lives, SUITE).entries()) {
    if (index % 10 === 0) await yieldToOtherWork();
    const launch = layOut(`life ${index}`);
    setClock(network, { slot: SLOT, time: NOW });
    writeLaunch(network, launch, life.launch);
    writeUser(network, launch, [1n << 62n, 1n << 62n]);
    const totals = sumAll(network, launch);
    let [time, before] = [NOW, readPool(network, launch.pool)];
    for (const { step: each, seconds } of life.steps) {
      time += seconds;
      setClock(network, { slot: SLOT + (time - NOW) * 2n, time });
      const balances = balancesOf(network, launch);
      const { error } = network.send([instructionOf(launch, before, each)]);
      const after = readPool(network, launch.pool);
      const context = JSON.stringify({ index, each, error }, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
      expect(sumAll(network, launch), context).toEqual(totals);
      expect(ownedOf(after), context).toEqual(vaultsOf(network, launch));
      if (error === null) {
        executed++;
        checkStep(each, { before, after, balances, now: balancesOf(network, launch) }, context);
      } else {
        expect(after, context).toEqual(before);
      }
      if (before.finishCurveTimestamp === 0n && after.finishCurveTimestamp > 0n) completed++;
      before = after;
    }
  }
  process.stdout.write(`meteora-dbc: ${executed} steps of lives executed, ${completed} curves completed\n`);
  expect(executed).toBeGreaterThan(SUITE.short * 10);
  expect(completed).toBeGreaterThan(SUITE.short / 10);
});

interface Change {
  readonly before: DbcVirtualPool;
  readonly after: DbcVirtualPool;
  readonly balances: Balances;
  readonly now: Balances;
}

interface Balances {
  readonly user: readonly bigint[];
  readonly referrals: readonly bigint[];
}

/** A step only moves what it is about, in the direction that it says. */
function checkStep(each: Step, { before, after, balances, now }: Change, context: string): void {
  if (each.kind !== 'swap') {
    expect(after.sqrtPrice, context).toBe(before.sqrtPrice);
    expect([after.baseReserve, after.quoteReserve], context).toEqual([before.baseReserve, before.quoteReserve]);
    expect(now.referrals, context).toEqual(balances.referrals);
    return;
  }
  expect(before.finishCurveTimestamp, context).toBe(0n);
  const [bought, spent] = each.isPurchase ? [0, 1] : [1, 0];
  expect((now.user[bought] ?? 0n) >= (balances.user[bought] ?? 0n), context).toBe(true);
  expect((now.user[spent] ?? 0n) <= (balances.user[spent] ?? 0n), context).toBe(true);
  const rises = each.isPurchase ? after.sqrtPrice >= before.sqrtPrice : after.sqrtPrice <= before.sqrtPrice;
  expect(rises, context).toBe(true);
  if (!each.hasReferral) expect(now.referrals, context).toEqual(balances.referrals);
}

function balancesOf(network: TestNetwork, _: Launch): Balances {
  return {
    user: USER_TOKENS.map((account) => network.tokenBalance(account)),
    referrals: REFERRALS.map((account) => network.tokenBalance(account)),
  };
}

/** What is in the vaults and in the accounts of user and referrer together. */
function sumAll(network: TestNetwork, launch: Launch): readonly bigint[] {
  const vaults = vaultsOf(network, launch);
  const { user, referrals } = balancesOf(network, launch);
  return [0, 1].map((side) => (vaults[side] ?? 0n) + (user[side] ?? 0n) + (referrals[side] ?? 0n));
}

function vaultsOf(network: TestNetwork, { baseVault, quoteVault }: Launch): readonly bigint[] {
  return [baseVault, quoteVault].map((vault) => network.tokenBalance(vault));
}

/** What the vaults must hold by the pool's own account. */
function ownedOf(pool: DbcVirtualPool): readonly bigint[] {
  return [
    pool.baseReserve + pool.protocolBaseFee + pool.partnerBaseFee + pool.creatorBaseFee,
    pool.quoteReserve + pool.protocolQuoteFee + pool.partnerQuoteFee + pool.creatorQuoteFee,
  ];
}

function instructionOf(launch: Launch, pool: DbcVirtualPool, each: Step): Instruction {
  if (each.kind !== 'swap') {
    const claim = each.kind === 'partner' ? claimDbcTradingFee : claimDbcCreatorTradingFee;
    const claimer: Address = each.kind === 'partner' ? PARTNER : CREATOR;
    const [tokenBaseAccount, tokenQuoteAccount] = USER_TOKENS;
    const limit = each.share === 0n ? 5n : U64_MAX;
    return claim(
      launch,
      { claimer, tokenBaseAccount, tokenQuoteAccount },
      { maxBaseAmount: limit, maxQuoteAmount: limit },
    );
  }
  const { isPurchase, mode, hasReferral } = each;
  const isInQuote = isPurchase === (mode !== 2);
  const whole = isInQuote ? pool.quoteReserve + (pool.baseReserve >> 20n) + 1_000n : pool.baseReserve;
  const amount = (whole * each.share) / MILLION;
  // The referrer is paid in the token of the fee. With the other account the swap is refused.
  const referral = REFERRALS[isPurchase && (each.share & 1n) === 0n ? 0 : 1] ?? USER;
  return swap2Dbc(
    launch,
    userParties(isPurchase, {
      showsInstructions: true,
      ...(hasReferral ? { referralTokenAccount: referral } : {}),
    }),
    { amount0: amount, amount1: mode === 2 ? U64_MAX : 0n, swapMode: mode },
  );
}
