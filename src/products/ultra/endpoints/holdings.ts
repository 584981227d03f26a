import type { Address } from '../../../solana/address.ts';
import type { Work } from '../../../common/work/work.ts';
import { EXAMPLE_WALLET } from '../../example-values.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { writeJsonInTurns } from '../../json-in-turns.ts';
import { type WalletHoldings, readHoldings, readLamports } from '../holdings/holdings.ts';
import { toBalancesJson, toHoldingsJson, toNativeHoldingsJson } from './holdings-json.ts';
import { BalancesJson, HoldingsJson, NativeHoldingsJson, UltraError, WALLET_PATH } from './schema.ts';
import type { UltraServices } from './services.ts';

/** A wallet may have thousands of accounts, which take many calls over an outside RPC. */
const TIMEOUT_MS = 20_000;

export const holdings = defineEndpoint({
  method: 'GET',
  path: '/ultra/v1/holdings/:address',
  operationId: 'GetHoldings',
  example: { params: { address: EXAMPLE_WALLET } },
  summary: 'What a wallet holds',
  description:
    'The lamports and the token accounts of a wallet under both token programs, as of the newest confirmed slot. Of a ' +
    'wallet with more than 5,000 token accounts, those of verified tokens come first and empty ones last.',
  timeoutMs: TIMEOUT_MS,
  params: WALLET_PATH.schema,
  responses: { 200: HoldingsJson, 400: UltraError },
  handle: async (services: UltraServices, { params, work }) =>
    writeJsonInTurns(
      await toHoldingsJson(
        await readRequestedHoldings(services, WALLET_PATH.reader(params)('address'), work),
        work,
      ),
      work,
    ),
});

export const nativeHoldings = defineEndpoint({
  method: 'GET',
  path: '/ultra/v1/holdings/:address/native',
  operationId: 'GetNativeHoldings',
  example: { params: { address: EXAMPLE_WALLET } },
  summary: 'The SOL of a wallet',
  description: 'The lamports of a wallet, without wrapped SOL, as of the newest confirmed slot.',
  params: WALLET_PATH.schema,
  responses: { 200: NativeHoldingsJson, 400: UltraError },
  handle: async (services: UltraServices, { params }) =>
    toNativeHoldingsJson({
      lamports: await readLamports(services.holdings.chain, WALLET_PATH.reader(params)('address')),
    }),
});

export const balances = defineEndpoint({
  method: 'GET',
  path: '/ultra/v1/balances/:address',
  operationId: 'GetBalances',
  example: { params: { address: EXAMPLE_WALLET } },
  summary: 'The balances of a wallet, by mint',
  description: 'The sums of what `holdings` lists. Older clients read it; new ones read `holdings`.',
  timeoutMs: TIMEOUT_MS,
  params: WALLET_PATH.schema,
  responses: { 200: BalancesJson, 400: UltraError },
  handle: async (services: UltraServices, { params, work }) =>
    writeJsonInTurns(
      await toBalancesJson(
        await readRequestedHoldings(services, WALLET_PATH.reader(params)('address'), work),
        work,
      ),
      work,
    ),
});

function readRequestedHoldings(
  { holdings: dependencies, turns }: UltraServices,
  owner: Address,
  work: Work,
): Promise<WalletHoldings> {
  return turns.run(false, () => readHoldings(dependencies, owner, work));
}
