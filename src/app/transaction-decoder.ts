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
import type { FoundPool, TokenUnit } from '../transactions/decoding/account-facts.ts';
import type { DescribeFailure } from '../transactions/transaction-failure.ts';

/** What the decoder of an instance reads from. */
export interface DecodedMarket {
  readonly chain: Pick<Chain, 'getAccounts' | 'transaction'>;
  readonly pools: Pick<Pools, 'find'>;
  readonly describeFailure: DescribeFailure;
}

/**
 * Creates the decoder by which transactions are shown to people, with the programs of all protocols.
 * @param hasFaults - Whether it is the embedded network, in which faults can be set. Default: no.
 */
export function createAppDecoder(market: DecodedMarket, hasFaults = false): TransactionDecoder {
  const { chain, describeFailure } = market;
  const facts = createDecoderFacts(market);
  return createTransactionDecoder({
    ...facts,
    chain: { ...facts.chain, transaction: (signature) => chain.transaction(signature, 'once') },
    describeFailure,
    hasFaults,
  });
}

/** Returns what the accounts of transactions, and accounts, are recognised by. */
export function createDecoderFacts({
  chain,
  pools,
}: {
  readonly chain: Pick<Chain, 'getAccounts'>;
  readonly pools: Pick<Pools, 'find'>;
}) {
  const listed = [...TOKENS, ...PROTOCOLS.flatMap(({ issuedTokens = [] }) => issuedTokens)];
  const tokens = new Map<Address, TokenUnit>(listed.map((token) => [token.mint, token]));
  const venues = new Map(VENUES.map((venue) => [venue.label, venue]));
  // Several attempts at several reads would keep a page waiting for half a minute, and cost the operator more calls than are counted.
  const getAccounts: Chain['getAccounts'] = (addresses, commitment) =>
    chain.getAccounts(addresses, commitment, 'once');
  return {
    chain: { getAccounts },
    programs: [
      AGGREGATOR_PROGRAM_INSTRUCTIONS,
      ...PROTOCOLS.flatMap(({ instructions = [] }) => instructions),
    ],
    findToken: (mint: Address) => tokens.get(mint) ?? null,
    findPool: (address: Address): FoundPool | null => {
      const handle = pools.find(address);
      const venue = handle === null ? undefined : venues.get(handle.venue.label);
      return handle === null || venue === undefined ? null : { venue, pool: handle.pool };
    },
  };
}
