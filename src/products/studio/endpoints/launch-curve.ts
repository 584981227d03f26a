import { Type } from 'typebox';
import {
  type LaunchCurvePoint,
  type LaunchCurveState,
  readLaunchCurve,
} from '../../../studio/launched/launch-curve.ts';
import { StudioRefused } from '../../../studio/studio-refused.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';
import { EXAMPLE_LAUNCH } from './example-launch.ts';
import type { LaunchedServices } from './services.ts';
import { readStudioAddress } from './studio-address.ts';
import { addStudioErrors, answerStudioRefusals, STUDIO_ERROR_FORM } from './studio-errors.ts';

/** Digits of a price behind the point. */
const PRICE_DECIMALS = 12;

const PointJson = named(
  'LaunchCurvePoint',
  Type.Object({
    sold: Type.String({ description: 'Base units of the launched token that have been sold by then.' }),
    raised: Type.String({
      description: 'Base units of the quote token that have been paid for them, without fees.',
    }),
    price: Type.String({
      description: 'Base units of the quote token for one whole launched token, with a fraction.',
    }),
  }),
);

const CurveJson = named(
  'LaunchCurveState',
  Type.Object({
    mint: Type.String(),
    poolAddress: Type.String({ description: 'The bonding curve.' }),
    quoteMint: Type.String({ description: 'What the token is traded against.' }),
    tokenDecimal: Type.Integer({ description: 'The decimals of the launched token.' }),
    target: Type.String({
      description: 'Base units of the quote token that have been raised when the curve is complete.',
    }),
    isComplete: Type.Boolean({
      description: 'Whether that much has been raised. The curve then trades no more.',
    }),
    isMigrated: Type.Boolean({ description: 'Whether the liquidity has moved to another pool.' }),
    now: Type.Object({ ...PointJson.properties }, { description: 'Where the curve is now.' }),
    points: Type.Array(PointJson, {
      description:
        'The curve from its start to its completion, with the bends between its parts: some fifty points.',
    }),
  }),
);

export const launchCurveEndpoint = defineEndpoint({
  method: 'GET',
  path: '/studio/v1/dbc-pool/curve/:mint',
  operationId: 'GetLaunchCurve',
  example: { params: { mint: EXAMPLE_LAUNCH.mint } },
  summary: 'The curve of a launch',
  description:
    'Returns the bonding curve of a launched token as points that can be drawn, and how far it is. Any launch on a curve of the ' +
    'program is found.',
  params: Type.Object({ mint: Type.String({ description: 'The launched token.' }) }),
  responses: addStudioErrors(CurveJson, 404),
  ...STUDIO_ERROR_FORM,
  handle: ({ launched }: LaunchedServices, { params }) =>
    answerStudioRefusals(async () => {
      const mint = readStudioAddress(params.mint, 'mint');
      const curve = await readLaunchCurve(launched, mint);
      if (curve === null) throw new StudioRefused('not found', 'Curve not found');
      return toCurveJson(mint, curve);
    }),
});

function toCurveJson(
  mint: string,
  { pool, quoteMint, decimals, target, now, points, ...state }: LaunchCurveState,
) {
  return {
    mint,
    poolAddress: pool,
    quoteMint,
    tokenDecimal: decimals,
    target: String(target),
    isComplete: state.isComplete,
    isMigrated: state.isMigrated,
    now: toPointJson(now, decimals),
    points: points.map((point) => toPointJson(point, decimals)),
  };
}

function toPointJson({ sqrtPrice, sold, raised }: LaunchCurvePoint, decimals: number) {
  return { sold: String(sold), raised: String(raised), price: formatCurvePrice(sqrtPrice, decimals) };
}

/** Formats the price of a whole token in base units of the quote token. */
function formatCurvePrice(sqrtPrice: bigint, decimals: number): string {
  const scaled = (sqrtPrice * sqrtPrice * 10n ** BigInt(decimals + PRICE_DECIMALS)) >> 128n;
  const digits = scaled.toString().padStart(PRICE_DECIMALS + 1, '0');
  return `${digits.slice(0, -PRICE_DECIMALS)}.${digits.slice(-PRICE_DECIMALS)}`;
}
