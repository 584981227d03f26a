import { ConcurrencyLimit } from '../../common/collections/concurrency-limit.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import type { Pools } from '../../market/pools/pools.ts';
import { VENUES } from '../../protocols/venues.ts';
import type { PositionFetcher } from '../../protocol/positions/fetcher.ts';
import { JUPITER_RFQ_V2 } from '../../rfq/index.ts';
import { ORDER_ENGINE_PROGRAM } from '../../protocols/order-engine/fill-instruction.ts';
import type { Address } from '../../solana/address.ts';
import type { Tokens } from '../../tokens/tokens.ts';
import type { MarketData } from '../../market-data/market-data.ts';
import { defineProduct, type OpenedProduct } from '../product.ts';
import { balances, holdings, nativeHoldings } from './endpoints/holdings.ts';
import { orderRouters } from './endpoints/order-routers.ts';
import { reclaimCraft, reclaimExecute } from './endpoints/reclaim.ts';
import type { UltraServices } from './endpoints/services.ts';
import { shield } from './endpoints/shield.ts';
import { userTrades } from './endpoints/user-trades.ts';
import { craftNative, craftToken, executeTransfer } from './endpoints/transfer.ts';
import {
  openSignedTransactions,
  type SignedTransactionsOptions,
} from '../../transactions/signed/open-signed.ts';

export interface UltraDependencies extends Pick<SignedTransactionsOptions, 'peers'> {
  readonly market: Pick<SignedTransactionsOptions, 'chain' | 'describeFailure'> & { readonly pools: Pools };
  readonly marketData: MarketData;
  readonly tokens: Pick<Tokens, 'isVerified' | 'find'>;
  /** Those of all protocols. Their claims say which tokens must not be burned. */
  readonly positionFetchers: readonly PositionFetcher[];
  /** 32 bytes that all instances share, and nobody else knows. */
  readonly walletTransactionsKey: Uint8Array;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** Requests that read or simulate much at once. Decoding is work of this thread, which other requests wait for as well. */
const MAX_RUNNING = 6;
/** Requests that may wait for that. */
const MAX_WAITING = 500;

/** Programs that swap tokens. */
const SWAP_PROGRAMS: ReadonlySet<Address> = new Set([
  AGGREGATOR_PROGRAM,
  JUPITER_RFQ_V2.program,
  ORDER_ENGINE_PROGRAM,
  ...VENUES.flatMap(({ program, routeProgram = program }) => [program, routeProgram]),
]);

/**
 * The older managed product. Its orders and executions are those of their successors, which have its paths as aliases; its
 * search is an endpoint of the tokens, because it costs less than theirs.
 */
export const ultra = defineProduct({
  name: 'ultra',
  description: 'What wallets hold, warnings about tokens, transfers, and rent that can be had back.',
  basePaths: ['/ultra', '/_datapi'],
  errorSections: [{ heading: 'Ultra' }],
  endpoints: [
    orderRouters,
    holdings,
    nativeHoldings,
    balances,
    shield,
    craftNative,
    craftToken,
    executeTransfer,
    reclaimCraft,
    reclaimExecute,
    userTrades,
  ],
  open: openUltra,
});

function openUltra({
  market: { chain, pools, describeFailure },
  marketData,
  tokens,
  positionFetchers,
  walletTransactionsKey,
  peers,
  onDefect,
}: UltraDependencies): OpenedProduct<UltraServices> {
  const turns = new ConcurrencyLimit(
    MAX_RUNNING,
    MAX_WAITING,
    () => new Unavailable(`${MAX_WAITING} requests about wallets wait for their turn already`),
  );
  const signed = openSignedTransactions({
    chain,
    describeFailure,
    sealKey: walletTransactionsKey,
    peers,
    onDefect: (error) => onDefect('transactions of wallets', error),
  });
  return {
    services: {
      holdings: { chain, isVerified: (mint) => tokens.isVerified(mint) },
      turns,
      shield: { chain, tokens, pools },
      wallets: {
        ...signed,
        pools,
        marketData,
        tokens,
        positionFetchers,
        knowsAllPools: chain.executed !== undefined,
      },
      trades: { chain, marketData, programs: SWAP_PROGRAMS },
    },
    drain: () => signed.runs.settled(),
  };
}
