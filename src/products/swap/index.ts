import { randomUUID } from 'node:crypto';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { ExecutionStore, ExecutionStoreOptions } from '../../common/ports/execution-store.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import { defineProduct, type OpenedProduct } from '../product.ts';
import type { SwapMarket } from '../../swaps/build/swap-market.ts';
import { build } from './endpoints/build.ts';
import { orderMultisig } from './endpoints/multisig/order.ts';
import { execute, executeMultisig } from './endpoints/execute.ts';
import { order } from './endpoints/order.ts';
import { programIdToLabel, programIdToLabelV1 } from './endpoints/program-id-to-label.ts';
import type { House } from '../../swaps/fees/house-fee.ts';
import { composeSwap, type SwapEngines, type SwapOptions } from './compose-swap.ts';
import type { ComposedSwap, SwapServices } from './order/swap-services.ts';
import { referenceFees } from './endpoints/reference-fees.ts';
import { quoteV2 } from './endpoints/quote-and-swap/quote.ts';
import { swapInstructionsV2, swapV2 } from './endpoints/quote-and-swap/swap.ts';
import { quoteV1 } from './endpoints/v1/quote.ts';
import { swapV1, swapInstructionsV1 } from './endpoints/v1/swap.ts';
import { handleForwardedExecutions } from './execution/execute.ts';
import type { OrderLedger } from '../../swaps/ledger/order-ledger.ts';
import { SHARED_ORDERS } from '../../swaps/orders/stored-order.ts';
import { SHARED_TAKER_LEASES } from '../../transactions/sponsor/taker-leases.ts';
import type { Sponsor } from '../../transactions/sponsor/sponsor.ts';

/** How instances share executions and forward them to each other. */
interface SwapPeers extends Pick<NonNullable<SwapOptions['shared']>, 'transport' | 'findOwner'> {
  readonly openExecutionStore: (options: ExecutionStoreOptions) => ExecutionStore;
}

export interface SwapDependencies {
  readonly market: SwapMarket & Pick<ComposedSwap, 'venueLabels'>;
  readonly swapEngines: SwapEngines;
  /** Null without other instances. */
  readonly peers: SwapPeers | null;
  readonly metrics: Metrics;
  /** Null: no ledger of orders is kept. */
  readonly ledger: OrderLedger | null;
  /** Null without a sponsor: every taker pays. */
  readonly sponsor: Sponsor | null;
  /** Null without house fees: only referrers take fees. */
  readonly house: House | null;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (where: string, error: unknown) => void;
}

const TENTH_OF_A_SOL_FOR_USDC = {
  inputMint: WRAPPED_SOL_MINT,
  outputMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  amount: '100000000',
};

export const swap = defineProduct({
  name: 'swap',
  description: 'Quotes, orders and their execution, by on-chain routes and by market makers.',
  // A key for swaps may also land transactions, which is another product.
  basePaths: ['/swap', '/tx', '/_cache'],
  errorSections: [
    { heading: 'Swap' },
    { heading: 'Order', pathPart: '/order' },
    { heading: 'Execute', pathPart: '/execute' },
    { heading: 'Swap v1', pathPart: '/swap/v1/' },
  ],
  examples: [
    {
      title: '0.1 SOL for USDC, as instructions for the demo wallet to sign',
      path: build.path,
      query: TENTH_OF_A_SOL_FOR_USDC,
      walletParameter: 'taker',
    },
    { title: 'a quote of 0.1 SOL for USDC', path: order.path, query: TENTH_OF_A_SOL_FOR_USDC },
  ],
  endpoints: [
    build,
    order,
    execute,
    orderMultisig,
    executeMultisig,
    quoteV2,
    swapV2,
    swapInstructionsV2,
    programIdToLabel,
    quoteV1,
    swapV1,
    swapInstructionsV1,
    programIdToLabelV1,
    referenceFees,
  ],
  open: openSwap,
});

async function openSwap(dependencies: SwapDependencies): Promise<OpenedProduct<SwapServices>> {
  const { market, swapEngines, peers, metrics, ledger, sponsor, house, onDefect } = dependencies;
  const composed = composeSwap(market, {
    engines: swapEngines,
    shared: peers === null ? null : openSharedStores(peers),
    metrics,
    ledger,
    sponsor,
    house,
    venueLabels: market.venueLabels,
    timers: SYSTEM_TIMERS,
    newRequestId: randomUUID,
    onDefect,
  });
  if (peers !== null) await handleForwardedExecutions(composed, peers.transport);
  composed.makerFills
    ?.resume(composed.orders)
    .catch((error: unknown) => onDefect('swaps with makers of before the start', error));
  composed.webhookFills
    ?.resume(composed.orders)
    .catch((error: unknown) => onDefect('swaps with webhook makers of before the start', error));
  return createSwapServices(composed);
}

function openSharedStores({
  openExecutionStore,
  transport,
  findOwner,
}: SwapPeers): NonNullable<SwapOptions['shared']> {
  return {
    executions: openExecutionStore(SHARED_ORDERS),
    sponsoredTakers: openExecutionStore(SHARED_TAKER_LEASES),
    transport,
    findOwner,
  };
}

/** Returns the services of the endpoints, and a `drain` that waits for executions in flight. */
export function createSwapServices(composed: ComposedSwap): OpenedProduct<SwapServices> {
  return {
    services: { swap: composed, labels: Object.values(composed.venueLabels) },
    drain: () => composed.orders.settled(),
  };
}
