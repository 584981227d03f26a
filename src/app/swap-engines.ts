import type { Timers } from '../common/ports/timers.ts';
import { MakerFills } from '../rfq/fills/maker-fills.ts';
import { TakerCommitments } from '../rfq/fills/prospects/taker-commitments.ts';
import { WebhookFills } from '../rfq/fills/webhook/webhook-fills.ts';
import type { FillExecution, MakerTrades, WebhookFillRecords, Webhooks } from '../rfq/index.ts';
import { createJupiterzEngine } from '../rfq/jupiterz/jupiterz.ts';
import type { SwapMarket } from '../swaps/build/swap-market.ts';
import { createMetisEngine } from '../swaps/engines/metis.ts';
import type { OrderLedger } from '../swaps/ledger/order-ledger.ts';
import type { ExtraLiquidity } from '../swaps/extra-liquidity.ts';
import type { Sponsor } from '../transactions/sponsor/sponsor.ts';

/** Who trades with takers beside the pools, and who pays for them. */
export interface SwapEngineOptions {
  readonly timers: Timers;
  /** The makers' order books, their fills and their statistics; null or absent without makers. */
  readonly makers?: {
    readonly books: ExtraLiquidity;
    readonly fills: FillExecution;
    readonly trades: MakerTrades;
  } | null;
  /** The makers that are asked by webhook, and the records of their swaps; null or absent without them. */
  readonly webhooks?: { readonly makers: Webhooks; readonly records: WebhookFillRecords } | null;
  /** Null or absent: every taker pays. */
  readonly sponsor?: Sponsor | null;
  /** Notes what fills moved; null or absent without a ledger. */
  readonly ledger?: Pick<OrderLedger, 'traded'> | null;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** Longer than an engine that queries others should take, and shorter than a person notices. */
const QUOTE_DEADLINE_MS = 400;
/** What is left for simulating the makers' quotes after they have come. */
const SIMULATION_MS = 150;

/**
 * Creates the engines that quote swaps, and what executes the swaps that makers sign or land, as the swap product takes them.
 * A further engine is one more line here.
 */
export function createSwapEngines(market: SwapMarket, options: SwapEngineOptions) {
  const { timers, makers = null, webhooks = null, sponsor = null, ledger = null, onDefect } = options;
  const { chain, pools, prices, describeFailure } = market;
  // A taker promises one balance to makers of both kinds.
  const commitments = new TakerCommitments();
  const fillDependencies = { commitments, chain, describeFailure, timers, onDefect };
  return {
    engines: [
      createMetisEngine({ ...market, sponsor, books: makers?.books ?? null }),
      ...(webhooks === null
        ? []
        : [createJupiterzEngine({ chain, pools, prices, describeFailure, webhooks: webhooks.makers })]),
    ],
    quoteDeadlineMs: Math.max(QUOTE_DEADLINE_MS, (webhooks?.makers.quoteMs ?? 0) + SIMULATION_MS),
    makerFills:
      makers === null
        ? null
        : new MakerFills({
            ...fillDependencies,
            execution: makers.fills,
            trades: makers.trades,
            prices,
            ledger,
          }),
    webhookFills:
      webhooks === null
        ? null
        : new WebhookFills({
            ...fillDependencies,
            webhooks: webhooks.makers,
            records: webhooks.records,
          }),
    trades: makers?.trades ?? null,
  };
}
