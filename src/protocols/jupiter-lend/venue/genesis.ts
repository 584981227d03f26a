import { toLedgerMint } from '../../../protocol/genesis/mints.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { LENDING_ADMIN, deriveLendingAddress, deriveReceiptMintAddress } from '../lending/addresses.ts';
import { deriveRewardsAddress } from '../lending-reward-rate-model/addresses.ts';
import { PLANNED_EARN_TOKENS } from '../genesis/plan.ts';
import {
  deriveClaimAddress,
  LIQUIDITY,
  deriveRateModelAddress,
  deriveReserveAddress,
  deriveReserveVaultAddress,
  deriveSupplyPositionAddress,
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
  addPools: () => PLANNED_EARN_TOKENS.map(({ symbol }) => deriveLendingAddresses(symbol)),
  poolAccounts: ({ address, mint, receiptMint, reserve, supplyPosition, rateModel, vault, rewards }) => [
    address,
    receiptMint,
    reserve,
    supplyPosition,
    rateModel,
    vault,
    rewards,
    deriveClaimAddress(LENDING_ADMIN.address, mint),
  ],
};

function deriveLendingAddresses(symbol: string): LendingAddresses {
  const { mint, tokenProgram } = toLedgerMint(getGenesisToken(symbol));
  const { address } = deriveLendingAddress(mint);
  return {
    address,
    mint,
    receiptMint: deriveReceiptMintAddress(mint),
    tokenProgram,
    reserve: deriveReserveAddress(mint),
    supplyPosition: deriveSupplyPositionAddress(mint, address),
    rateModel: deriveRateModelAddress(mint),
    vault: deriveReserveVaultAddress(mint, tokenProgram),
    rewards: deriveRewardsAddress(mint).address,
  };
}
