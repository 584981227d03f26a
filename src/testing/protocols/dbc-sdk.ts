import type { buildCurve } from '@meteora-ag/dynamic-bonding-curve-sdk';
import type {
  DbcFeePlan,
  DbcLaunchTerms,
  DbcLiquidityVestingPlan,
  DbcMigratedPoolPlan,
} from '../../protocols/meteora-dbc/build-config/launch-terms.ts';
import type { DbcConfigParameters } from '../../protocols/meteora-dbc/program/config-parameters.ts';

type SdkTerms = Omit<
  Parameters<typeof buildCurve>[0],
  'percentageSupplyOnMigration' | 'migrationQuoteThreshold'
>;
/** What the builders of Meteora's library return. */
export type BuiltBySdk = ReturnType<typeof buildCurve>;

/** Says the same to the builders of Meteora's library, which take whole tokens as numbers. */
export function toSdkTerms(terms: DbcLaunchTerms): SdkTerms {
  const { token, migration, liquidity, lockedTokens, fee } = terms;
  const base = (atoms: bigint) => Number(`${atoms}e-${token.baseDecimals}`);
  const plain = {
    token: {
      tokenType: token.tokenType,
      tokenBaseDecimal: token.baseDecimals,
      tokenQuoteDecimal: token.quoteDecimals,
      tokenAuthorityOption: token.updateAuthority,
      totalTokenSupply: base(token.totalSupply),
      leftover: base(token.leftover),
    },
    fee: {
      baseFeeParams: toSdkBaseFee(fee, token.quoteDecimals),
      dynamicFeeEnabled: fee.isDynamic,
      collectFeeMode: fee.collectFeeMode,
      creatorTradingFeePercentage: fee.creatorTradingFeePercentage,
      poolCreationFee: Number(`${fee.poolCreationFee}e-9`),
      enableFirstSwapWithMinFee: fee.isFirstSwapDiscounted,
    },
    migration: {
      migrationOption: 1,
      migrationFeeOption: migration.feeOption,
      migrationFee: { ...migration.fee },
      ...(migration.pool === null ? {} : { migratedPoolFee: toSdkMigratedFee(migration.pool) }),
    },
    liquidityDistribution: {
      partnerPermanentLockedLiquidityPercentage: liquidity.partnerPermanentLockedPercentage,
      partnerLiquidityPercentage: liquidity.partnerPercentage,
      ...toSdkVesting('partner', liquidity.partnerVesting),
      creatorPermanentLockedLiquidityPercentage: liquidity.creatorPermanentLockedPercentage,
      creatorLiquidityPercentage: liquidity.creatorPercentage,
      ...toSdkVesting('creator', liquidity.creatorVesting),
    },
    lockedVesting: {
      totalLockedVestingAmount: base(lockedTokens?.total ?? 0n),
      numberOfVestingPeriod: Number(lockedTokens?.numberOfPeriods ?? 0n),
      cliffUnlockAmount: base(lockedTokens?.cliffUnlock ?? 0n),
      totalVestingDuration: Number(lockedTokens?.totalDuration ?? 0n),
      cliffDurationFromMigrationTime: Number(lockedTokens?.cliffDuration ?? 0n),
    },
    activationType: terms.activationType,
  };
  // The library's types are enumerations of the same numbers.
  return plain as unknown as SdkTerms;
}

function toSdkBaseFee({ base }: DbcFeePlan, quoteDecimals: number) {
  if (base.kind === 'rateLimiter') {
    return {
      baseFeeMode: 2,
      rateLimiterParam: {
        baseFeeBps: base.baseFeeBps,
        feeIncrementBps: base.feeIncrementBps,
        referenceAmount: Number(`${base.referenceAmount}e-${quoteDecimals}`),
        maxLimiterDuration: Number(base.maxDuration),
      },
    };
  }
  return {
    baseFeeMode: base.kind === 'linear' ? 0 : 1,
    feeSchedulerParam: {
      startingFeeBps: base.startingFeeBps,
      endingFeeBps: base.endingFeeBps,
      numberOfPeriod: base.numberOfPeriods,
      totalDuration: Number(base.totalDuration),
    },
  };
}

function toSdkMigratedFee(pool: DbcMigratedPoolPlan) {
  const { marketCapFee } = pool;
  return {
    collectFeeMode: pool.collectFeeMode,
    dynamicFee: pool.dynamicFee,
    poolFeeBps: pool.poolFeeBps,
    compoundingFeeBps: pool.compoundingFeeBps,
    ...(marketCapFee === null
      ? {}
      : {
          baseFeeMode: marketCapFee.kind === 'linear' ? 3 : 4,
          marketCapFeeSchedulerParams: {
            endingBaseFeeBps: marketCapFee.endingFeeBps,
            numberOfPeriod: marketCapFee.numberOfPeriods,
            priceMultiple: Number(marketCapFee.endingMarketCap) / Number(marketCapFee.startingMarketCap),
            schedulerExpirationDuration: marketCapFee.expirationDuration,
          },
        }),
  };
}

function toSdkVesting(whose: 'partner' | 'creator', plan: DbcLiquidityVestingPlan | null) {
  if (plan === null) return {};
  return {
    [`${whose}LiquidityVestingInfoParams`]: {
      vestingPercentage: plan.vestingPercentage,
      bpsPerPeriod: plan.bpsPerPeriod,
      numberOfPeriods: plan.numberOfPeriods,
      cliffDurationFromMigrationTime: plan.cliffDuration,
      totalDuration: plan.totalDuration,
    },
  };
}

/** Reads what the library built: its big numbers as bigints where ours are. */
export function readSdkParameters(built: BuiltBySdk): DbcConfigParameters {
  const { padding: _, ...rest } = toBigints(built) as Record<string, unknown>;
  return rest as unknown as DbcConfigParameters;
}

function toBigints(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toBigints);
  if (value === null || typeof value !== 'object') return value;
  if ('toArrayLike' in value) return BigInt(String(value));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toBigints(each)]));
}
