import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { NetworkPrice } from '../../../chain/embedded/ledger/network-prices.ts';
import { parseU64Field } from './fields.ts';
import type { AdminNetwork } from './network-controls.ts';
import {
  FollowerAnswer,
  FollowerBody,
  PriceAnswer,
  PriceBody,
  PriceParams,
  PricesAnswer,
  WalkBody,
} from './price-schema.ts';

/** The network measures deviation and drift in millionths. One percent is this many. */
const MILLIONTHS_PER_PERCENT = 10_000;
const DEFAULT_STEP_SECONDS = 10;
const DEFAULT_SEED = '1';

/** Registers how the prices of the embedded network are read and moved, under `prefix`. */
export function registerPrices(
  scope: FastifyInstance,
  prefix: string,
  controls: Pick<AdminNetwork, 'prices' | 'setPrice' | 'walkPrice' | 'followPrices'>,
): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  const response = { 200: PriceAnswer };
  app.get(
    `${prefix}/prices`,
    {
      schema: {
        tags: ['network'],
        summary: 'The prices of the network’s feeds',
        response: { 200: PricesAnswer },
      },
    },
    async () => ({ prices: (await controls.prices()).map(toJson) }),
  );
  app.put(
    `${prefix}/prices/:symbol`,
    {
      schema: {
        tags: ['network'],
        summary: 'Fix the price of a token, and of those that follow it',
        params: PriceParams,
        body: PriceBody,
        response,
      },
    },
    async ({ params, body }) => toJson(await controls.setPrice(params.symbol, body.price)),
  );
  app.put(
    `${prefix}/prices/:symbol/walk`,
    {
      schema: {
        tags: ['network'],
        summary: 'Let the price of a token move at random',
        params: PriceParams,
        body: WalkBody,
        response,
      },
    },
    async ({ params, body }) => {
      const { deviation, drift = 0, seconds = DEFAULT_STEP_SECONDS, seed = DEFAULT_SEED } = body;
      const terms = {
        deviation: Math.round(deviation * MILLIONTHS_PER_PERCENT),
        drift: Math.round(drift * MILLIONTHS_PER_PERCENT),
        seconds,
        seed: parseU64Field('seed', seed),
      };
      return toJson(await controls.walkPrice(params.symbol, terms));
    },
  );
  app.put(
    `${prefix}/price-follower`,
    {
      schema: {
        tags: ['network'],
        summary: 'Let the pools follow the prices of the feeds, or leave them',
        body: FollowerBody,
        response: { 200: FollowerAnswer },
      },
    },
    async ({ body }) => controls.followPrices(body.following),
  );
  app.delete(
    `${prefix}/prices/:symbol/walk`,
    {
      schema: {
        tags: ['network'],
        summary: 'Stop the price of a token where it is',
        params: PriceParams,
        response,
      },
    },
    async ({ params }) => toJson(await controls.walkPrice(params.symbol, null)),
  );
}

function toJson({ walk, publishTime, slot, ...price }: NetworkPrice): Static<typeof PriceAnswer> {
  return {
    ...price,
    publishTime: publishTime.toString(),
    slot: slot.toString(),
    walk:
      walk === null
        ? null
        : {
            deviation: walk.deviation / MILLIONTHS_PER_PERCENT,
            drift: walk.drift / MILLIONTHS_PER_PERCENT,
            seconds: walk.seconds,
            seed: walk.seed.toString(),
            steps: walk.steps.toString(),
          },
  };
}
