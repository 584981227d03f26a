import { type Static, Type } from 'typebox';
import { EXAMPLE_WALLET } from '../../example-values.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Milliseconds } from './assets-schema.ts';
import { Refusal, WALLET_PATH, WALLET_QUERY } from './positions-schema.ts';
import type { StakedJup } from '../evaluation/portfolios.ts';
import type { PortfolioServices } from './services.ts';

const StakedJupResponse = Type.Object({
  stakedAmount: Type.Number({
    description: 'Whole JUP that are staked, without those that are being unstaked.',
  }),
  unstaking: Type.Array(
    Type.Object({
      amount: Type.Number({ description: 'Whole JUP.' }),
      until: Milliseconds,
    }),
    { description: 'The parts that are being unstaked, and when they can be withdrawn.' },
  ),
});

const DESCRIPTION = 'What a wallet has staked to vote with; zeros for one that never staked.';

export const stakedJup = defineEndpoint({
  method: 'GET',
  path: '/portfolio/v1/staked-jup/:address',
  operationId: 'GetStakedJup',
  example: { params: { address: EXAMPLE_WALLET } },
  summary: 'JUP that a wallet has staked',
  description: DESCRIPTION,
  params: WALLET_PATH.schema,
  responses: { 200: StakedJupResponse, 400: Refusal },
  handle: async ({ portfolios }: PortfolioServices, { params }) => {
    return answer(await portfolios.stakedJup(WALLET_PATH.reader(params)('address')));
  },
});

export const stakedJupOfWallet = defineEndpoint({
  method: 'GET',
  path: '/portfolio/v1/staked-jup',
  operationId: 'GetStakedJupOfWallet',
  example: { query: { wallet: EXAMPLE_WALLET } },
  summary: 'JUP that a wallet has staked, by query',
  description: DESCRIPTION,
  query: WALLET_QUERY.schema,
  responses: { 200: StakedJupResponse, 400: Refusal },
  handle: async ({ portfolios }: PortfolioServices, { query }) => {
    return answer(await portfolios.stakedJup(WALLET_QUERY.reader(query)('wallet')));
  },
});

function answer({ stakedAmount, unstaking }: StakedJup): Static<typeof StakedJupResponse> {
  return { stakedAmount, unstaking: unstaking.map(({ amount, until }) => ({ amount, until })) };
}
