import type { Address } from '../../solana/address.ts';
import { readonly, writable } from '../../solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { Swap } from '../../protocol/venue/aggregator-step.ts';
import type { RouteStep, SwapParties, Venue } from '../../protocol/venue/venue.ts';
import type { SaberAddresses } from './addresses.ts';
import { estimate } from './estimate.ts';
import { POOL_FILTER } from './layout.ts';
import { decodePoolState, listSaberDependencies, isPool, type SaberPool } from './pool.ts';
import { SABER_PROGRAM } from './program.ts';
import { quoteExactIn, quoteExactOut } from './quote.ts';

/** Saber's pools of two tokens of equal worth. */
export const saber: Venue<SaberPool> = {
  label: 'Saber',
  program: SABER_PROGRAM,
  isPool,
  poolFilter: POOL_FILTER,
  dependencies: (_address, account) => listSaberDependencies(account),
  decode: decodePoolState,
  quoteExactIn,
  quoteExactOut,
  estimate,
  vaults: ({ reserves }) => reserves,
  // The owner's part of the fee leaves the reserve. Deposits and withdrawals never move both sides against each other.
  reserves: ({ balances }) => ({ amounts: balances, shares: 0n, feesLeave: true }),
  // The owner's fee is a separate transfer.
  calls: () => 4,
  routeStep,
};

/** The aggregator's step `Saber`: the token program first, and each reserve behind the user's account of its side. */
function routeStep(pool: SaberAddresses, inputMint: Address, user: SwapParties): RouteStep {
  const [input, output] = inputMint === pool.mints[0] ? ([0, 1] as const) : ([1, 0] as const);
  return {
    swap: Swap.saber,
    accounts: [
      readonly(SABER_PROGRAM),
      readonly(TOKEN_PROGRAM),
      readonly(pool.address),
      readonly(pool.authority),
      readonly(user.authority),
      writable(user.source),
      writable(pool.reserves[input]),
      writable(user.destination),
      writable(pool.reserves[output]),
      writable(pool.adminFees[output]),
    ],
  };
}
