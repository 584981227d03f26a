import type {
  DbcLaunchTerms,
  DbcLiquidityPlan,
  DbcLiquidityVestingPlan,
} from '../../protocols/meteora-dbc/build-config/launch-terms.ts';
import {
  DbcActivationType,
  DbcCollectFeeMode,
  DbcMigrationFeeOption,
  DbcTokenAuthority,
  DbcTokenType,
} from '../../protocols/meteora-dbc/program/program.ts';
import { toLaunchFee } from './launch-fee.ts';
import { LAUNCH_DECIMALS, LAUNCH_SUPPLY, type LaunchCurvePlan } from './launch-plan.ts';
import { toLockedTokens } from './launch-vesting.ts';

const SUPPLY = BigInt(LAUNCH_SUPPLY) * 10n ** BigInt(LAUNCH_DECIMALS);
/** The part of the supply that is left over where nothing is locked. It is burned at the migration. */
const LEFTOVER = SUPPLY / 5n;
/** The creator's part of the trading fees, in percent. */
const CREATOR_FEE_PERCENT = 50;
const YEAR = 31_536_000;
/** The program wants a tenth of the liquidity to be locked for a day, and rounds each part down. */
const OVER_A_DAY = 86_401;

/**
 * Translates what a creator says about a curve, besides its prices. The supply is fixed, and the creator gets half of the fees and
 * of the liquidity.
 *
 * @param random - Returns a number from 0 up to 1.
 * @throws StudioRefused if it has no meaning
 */
export function toLaunchTerms(plan: LaunchCurvePlan, random: () => number): DbcLaunchTerms {
  const lockedTokens = toLockedTokens(plan.vesting);
  return {
    token: {
      tokenType: DbcTokenType.SPL_TOKEN,
      baseDecimals: LAUNCH_DECIMALS,
      quoteDecimals: plan.quoteDecimals,
      updateAuthority: DbcTokenAuthority.IMMUTABLE,
      totalSupply: SUPPLY,
      leftover: lockedTokens === null ? LEFTOVER : 0n,
    },
    fee: {
      base: toLaunchFee(plan.fee, random),
      isDynamic: false,
      collectFeeMode: DbcCollectFeeMode.QUOTE_TOKEN,
      creatorTradingFeePercentage: CREATOR_FEE_PERCENT,
      poolCreationFee: 0n,
      isFirstSwapDiscounted: false,
    },
    migration: {
      feeOption:
        plan.fee.bps === 200 ? DbcMigrationFeeOption.FIXED_BPS_200 : DbcMigrationFeeOption.FIXED_BPS_100,
      fee: { feePercentage: 0, creatorFeePercentage: 0 },
      pool: null,
    },
    liquidity: plan.isLiquidityLocked ? LOCKED_LIQUIDITY : FREE_LIQUIDITY,
    lockedTokens,
    // Tokens lists say when a token was launched, which a curve that counts slots does not.
    activationType: DbcActivationType.TIMESTAMP,
  };
}

/** Half is locked for good, and the other half for a year. */
const LOCKED_LIQUIDITY = shareLiquidity({ permanent: 25, free: 0, vesting: unlockAfter(YEAR, 25) });
/** As much is free as the program allows. */
const FREE_LIQUIDITY = shareLiquidity({ permanent: 0, free: 44, vesting: unlockAfter(OVER_A_DAY, 6) });

/** The creator and the partner get the same. */
function shareLiquidity(share: {
  readonly permanent: number;
  readonly free: number;
  readonly vesting: DbcLiquidityVestingPlan;
}): DbcLiquidityPlan {
  const { permanent, free, vesting } = share;
  return {
    partnerPermanentLockedPercentage: permanent,
    partnerPercentage: free,
    partnerVesting: vesting,
    creatorPermanentLockedPercentage: permanent,
    creatorPercentage: free,
    creatorVesting: vesting,
  };
}

/** Everything unlocks at once, in the form that Meteora's library builds too: a period of a second. */
function unlockAfter(seconds: number, vestingPercentage: number): DbcLiquidityVestingPlan {
  return {
    vestingPercentage,
    bpsPerPeriod: 10_000,
    numberOfPeriods: 1,
    cliffDuration: seconds - 1,
    totalDuration: 1,
  };
}
