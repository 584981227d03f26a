import type { Work } from '../../../common/work/work.ts';
import { EXAMPLE_WALLET } from '../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { writeJsonInTurns } from '../../json-in-turns.ts';
import type { Address } from '../../../solana/address.ts';
import type { PositionsRequest } from '../evaluation/portfolios.ts';
import { parsePlatforms, parseWallet } from './request.ts';
import type { Portfolio } from '../evaluation/evaluate.ts';
import { toPositionsJson } from './positions-json.ts';
import {
  type PositionsOptions,
  PositionsOfWalletQuery,
  PositionsQuery,
  PositionsResponse,
  Refusal,
  WalletParams,
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
  params: WalletParams,
  query: PositionsQuery,
  responses: { 200: PositionsResponse, 400: Refusal },
  handle: async ({ portfolios }: PortfolioServices, { params, query, work }) =>
    answer(
      await portfolios.of(toPositionsRequest(parseWallet('address', params.address), query), work),
      work,
    ),
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
  query: PositionsOfWalletQuery,
  responses: { 200: PositionsResponse, 400: Refusal },
  handle: async ({ portfolios }: PortfolioServices, { query, work }) =>
    answer(await portfolios.of(toPositionsRequest(parseWallet('wallet', query.wallet), query), work), work),
});

export function toPositionsRequest(
  owner: Address,
  { platforms, hideSpam }: PositionsOptions,
): PositionsRequest {
  return { owner, platforms: parsePlatforms(platforms), hideSpam: hideSpam === 'true' };
}

async function answer(portfolio: Portfolio, work: Work): Promise<OtherAnswer> {
  const { oldest, newest } = portfolio.slots;
  return new OtherAnswer(200, await writeJsonInTurns(toPositionsJson(portfolio), work), {
    'x-sluice-slots': oldest === newest ? `${newest}` : `${oldest}-${newest}`,
  });
}
