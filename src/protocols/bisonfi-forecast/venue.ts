import { readonly, writable } from '../../solana/messages/instruction.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { Swap } from '../../protocol/venue/aggregator-step.ts';
import type { RouteStep, SwapParties, Venue } from '../../protocol/venue/venue.ts';
import { FORECAST_PROGRAM } from './forecast-program.ts';
import { estimate } from './round-pool-estimate.ts';
import {
  advanceRoundPool,
  type BisonFiPool,
  decodePoolState,
  isPool,
  listRoundDependencies,
  SIDE_FILTER,
} from './round-pool.ts';
import { quoteExactIn, quoteExactOut } from './round-pool-quote.ts';

/** Rounds of forecasts, whose tokens the program itself sells and buys for USDC. Each side of a round is a pool. */
export const bisonFi: Venue<BisonFiPool> = {
  label: 'BisonFi',
  program: FORECAST_PROGRAM,
  isPool,
  poolFilter: SIDE_FILTER,
  dependencies: (_address, account) => listRoundDependencies(account),
  decode: decodePoolState,
  quoteExactIn,
  quoteExactOut,
  afterSwap: advanceRoundPool,
  estimate,
  isIssuer: true,
  isShortLived: true,
  routeStep,
};

/** The aggregator's step `BisonFi`: it calls `swap` with the 10 accounts behind the program. USDC stands before the tokens. */
function routeStep(pool: BisonFiPool, inputMint: Address, user: SwapParties): RouteStep {
  const buys = inputMint === pool.mints[0];
  return {
    swap: Swap.bisonFi(buys),
    accounts: [
      readonly(FORECAST_PROGRAM),
      readonly(user.authority),
      readonly(pool.address),
      writable(pool.round),
      readonly(pool.feedAddress),
      writable(pool.mints[1]),
      writable(pool.vault),
      writable(buys ? user.source : user.destination),
      writable(buys ? user.destination : user.source),
      readonly(TOKEN_PROGRAM),
      readonly(TOKEN_2022_PROGRAM),
    ],
  };
}
