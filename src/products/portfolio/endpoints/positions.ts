import type { Static } from 'typebox';
import type { Work } from '../../../common/work/work.ts';
import { EXAMPLE_WALLET } from '../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { writeJsonInTurns } from '../../json-in-turns.ts';
import type { PositionsRequest } from '../evaluation/portfolios.ts';
import type { Portfolio } from '../evaluation/evaluate.ts';
import { toPositionsJson } from './positions-json.ts';
import {
  POSITIONS_OF_WALLET_QUERY,
  POSITIONS_QUERY,
  PositionsResponse,
  Refusal,
  WALLET_PATH,
} from './positions-schema.ts';
import type { PortfolioServices } from './services.ts';

/** The price is high because a wallet has many accounts, and reading them over an outside RPC takes many calls. */
const CREDITS = 100;
/** Each fetcher has a deadline of its own well below this. */
export const TIMEOUT_MS = 20_000;

const DESCRIPTION =
  'What a wallet holds, owes and has open on every platform, as typed elements with their worth in dollars. Each kind ' +
  'of positions has a report; one that fails costs the others nothing. The header `x-sluice-slots` says the slots that ' +
  'the accounts were read at.';

export const positions = defineEndpoint({
  method: 'GET',
  path: '/portfolio/v1/positions/:address',
  operationId: 'GetPositions',
  example: { params: { address: EXAMPLE_WALLET } },
  summary: 'Positions of a wallet',
  description: DESCRIPTION,
  credits: CREDITS,
  timeoutMs: TIMEOUT_MS,
  params: WALLET_PATH.schema,
  query: POSITIONS_QUERY.schema,
  responses: { 200: PositionsResponse, 400: Refusal },
  handle: async ({ portfolios }: PortfolioServices, { params, query, work }) =>
    answer(await portfolios.of(parsePositionsRequest(params, query), work), work),
});

export const positionsOfWallet = defineEndpoint({
  method: 'GET',
  path: '/portfolio/v1/positions',
  operationId: 'GetPositionsOfWallet',
  example: { query: { wallet: EXAMPLE_WALLET } },
  summary: 'Positions of a wallet, by query',
  description: DESCRIPTION,
  credits: CREDITS,
  timeoutMs: TIMEOUT_MS,
  query: POSITIONS_OF_WALLET_QUERY.schema,
  responses: { 200: PositionsResponse, 400: Refusal },
  handle: async ({ portfolios }: PortfolioServices, { query, work }) => {
    const read = POSITIONS_OF_WALLET_QUERY.reader(query);
    const request = { owner: read('wallet'), platforms: read('platforms'), hideSpam: read('hideSpam') };
    return answer(await portfolios.of(request, work), work);
  },
});

/** Reads a request whose path names the wallet. */
export function parsePositionsRequest(
  path: Static<typeof WALLET_PATH.schema>,
  query: Static<typeof POSITIONS_QUERY.schema>,
): PositionsRequest {
  const owner = WALLET_PATH.reader(path)('address');
  const read = POSITIONS_QUERY.reader(query);
  return { owner, platforms: read('platforms'), hideSpam: read('hideSpam') };
}

async function answer(portfolio: Portfolio, work: Work): Promise<OtherAnswer> {
  const { oldest, newest } = portfolio.slots;
  return new OtherAnswer(200, await writeJsonInTurns(toPositionsJson(portfolio), work), {
    'x-sluice-slots': oldest === newest ? `${newest}` : `${oldest}-${newest}`,
  });
}
