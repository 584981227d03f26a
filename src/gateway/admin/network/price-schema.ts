import { Type } from 'typebox';

const closed = { additionalProperties: false };
const Decimal = Type.String({
  pattern: '^[0-9]{1,19}(\\.[0-9]{1,18})?$',
  description: 'A decimal number, as text.',
});
const Whole = Type.String({ pattern: '^(0|[1-9][0-9]{0,19})$', description: 'A whole number, as text.' });

export const PriceParams = Type.Object({
  symbol: Type.String({ minLength: 1, maxLength: 16, description: 'The symbol of a token of the genesis.' }),
});

export const PriceBody = Type.Object({ price: Decimal }, closed);

export const FollowerBody = Type.Object({ following: Type.Boolean() }, closed);
export const FollowerAnswer = Type.Object({
  following: Type.Boolean({ description: 'Whether the pools follow the prices of the feeds.' }),
  trades: Type.Integer({ description: 'Swaps that brought the pools to the present prices.' }),
});

export const FollowerState = Type.Object({
  following: Type.Boolean({ description: 'Whether the pools follow the prices of the feeds.' }),
});

const Deviation = Type.Number({
  minimum: 0,
  maximum: 100,
  description: 'Standard deviation of the price within an hour, in percent.',
});
const Drift = Type.Number({
  minimum: -100,
  maximum: 100,
  description: 'What the price gains in an hour, in percent; negative when it falls.',
});
const Seconds = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  description: 'The length of a step by the clock of the network.',
});

export const WalkBody = Type.Object(
  {
    deviation: Deviation,
    drift: Type.Optional(Drift),
    seconds: Type.Optional(Seconds),
    seed: Type.Optional(Whole),
  },
  closed,
);

export const PriceAnswer = Type.Object({
  symbol: Type.String(),
  feed: Type.String({ description: 'The address of the feed.' }),
  price: Type.String({ description: 'US dollars for a whole token.' }),
  confidence: Type.String({ description: 'By how many dollars the true price may differ.' }),
  publishTime: Type.String({ description: 'Unix seconds by the clock of the network.' }),
  slot: Whole,
  follows: Type.Union([Type.String(), Type.Null()], {
    description: 'The token whose price this one follows; it cannot be set.',
  }),
  walk: Type.Union([
    Type.Object({ deviation: Deviation, drift: Drift, seconds: Seconds, seed: Whole, steps: Whole }),
    Type.Null(),
  ]),
});
export const PricesAnswer = Type.Object({ prices: Type.Array(PriceAnswer) });
