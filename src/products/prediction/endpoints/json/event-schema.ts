import { type Static, Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import { PredictionScoreJson } from './score-json.ts';

const priceField = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description} Micro USD; null without one.` });

/** A field of forecasts, which is null for markets that orders trade. */
const forecastField = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `Of a forecast: ${description} Otherwise null.` });

const MarketOption = Type.Object({ label: Type.String(), buyYes: Type.Boolean() });

/** Fields of a market that older clients read in its `metadata`. */
const MarketHeadJson = named(
  'PredictionMarketHead',
  Type.Object(
    {
      title: Type.String(),
      status: Type.String(),
      isTradable: Type.Boolean({ description: 'The same as `tradable`.' }),
      openTime: Type.Integer({ description: 'Unix seconds.' }),
      closeTime: Type.Integer({ description: 'Unix seconds.' }),
      rulesPrimary: Type.String(),
      rulesSecondary: Type.String(),
    },
    { description: 'Fields of the market, where older clients read them.' },
  ),
);

/** A market, as lists and single answers have it. */
export const PredictionMarketJson = named(
  'PredictionMarket',
  Type.Object({
    marketId: Type.String(),
    eventId: Type.String(),
    provider: Type.String({ description: '`polymarket`, or `bisonfi` for a forecast.' }),
    title: Type.String(),
    status: Type.Enum(['open', 'closed', 'cancelled'], {
      description: 'A market stays closed when its result is known.',
    }),
    result: Type.Union([Type.Enum(['yes', 'no']), Type.Null()]),
    openTime: Type.Integer({ description: 'Unix seconds.' }),
    closeTime: Type.Integer({ description: 'Unix seconds.' }),
    resolveAt: Type.Union([Type.String(), Type.Null()], {
      description: 'When the result was posted, in ISO 8601; null before.',
    }),
    marketResultPubkey: Type.Union([Type.String(), Type.Null()], {
      description: 'The account that has the result; null before it is posted.',
    }),
    imageUrl: Type.Union([Type.String(), Type.Null()]),
    rulesPrimary: Type.String(),
    rulesSecondary: Type.String(),
    outcomes: Type.Array(Type.String()),
    marketOptions: Type.Array(MarketOption),
    clobTokenIds: Type.Array(Type.String(), { description: 'Empty.' }),
    isTeamMarket: Type.Boolean(),
    team: Type.Null(),
    sportsLine: Type.Null(),
    sportsMarketType: Type.Null(),
    outcomeMint: forecastField('the token of the side.'),
    outcomeTokenProgram: forecastField('the program of that token.'),
    marketPda: forecastField('the account of the round.'),
    outcomeSide: forecastField('`up` or `down`.'),
    tradable: Type.Boolean({ description: 'Whether the market takes orders now.' }),
    lifecycleStatus: Type.Optional(
      Type.Enum(['open', 'resolving', 'settled'], {
        description: 'Of a forecast: it resolves from its close until its result is on the chain.',
      }),
    ),
    pricing: Type.Object({
      buyYesPriceUsd: priceField('The price of a yes contract.'),
      buyNoPriceUsd: priceField('The price of a no contract.'),
      sellYesPriceUsd: priceField('What is paid for a yes contract.'),
      sellNoPriceUsd: priceField('What is paid for a no contract.'),
      volume: Type.Number({ description: 'What was traded in all, in micro USD.' }),
    }),
    metadata: MarketHeadJson,
  }),
);

/** What an event is about, as lists and positions have it. */
export const EventMetadataJson = named(
  'PredictionEventMetadata',
  Type.Object({
    eventId: Type.String(),
    title: Type.String(),
    subtitle: Type.String(),
    slug: Type.String(),
    series: Type.String(),
    closeTime: Type.String({ description: 'ISO 8601.' }),
    imageUrl: Type.String({ description: 'Empty without an image.' }),
    isLive: Type.Boolean(),
  }),
);

/** An event with or without its markets. */
export const PredictionEventJson = named(
  'PredictionEvent',
  Type.Object({
    eventId: Type.String(),
    isActive: Type.Boolean({ description: 'Whether one of its markets is open.' }),
    isLive: Type.Boolean({ description: 'Whether its subject has begun and it is not closed.' }),
    category: Type.String(),
    subcategory: Type.String(),
    tags: Type.Array(Type.String()),
    metadata: EventMetadataJson,
    markets: Type.Optional(
      Type.Array(PredictionMarketJson, { description: 'Only if the request asks for them.' }),
    ),
    volumeUsd: Type.String({ description: 'What was traded in all, in micro USD.' }),
    volume24hr: Type.String({ description: 'What was traded within 24 hours, in micro USD.' }),
    liveScore: Type.Union([PredictionScoreJson, Type.Null()], {
      description: 'How its game stands; null if nobody has said so.',
    }),
    closeCondition: Type.String(),
    beginAt: Type.Union([Type.String(), Type.Null()], { description: 'Unix seconds, as text.' }),
    rulesPdf: Type.String({ description: 'Empty.' }),
  }),
);

/** A market as it is written. */
export type PredictionMarketForm = Static<typeof PredictionMarketJson>;
/** An event as it is written. */
export type PredictionEventForm = Static<typeof PredictionEventJson>;
/** What an event is about, as it is written. */
export type EventMetadataForm = Static<typeof EventMetadataJson>;
