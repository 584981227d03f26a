import type { Chain } from '../chain/chain.ts';
import { AGGREGATOR_PROGRAM_INSTRUCTIONS } from '../market/aggregator/interface/aggregator-decoding.ts';
import type { Pools } from '../market/pools/pools.ts';
import { PROTOCOLS } from '../protocols/index.ts';
import { VENUES } from '../protocols/venues.ts';
import type { Address } from '../solana/address.ts';
import { TOKENS } from '../solana/known-tokens.ts';
import {
  createTransactionDecoder,
  type TransactionDecoder,
} from '../transactions/decoding/decode-transaction.ts';
import type { TokenUnit } from '../transactions/decoding/account-facts.ts';
import type { DescribeFailure } from '../transactions/transaction-failure.ts';

/** What the decoder of an instance reads from. */
export interface DecodedMarket {
  readonly chain: Pick<Chain, 'getAccounts' | 'transaction'>;
  readonly pools: Pick<Pools, 'find'>;
  readonly describeFailure: DescribeFailure;
}

/** Creates the decoder by which transactions are shown to people, with the programs of all protocols. */
export function createAppDecoder({ chain, pools, describeFailure }: DecodedMarket): TransactionDecoder {
  const listed = [...TOKENS, ...PROTOCOLS.flatMap(({ issuedTokens = [] }) => issuedTokens)];
  const tokens = new Map<Address, TokenUnit>(listed.map((token) => [token.mint, token]));
  const venues = new Map(VENUES.map((venue) => [venue.label, venue]));
  return createTransactionDecoder({
    chain,
    programs: [
      AGGREGATOR_PROGRAM_INSTRUCTIONS,
      ...PROTOCOLS.flatMap(({ instructions = [] }) => instructions),
    ],
    describeFailure,
    findToken: (mint) => tokens.get(mint) ?? null,
    findPool: (address) => {
      const handle = pools.find(address);
      const venue = handle === null ? undefined : venues.get(handle.venue.label);
      return handle === null || venue === undefined ? null : { venue, pool: handle.pool };
    },
  });
}
