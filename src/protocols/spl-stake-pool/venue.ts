import type { Address } from '../../solana/address.ts';
import { readonly } from '../../solana/messages/instruction.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import { Swap } from '../../protocol/venue/aggregator-step.ts';
import type { RouteStep, SwapParties, Venue } from '../../protocol/venue/venue.ts';
import { estimate } from './estimate.ts';
import {
  type StakePoolAddresses,
  listStakeWrappedSolAccounts,
  listWithdrawWrappedSolAccounts,
} from './instructions.ts';
import { POOL_FILTER } from './layout.ts';
import { decodePoolState, listStakePoolDependencies, isPool, type SplStakePool } from './pool.ts';
import { STAKE_POOL_PROGRAM, STAKEDEX_PROGRAM } from './program.ts';
import { quoteExactIn, quoteExactOut } from './quote.ts';

/**
 * Stake pools as routes reach them: deposits of wrapped SOL, and withdrawals into it, through the wrapper program
 * stakedex.
 */
export const splStakePool: Venue<SplStakePool> = {
  label: 'Sanctum',
  program: STAKE_POOL_PROGRAM,
  routeProgram: STAKEDEX_PROGRAM,
  isPool,
  poolFilter: POOL_FILTER,
  dependencies: (_address, account) => listStakePoolDependencies(account),
  decode: decodePoolState,
  quoteExactIn,
  quoteExactOut,
  estimate,
  vaults: ({ reserve, mint }) => [reserve, mint],
  isIssuer: true,
  // Through stakedex. A deposit runs the most: it unwraps the SOL and takes its fee from the minted tokens.
  calls: () => 9,
  routeStep,
};

/**
 * The aggregator's steps through the wrapper. The account lists have no fixed length: the aggregator's address ends
 * them.
 */
function routeStep(pool: StakePoolAddresses, inputMint: Address, user: SwapParties): RouteStep {
  const deposits = inputMint === WRAPPED_SOL_MINT;
  const accountsOf = deposits ? listStakeWrappedSolAccounts : listWithdrawWrappedSolAccounts;
  return {
    swap: deposits ? Swap.stakeDexStakeWrappedSol : Swap.stakeDexWithdrawWrappedSol,
    accounts: [
      readonly(STAKEDEX_PROGRAM),
      ...accountsOf(pool, readonly(user.authority), user),
      readonly(AGGREGATOR_PROGRAM),
    ],
  };
}
