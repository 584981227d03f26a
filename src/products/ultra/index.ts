import type { Chain } from '../../chain/chain.ts';
import { ConcurrencyLimit } from '../../common/collections/concurrency-limit.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { Tokens } from '../../tokens/tokens.ts';
import { defineProduct, type OpenedProduct } from '../product.ts';
import { balances, holdings, nativeHoldings } from './endpoints/holdings.ts';
import { orderRouters } from './endpoints/order-routers.ts';
import type { UltraServices } from './endpoints/services.ts';

export interface UltraDependencies {
  readonly market: { readonly chain: Chain };
  readonly tokens: Pick<Tokens, 'isVerified'>;
}

/** Wallets that are read at once. Decoding is work of this thread, which other requests wait for as well. */
const MAX_READ = 6;
/** Wallets that may wait for that. */
const MAX_WAITING = 500;

/**
 * The older managed product. Its orders, executions and search are those of their successors, which have its paths as
 * aliases.
 */
export const ultra = defineProduct({
  name: 'ultra',
  basePaths: ['/ultra'],
  endpoints: [orderRouters, holdings, nativeHoldings, balances],
  open: openUltra,
});

function openUltra({ market: { chain }, tokens }: UltraDependencies): OpenedProduct<UltraServices> {
  const turns = new ConcurrencyLimit(
    MAX_READ,
    MAX_WAITING,
    () => new Unavailable(`${MAX_WAITING} wallets wait for their holdings already`),
  );
  return {
    services: { holdings: { chain, isVerified: (mint) => tokens.isVerified(mint), turns } },
  };
}
