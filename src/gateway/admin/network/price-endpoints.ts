import type { Static } from 'typebox';
import { NetworkRefused } from '../../../chain/embedded/ledger/bank.ts';
import type { NetworkPrice } from '../../../chain/embedded/ledger/network-prices.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { parseU64Field } from './fields.ts';
import type { NetworkServices } from './network-services.ts';
import {
  FollowerAnswer,
  FollowerBody,
  FollowerState,
  PriceAnswer,
  PriceBody,
  PriceParams,
  PricesAnswer,
  WalkBody,
} from './price-schema.ts';

const PRICES = '/admin/v1/network/prices';
const FOLLOWER = '/admin/v1/network/price-follower';
/** The network measures deviation and drift in millionths. One percent is this many. */
const MILLIONTHS_PER_PERCENT = 10_000;
const DEFAULT_STEP_SECONDS = 10;
const DEFAULT_SEED = '1';

const list = defineAdminEndpoint({
  method: 'GET',
  path: PRICES,
  summary: 'The prices of the network’s feeds',
  responses: { 200: PricesAnswer },
  handle: async ({ network }: NetworkServices) => ({ prices: (await network.prices()).map(toJson) }),
});

const set = defineAdminEndpoint({
  method: 'PUT',
  path: `${PRICES}/:symbol`,
  audited: 'network.price_set',
  summary: 'Fix the price of a token, and of those that follow it',
  params: PriceParams,
  body: PriceBody,
  responses: { 200: PriceAnswer },
  handle: async ({ network }: NetworkServices, { params, body }) =>
    toJson(await network.setPrice(params.symbol, body.price)),
});

const walk = defineAdminEndpoint({
  method: 'PUT',
  path: `${PRICES}/:symbol/walk`,
  audited: 'network.price_walk_begun',
  summary: 'Let the price of a token move at random',
  params: PriceParams,
  body: WalkBody,
  responses: { 200: PriceAnswer },
  handle: async ({ network }: NetworkServices, { params, body }) => {
    const { deviation, drift = 0, seconds = DEFAULT_STEP_SECONDS, seed = DEFAULT_SEED } = body;
    const terms = {
      deviation: Math.round(deviation * MILLIONTHS_PER_PERCENT),
      drift: Math.round(drift * MILLIONTHS_PER_PERCENT),
      seconds,
      seed: parseU64Field('seed', seed),
    };
    return toJson(await network.walkPrice(params.symbol, terms));
  },
});

const showFollower = defineAdminEndpoint({
  method: 'GET',
  path: FOLLOWER,
  summary: 'Whether the pools follow the prices of the feeds',
  responses: { 200: FollowerState },
  handle: async ({ follower }: NetworkServices) => ({ following: follower?.following ?? false }),
});

const follow = defineAdminEndpoint({
  method: 'PUT',
  path: FOLLOWER,
  audited: 'network.price_follower_set',
  summary: 'Let the pools follow the prices of the feeds, or leave them',
  body: FollowerBody,
  responses: { 200: FollowerAnswer },
  handle: async ({ follower }: NetworkServices, { body: { following } }) => {
    if (follower === null)
      throw new NetworkRefused('request', 'the pools of this network cannot follow prices');
    if (following) return { following, trades: await follower.follow() };
    await follower.stop();
    return { following, trades: 0 };
  },
});

const stopWalk = defineAdminEndpoint({
  method: 'DELETE',
  path: `${PRICES}/:symbol/walk`,
  audited: 'network.price_walk_stopped',
  summary: 'Stop the price of a token where it is',
  params: PriceParams,
  responses: { 200: PriceAnswer },
  handle: async ({ network }: NetworkServices, { params }) =>
    toJson(await network.walkPrice(params.symbol, null)),
});

/** How the prices of the embedded network are read and moved. */
export const PRICE_ENDPOINTS = [list, set, walk, showFollower, follow, stopWalk];

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
