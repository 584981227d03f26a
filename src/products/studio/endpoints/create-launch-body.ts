import { type Static, Type } from 'typebox';
import { LAUNCH_FIELDS, type LaunchCurvePlan } from '../../../studio/curve/launch-plan.ts';
import type { LaunchRequest } from '../../../studio/creating/craft-launch.ts';
import { IMAGE_TYPES } from '../../../studio/media/media.ts';
import { named } from '../../named-schema.ts';
import { readStudioAddress } from './studio-address.ts';

const DURATIONS = [0, 15_552_000, 15_811_200, 31_536_000];

const VestingBody = named(
  'LaunchVesting',
  Type.Object({
    totalLockedVestingAmount: Type.Number({
      description: 'Whole tokens that are locked, at most 80 % of the supply of 1,000,000,000. 0: none.',
    }),
    cliffUnlockAmount: Type.Number({ description: 'How many of them unlock when the cliff is over.' }),
    numberOfVestingPeriod: Type.Enum([0, 6, 12, 183, 365], {
      description: 'In how many equal parts the rest unlocks.',
    }),
    totalVestingDuration: Type.Enum(DURATIONS, {
      description: 'Seconds of all these periods together.',
    }),
    cliffDurationFromMigrationTime: Type.Enum(DURATIONS, {
      description: 'Seconds of the cliff, from the migration.',
    }),
  }),
);

const CurveBody = named(
  'LaunchCurve',
  Type.Object({
    quoteMint: Type.String({ description: 'What the token is traded against: USDC, SOL or JUP.' }),
    initialMarketCap: Type.Number({
      description: 'The market capitalisation at which the curve begins, in whole quote tokens.',
    }),
    migrationMarketCap: Type.Number({
      description: 'The one at which it is complete and migrates to a pool, in whole quote tokens.',
    }),
    tokenQuoteDecimal: Type.Enum([6, 9], { description: 'The decimals of the quote token.' }),
    lockedVestingParam: VestingBody,
  }),
);

const FeeBody = named(
  'LaunchFee',
  Type.Object({
    feeBps: Type.Enum([100, 200], {
      default: 100,
      description: 'The trading fee in basis points, or what it falls to.',
    }),
    totalDuration: Type.Optional(
      Type.Enum([60, 120, 180, 240, 300], {
        description:
          'Seconds in which the fee falls: from 99 % with `antiSniping`, and from 50 % without. Absent: with `antiSniping` it falls by a percent every 1 to 3 seconds, at random, and without it never.',
      }),
    ),
    baseFeeMode: Type.Optional(
      Type.Enum(['linear', 'exponential'], { description: 'How it falls. Default: `linear`.' }),
    ),
  }),
);

/** The body of a request for a launch. */
export const CreateLaunchBody = named(
  'CreateLaunch',
  Type.Object({
    buildCurveByMarketCapParam: CurveBody,
    antiSniping: Type.Boolean({
      description: 'Whether the fee begins at 99 %, so that bots do not buy before everybody else.',
    }),
    fee: Type.Optional(FeeBody),
    isLpLocked: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether half of the migrated liquidity is locked for good, and the other half for a year. If not, 88 % of it is free at once, and the rest a day later, as soon as the program allows.',
      }),
    ),
    tokenName: Type.String({ minLength: 1, description: 'At most 32 bytes in UTF-8.' }),
    tokenSymbol: Type.String({ minLength: 1, description: 'At most 10 bytes in UTF-8.' }),
    tokenImageContentType: Type.Enum([...IMAGE_TYPES], {
      description: 'The type of the image that is uploaded.',
    }),
    creator: Type.String({ description: 'The wallet that pays, signs and gets the share of the creator.' }),
  }),
);

/** The least fee, which holds if the request names none. */
const DEFAULT_FEE: Static<typeof FeeBody> = { feeBps: 100 };

/** @throws StudioRefused if a field is not an address */
export function readLaunchRequest(body: Static<typeof CreateLaunchBody>): LaunchRequest {
  return {
    curve: readCurvePlan(body),
    names: { name: body.tokenName, symbol: body.tokenSymbol },
    imageType: body.tokenImageContentType,
    creator: readStudioAddress(body.creator, 'creator'),
  };
}

function readCurvePlan({
  buildCurveByMarketCapParam: curve,
  antiSniping: isAntiSniping,
  fee = DEFAULT_FEE,
  isLpLocked = true,
}: Static<typeof CreateLaunchBody>): LaunchCurvePlan {
  const vesting = curve.lockedVestingParam;
  return {
    quoteMint: readStudioAddress(curve.quoteMint, LAUNCH_FIELDS.quoteMint),
    quoteDecimals: curve.tokenQuoteDecimal,
    initialMarketCap: curve.initialMarketCap,
    migrationMarketCap: curve.migrationMarketCap,
    vesting: {
      total: vesting.totalLockedVestingAmount,
      cliffUnlock: vesting.cliffUnlockAmount,
      numberOfPeriods: vesting.numberOfVestingPeriod,
      totalDuration: vesting.totalVestingDuration,
      cliffDuration: vesting.cliffDurationFromMigrationTime,
    },
    fee: {
      bps: fee.feeBps,
      kind: fee.baseFeeMode ?? null,
      totalDuration: fee.totalDuration ?? null,
      isAntiSniping,
    },
    isLiquidityLocked: isLpLocked,
  };
}
