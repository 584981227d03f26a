import type { Address } from '../../../solana/address.ts';
import { readonly } from '../../../solana/messages/instruction.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { AGGREGATOR_PROGRAM } from '../../aggregator/program.ts';
import { Swap } from '../../aggregator/swap.ts';
import type { RouteStep, SwapParties } from '../../venue.ts';
import {
  type StakePoolAddresses,
  stakeWrappedSolAccounts,
  withdrawWrappedSolAccounts,
} from './instructions.ts';
import { STAKEDEX_PROGRAM } from './program.ts';

/** The aggregator's steps over the wrapper. Their lists have no fixed length: the aggregator's address closes them. */
export function routeStep(pool: StakePoolAddresses, inputMint: Address, user: SwapParties): RouteStep {
  const deposits = inputMint === WRAPPED_SOL_MINT;
  const accountsOf = deposits ? stakeWrappedSolAccounts : withdrawWrappedSolAccounts;
  return {
    swap: deposits ? Swap.stakeDexStakeWrappedSol : Swap.stakeDexWithdrawWrappedSol,
    accounts: [
      readonly(STAKEDEX_PROGRAM),
      ...accountsOf(pool, readonly(user.authority), user),
      readonly(AGGREGATOR_PROGRAM),
    ],
  };
}
