import type { Chain } from '../../../chain/chain.ts';
import type { Pools } from '../../../market/pools/pools.ts';
import type { Address } from '../../../solana/address.ts';
import type { EarnRateOf } from '../../product.ts';
import type { Tokens } from '../../../tokens/tokens.ts';
import type { ExpressDependencies } from '../verification/execute.ts';
import type { PaymentDependencies } from '../verification/payment.ts';

/** What requests for verification are paid and recorded with. */
export interface ExpressServices extends ExpressDependencies, Omit<PaymentDependencies, 'receiver'> {
  /** The wallet that is paid; null where verification is not sold. */
  readonly receiver: Address | null;
}

/** What the handlers of the product's endpoints are given. */
export interface TokensServices {
  readonly tokens: Tokens;
  readonly pools: Pick<Pools, 'find' | 'all'>;
  readonly earnRateOf: EarnRateOf;
  readonly clock: Chain['clock'];
  /** Milliseconds. */
  readonly now: () => number;
  readonly express: ExpressServices;
}
