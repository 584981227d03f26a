import type { MakerFills } from '../../../rfq/fills/maker-fills.ts';
import type { WebhookFills } from '../../../rfq/fills/webhook/webhook-fills.ts';
import type { SwapMarket } from '../../../swaps/build/swap-market.ts';
import type { Sponsor } from '../../../transactions/sponsor/sponsor.ts';
import type { TakerLeases } from '../../../transactions/sponsor/taker-leases.ts';
import type { ForwardExecution } from '../execution/forward-execution.ts';
import type { OrderDependencies } from './order.ts';

/** Everything that the endpoints of swaps use. Each function declares the part that it needs. */
export interface ComposedSwap extends SwapMarket, Omit<OrderDependencies, keyof SwapMarket> {
  /** Executes orders that makers sign; null without makers. */
  readonly makerFills: MakerFills | null;
  /** Executes orders that makers land themselves; null without webhook makers. */
  readonly webhookFills: WebhookFills | null;
  /** Null without other instances. */
  readonly forwardExecution: ForwardExecution | null;
  /** Pays for takers without SOL; null without a sponsor. */
  readonly sponsor: Sponsor | null;
  readonly takerLeases: TakerLeases;
}

/** The services of the endpoints of swaps. */
export interface SwapServices {
  readonly swap: ComposedSwap;
  /** The labels by which requests name venues. */
  readonly labels: readonly string[];
}
