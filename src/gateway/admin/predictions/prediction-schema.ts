import { Type } from 'typebox';
import { EVENT_CATEGORIES, GAME_STATES } from '../../../predictions/prediction.ts';

const closed = { additionalProperties: false };

const Id = Type.String({
  maxLength: 64,
  description: 'Letters, digits, points, underscores and hyphens. Absent: drawn.',
});
const Time = Type.Union([Type.Integer({ minimum: 0 }), Type.String({ minLength: 1, maxLength: 40 })], {
  description:
    'Unix seconds, a time such as `2027-01-31T00:00:00Z`, or how long from now by the clock of the network, such as `90m`, `24h` or `7d`.',
});
const shortText = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });
const longText = (description: string) => Type.String({ minLength: 1, maxLength: 10_000, description });

const House = Type.Object(
  {
    startCents: Type.Integer({
      minimum: 1,
      maximum: 99,
      description: 'The price of yes at which the house begins, in cents.',
    }),
    contractsPerCent: Type.Number({
      minimum: 0,
      maximum: 1_000_000,
      description:
        'How many contracts the house offers at each cent, in steps of 0.01. 0: the house offers nothing.',
    }),
  },
  {
    ...closed,
    description:
      'What the house offers. The vault has to cover its worst loss. Absent: 100 contracts from 50 cents.',
  },
);

const MarketBody = Type.Object(
  {
    marketId: Type.Optional(Id),
    title: shortText('The question, which is answered by yes or no.'),
    rulesPrimary: Type.Optional(longText('What decides it.')),
    rulesSecondary: Type.Optional(longText('What decides it in special cases.')),
    openAt: Type.Optional(Time),
    closeAt: Type.Optional(Time),
    feeBps: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_500,
        description: 'The fee in basis points of contracts × price × (1 - price). Absent: 700.',
      }),
    ),
    house: Type.Optional(House),
  },
  closed,
);

export const PredictionEventBody = Type.Object(
  {
    eventId: Type.Optional(Id),
    title: shortText('The subject of its markets.'),
    subtitle: Type.Optional(shortText('More about the subject.')),
    slug: Type.Optional(shortText('A name for links. Absent: made from the title.')),
    series: Type.Optional(shortText('The series that it belongs to.')),
    category: Type.Enum([...EVENT_CATEGORIES]),
    subcategory: Type.Optional(shortText('A subject within the category.')),
    tags: Type.Optional(Type.Array(shortText('A tag.'), { maxItems: 20 })),
    imageUrl: Type.Optional(Type.String({ format: 'uri', maxLength: 500 })),
    beginAt: Type.Optional(Time),
    closeAt: Time,
    closeCondition: Type.Optional(longText('When it closes, in words.')),
    markets: Type.Array(MarketBody, { minItems: 1, maxItems: 50 }),
  },
  closed,
);

export const PredictionMarketParams = Type.Object({ market: Type.String({ maxLength: 64 }) });
export const PredictionEventParams = Type.Object({ event: Type.String({ maxLength: 64 }) });
export const PredictionEventMarketParams = Type.Object({
  event: Type.String({ maxLength: 64 }),
  market: Type.String({ maxLength: 64 }),
});
export const PredictionResultBody = Type.Object(
  { result: Type.Enum(['yes', 'no'], { description: 'The side that has won.' }) },
  closed,
);

const scoreText = (description: string) =>
  Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()], {
      description: `${description} Null: nothing. Absent: as before.`,
    }),
  );

/** How a game stands. What is absent stays as it was. */
export const PredictionScoreBody = Type.Object(
  {
    gameId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The id of the game. Absent: as before, at first the id of the event.',
      }),
    ),
    leagueAbbreviation: scoreText('The league.'),
    homeTeam: scoreText('The team that is at home.'),
    awayTeam: scoreText('The other team.'),
    score: scoreText('Such as `2-1`.'),
    period: scoreText('Such as `2H`.'),
    elapsed: scoreText('How long the period has lasted, such as `63:10`.'),
    status: scoreText('In words, such as `halftime`.'),
    state: Type.Optional(
      Type.Enum([...GAME_STATES], {
        description: 'Whether the game has begun and ended. Absent: as before, at first `live`.',
      }),
    ),
  },
  { ...closed, minProperties: 1 },
);

const Seconds = Type.Integer({ description: 'Unix seconds.' });
const MarketLine = Type.Object({
  marketId: Type.String(),
  title: Type.String(),
  status: Type.Enum(['open', 'closed', 'cancelled']),
  result: Type.Union([Type.Enum(['yes', 'no']), Type.Null()]),
  openAt: Seconds,
  closeAt: Seconds,
  feeBps: Type.Integer(),
  house: Type.Object({ startCents: Type.Integer(), contractsPerCent: Type.Number() }),
});
export const PredictionEventAnswer = Type.Object({
  eventId: Type.String(),
  title: Type.String(),
  category: Type.String(),
  closeAt: Seconds,
  markets: Type.Array(MarketLine),
});
const scoreAnswerText = () => Type.Union([Type.String(), Type.Null()]);
export const PredictionScoreAnswer = Type.Object({
  eventId: Type.String(),
  gameId: Type.String(),
  leagueAbbreviation: scoreAnswerText(),
  homeTeam: scoreAnswerText(),
  awayTeam: scoreAnswerText(),
  score: scoreAnswerText(),
  period: scoreAnswerText(),
  elapsed: scoreAnswerText(),
  status: scoreAnswerText(),
  state: Type.Enum([...GAME_STATES]),
  finishedAt: Type.Union([Seconds, Type.Null()]),
  updatedAt: Seconds,
});
export const PredictionEventsAnswer = Type.Object({ events: Type.Array(PredictionEventAnswer) });
