import { ledgerMint } from '../../../protocol/genesis/mints.ts';
import { genesisToken } from '../../../solana/known-tokens.ts';
import { LENDING_ADMIN, lendingAddress, receiptMintAddress } from '../lending/addresses.ts';
import { rewardsAddress } from '../lending-reward-rate-model/addresses.ts';
import { PLANNED_EARN_TOKENS } from '../genesis/plan.ts';
import {
  claimAddress,
  LIQUIDITY,
  rateModelAddress,
  reserveAddress,
  reserveVaultAddress,
  supplyPositionAddress,
} from '../liquidity/addresses.ts';
import { LENDING_PROGRAM, LIQUIDITY_PROGRAM } from '../lending-base/programs.ts';
import type { VenueGenesis } from '../../../protocol/genesis/venue-genesis.ts';
import type { LendingAddresses } from './instructions.ts';

/**
 * The earn tokens of the genesis. `src/protocols/jupiter-lend/genesis` has written their accounts before the pools of all venues, because
 * vaults use the same reserves.
 */
export const lendingGenesis: VenueGenesis<LendingAddresses> = {
  sharedAccounts: [LENDING_PROGRAM, LIQUIDITY_PROGRAM, LIQUIDITY.address, LENDING_ADMIN.address],
  addPools: () => PLANNED_EARN_TOKENS.map(({ symbol }) => addressesOf(symbol)),
  poolAccounts: ({ address, mint, receiptMint, reserve, supplyPosition, rateModel, vault, rewards }) => [
    address,
    receiptMint,
    reserve,
    supplyPosition,
    rateModel,
    vault,
    rewards,
    claimAddress(LENDING_ADMIN.address, mint),
  ],
};

function addressesOf(symbol: string): LendingAddresses {
  const { mint, tokenProgram } = ledgerMint(genesisToken(symbol));
  const { address } = lendingAddress(mint);
  return {
    address,
    mint,
    receiptMint: receiptMintAddress(mint),
    tokenProgram,
    reserve: reserveAddress(mint),
    supplyPosition: supplyPositionAddress(mint, address),
    rateModel: rateModelAddress(mint),
    vault: reserveVaultAddress(mint, tokenProgram),
    rewards: rewardsAddress(mint).address,
  };
}
