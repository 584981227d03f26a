import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../src/testing/random.ts';
import { type ExactJson, toExactJson } from '../../base/exact-json.ts';
import { parseInvites } from './invites/model/parse-invites.ts';
import { parseCurve, parseLaunches } from './launches/model/parse-launches.ts';
import { parseLimitOrders, parseRecurringOrders } from './orders/model/parse-program-orders.ts';
import { parsePriceOrders, parseRoundOrders } from './orders/model/parse-waiting-orders.ts';
import { parseBook } from './predictions/model/parse-book.ts';
import {
  parseChances,
  parseLeaders,
  parsePredictionTrades,
  parseProfile,
  parseProfitHistory,
} from './predictions/model/parse-everybody.ts';
import { parseEvents } from './predictions/model/parse-events.ts';
import { parseHistory, parsePositions, parsePredictionOrders } from './predictions/model/parse-holdings.ts';

describe('the parsers of answers of products', () => {
  it('read any JSON, and fail at none', () => {
    assertProperty(
      fc.property(answers, (answer) => {
        const exact = toExactJson(answer);
        for (const [name, parse] of Object.entries(PARSERS)) {
          expect(() => parse(exact), name).not.toThrow();
        }
      }),
      { cases: 5_000, seed: 4520 },
    );
  });
});

const PARSERS: Readonly<Record<string, (answer: ExactJson) => unknown>> = {
  parseLimitOrders,
  parseRecurringOrders,
  parsePriceOrders,
  parseRoundOrders,
  parseInvites,
  parseLaunches,
  parseCurve,
  parseBook,
  parseEvents,
  parsePositions,
  parsePredictionOrders,
  parseHistory,
  parsePredictionTrades,
  parseLeaders,
  parseProfile,
  parseProfitHistory,
  parseChances,
};
/** Names that the parsers look for, so that odd values stand where they are read. */
const NAMES = [
  'orders time invites data history forecast_history points now yes_dollars no_dollars markets trades events legs',
  'id orderKey pubkey invite_pda eventId marketId ownerPubkey inputMint outputMint mint triggerMint poolAddress quoteMint',
  'rawMakingAmount rawInUsed initialInputAmount amount target sold raised price contractsDecimal tokenDecimal bondingCurve',
  'triggerPriceUsd tpPriceUsd minPriceUsd usdPrice avgPriceUsd realizedPnlUsd raw_numerical_forecast cycleFrequency',
  'createdAt expiresAt timestamp closeTime end_period_ts nextFillAt status orderState displayState orderType eventType',
  'metadata pricing liveScore title launchpad',
].flatMap((line) => line.split(' '));
const values = fc.oneof(
  fc.constantFrom(
    null,
    true,
    '',
    '0',
    '-1',
    '1e400',
    '99999999999999999999999999',
    'Open',
    'oco',
    'x'.repeat(300),
  ),
  fc.double(),
  fc.integer(),
  fc.string({ unit: 'binary' }),
);
const { answers } = fc.letrec<{ answers: unknown; lists: unknown; objects: unknown }>((tie) => ({
  answers: fc.oneof({ maxDepth: 5, depthSize: 'medium' }, values, tie('lists'), tie('objects')),
  lists: fc.array(tie('answers'), { maxLength: 4 }),
  objects: fc.dictionary(fc.constantFrom(...NAMES), tie('answers'), { maxKeys: 12 }),
}));
