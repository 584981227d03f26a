import { buildCurveWithMarketCap } from '@meteora-ag/dynamic-bonding-curve-sdk';
import { describe, expect, it } from 'vitest';
import { readSdkParameters, toSdkTerms } from '../../testing/protocols/dbc-sdk.ts';
import { INDIE_PLAN, MEME_PLAN } from '../../testing/studio/launch-plans.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { StudioRefused } from '../studio-refused.ts';
import { buildLaunchParameters } from './build-launch.ts';
import type { LaunchCurvePlan } from './launch-plan.ts';
import { toLaunchTerms } from './launch-terms.ts';

describe('buildLaunchParameters', () => {
  it.each([
    ['memes', MEME_PLAN, 17_940],
    ['independent teams', INDIE_PLAN, 57_780],
  ])('raises what the preset for %s promises, within a percent', (_, plan, promised) => {
    const raised = Number(build(plan).migrationQuoteThreshold) / 1e6;
    expect(Math.abs(raised / promised - 1)).toBeLessThan(0.01);
  });

  it.each([
    ['the preset for memes', MEME_PLAN],
    ['the preset for independent teams', INDIE_PLAN],
    ['a launch for SOL', { ...MEME_PLAN, ...FOR_SOL }],
    ['a fee that falls', { ...MEME_PLAN, fee: { ...MEME_PLAN.fee, bps: 200, totalDuration: 180 } }],
    [
      'tokens that all unlock after the cliff',
      {
        ...INDIE_PLAN,
        vesting: { ...NOTHING_VESTS, total: 5_000, cliffUnlock: 5_000, cliffDuration: 15_552_000 },
      },
    ],
    ['liquidity that is free', { ...INDIE_PLAN, isLiquidityLocked: false }],
  ])("builds what Meteora's library builds, apart from what is burned: %s", (_, plan) => {
    const theirs = readSdkParameters(
      buildCurveWithMarketCap({
        ...toSdkTerms(toLaunchTerms(plan, () => 0)),
        initialMarketCap: plan.initialMarketCap,
        migrationMarketCap: plan.migrationMarketCap,
      }),
    );
    const ours = build(plan);
    expect({ ...ours, tokenSupply: theirs.tokenSupply }).toEqual(theirs);
  });

  it('burns a fifth of the supply where nothing is locked, and otherwise nothing', () => {
    const supply = 1_000_000_000_000_000n;
    const postMigrationTokenSupply = 800_000_000_000_000n;
    expect(build(MEME_PLAN).tokenSupply).toEqual({
      preMigrationTokenSupply: supply,
      postMigrationTokenSupply,
    });
    const whole = { preMigrationTokenSupply: supply, postMigrationTokenSupply: supply };
    expect(build(INDIE_PLAN).tokenSupply).toEqual(whole);
  });

  it('locks half of the liquidity for good and half for a year, or as little as the program allows', () => {
    const locked = build(MEME_PLAN);
    expect(locked.creatorPermanentLockedLiquidityPercentage).toBe(25);
    expect(locked.creatorLiquidityVestingInfo).toMatchObject({
      vestingPercentage: 25,
      cliffDurationFromMigrationTime: 31_535_999,
      frequency: 1,
    });
    const free = build({ ...MEME_PLAN, isLiquidityLocked: false });
    expect(free).toMatchObject({ creatorLiquidityPercentage: 44, partnerLiquidityPercentage: 44 });
    expect(free.partnerLiquidityVestingInfo).toEqual(free.creatorLiquidityVestingInfo);
  });

  it.each<[string, Partial<LaunchCurvePlan>, string]>([
    ['another token', { quoteMint: MEME_PLAN.quoteMint.replace('E', 'F') as never }, 'quoteMint'],
    ['other decimals', { quoteDecimals: 9 }, 'tokenQuoteDecimal'],
    ['no initial market cap', { initialMarketCap: 0 }, 'initialMarketCap'],
    ['a market cap beyond all money', { migrationMarketCap: 1e300 }, 'migrationMarketCap'],
    ['a market cap that falls', { migrationMarketCap: 16_000 }, 'migrationMarketCap'],
    ['a raise of a few dollars', { initialMarketCap: 100, migrationMarketCap: 400 }, 'migrationMarketCap'],
    ['a market cap of nearly nothing', { initialMarketCap: 1e-9 }, 'initialMarketCap'],
  ])('refuses %s', (_, change, field) => {
    expect(refusal({ ...MEME_PLAN, ...change })).toMatchObject({
      kind: 'invalid',
      field: `buildCurveByMarketCapParam.${field}`,
    });
  });

  it('says what the curve would raise if that is too little to pay for the migration', () => {
    const plan = { ...MEME_PLAN, initialMarketCap: 1_000, migrationMarketCap: 4_000 };
    expect(refusal(plan).message).toContain('would raise 1066.666666 USDC, and at least 1500 are needed');
  });
});

const NOTHING_VESTS = MEME_PLAN.vesting;
const FOR_SOL = {
  quoteMint: WRAPPED_SOL_MINT,
  quoteDecimals: 9,
  initialMarketCap: 80.5,
  migrationMarketCap: 345.25,
};

function build(plan: LaunchCurvePlan) {
  return buildLaunchParameters(plan, () => 0);
}

function refusal(plan: LaunchCurvePlan): StudioRefused {
  try {
    build(plan);
  } catch (error) {
    if (error instanceof StudioRefused) return error;
    throw error;
  }
  throw new Error('the plan is not refused');
}
