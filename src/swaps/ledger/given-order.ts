import type { Party } from '../../common/party.ts';
import type { QuotedSwap, Router } from '../engines/engine.ts';
import type { MakerBid } from '../engines/maker-bid.ts';
import type { OrderRequest } from '../engines/order-request.ts';
import type { PayingParty } from '../orders/stored-order.ts';
import type { Address } from '../../solana/address.ts';

/** An order that was given out with a transaction. */
export interface GivenOrder {
  readonly requestId: string;
  readonly caller: Party;
  readonly request: Pick<
    OrderRequest,
    'inputMint' | 'outputMint' | 'amount' | 'swapMode' | 'taker' | 'receiver'
  >;
  readonly router: Router;
  /** Who pays the network, and with which wallet. */
  readonly payment: { readonly payer: Address; readonly by: PayingParty };
  readonly quote: Pick<QuotedSwap, 'inAmount' | 'outAmount' | 'slippageBps' | 'fees'>;
  /** The maker that takes part; null without one. */
  readonly makerId: string | null;
  /** The makers that were considered. */
  readonly bids: Iterable<MakerBid>;
}
