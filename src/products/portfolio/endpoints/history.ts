import { Type } from 'typebox';
import { EXAMPLE_WALLET } from '../../example-values.ts';
import { toPartyKey } from '../../../common/party.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { writeJsonInTurns, LazyList } from '../../json-in-turns.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { MAX_WALLETS, MAX_WALLETS_OF_FOLLOWER } from '../history/value-store.ts';
import { Address, Milliseconds } from './assets-schema.ts';
import { Refusal, WALLET_PATH } from './positions-schema.ts';
import type { PortfolioServices } from './services.ts';

/** The price is high because a followed wallet is evaluated every hour for a month. */
const CREDITS = 100;

const HistoryResponse = Type.Object({
  owner: Address,
  since: Type.Union([Milliseconds, Type.Null()], {
    description: 'Unix ms since when the wallet is followed; null if it is not.',
  }),
  values: Type.Array(
    Type.Object({
      time: Type.Number({ description: 'Unix ms at which the hour began.' }),
      value: Type.Number({ description: 'Dollars.' }),
    }),
    {
      description:
        'Of the last 30 days, the oldest first. Hours in which a position could not be read are missing.',
    },
  ),
});

export const history = defineEndpoint({
  method: 'GET',
  path: '/portfolio/v1/history/:address',
  operationId: 'GetPortfolioHistory',
  example: { params: { address: EXAMPLE_WALLET } },
  summary: 'What a wallet was worth',
  description:
    'The value of a wallet in every hour since it was first asked for with an API key. A wallet that nobody asks for is ' +
    'forgotten after 30 days.',
  credits: CREDITS,
  params: WALLET_PATH.schema,
  responses: { 200: HistoryResponse, 400: Refusal },
  handle: async ({ values, now }: PortfolioServices, { params, caller, work }) => {
    const owner = WALLET_PATH.reader(params)('address');
    // Without a key, there is no share of the wallets that it could count towards.
    if (caller.kind === 'organisation') await follow(values, owner, toPartyKey(caller), now());
    const [since, found] = [await values.since(owner), await values.values(owner, now())];
    const listed = new LazyList(found, ({ hour, value }) => ({ time: hour, value }));
    return writeJsonInTurns({ owner, since, values: listed }, work);
  },
});

/** @throws RequestRefused when no further wallet can be followed */
async function follow(
  values: PortfolioServices['values'],
  owner: Parameters<PortfolioServices['values']['follow']>[0],
  follower: string,
  now: number,
): Promise<void> {
  const outcome = await values.follow(owner, follower, now);
  if (outcome === 'followed') return;
  throw new RequestRefused(
    outcome === 'follower-is-full'
      ? `this organisation follows ${MAX_WALLETS_OF_FOLLOWER} wallets already, and ${owner} is none of them; those that nobody asks for are forgotten after 30 days`
      : `${MAX_WALLETS} wallets are followed already, and ${owner} is none of them; ask again later`,
  );
}
