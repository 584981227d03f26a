import type { GenesisKeys } from '../../../../protocol/genesis/keys.ts';
import { computeAtomsWorth } from '../../../../protocol/genesis/prices.ts';
import { getGenesisToken, type TokenInfo } from '../../../../solana/known-tokens.ts';
import type { LendingSetup } from '../../genesis/setup.ts';
import { type GenesisOracle, getGenesisOracle } from '../../oracle/genesis.ts';
import type { OperateAmounts } from '../model/predict-operate.ts';
import type { Address } from '../../../../solana/address.ts';
import { RATE_ONE } from '../model/safety.ts';
import { deriveVaultConfigAddress } from '../state/addresses.ts';
import { PLANNED_POSITIONS, PLANNED_VAULTS, type PlannedPosition, type PlannedVault } from './plan.ts';

const DAY = 86_400n;
/** Later than the last operation of the earn tokens, seven days before the start, because times must not decrease. */
const SET_UP_BEFORE = 6n * DAY;
const OPENED_BEFORE = 5n * DAY;
const LIQUIDATED_BEFORE = 3n * DAY;
const HOURS = 3_600;

/** The collateral of other wallets in each vault, in US dollars. Their debt is half of it. */
const COLLATERAL_OF_OTHERS = 1_000_000n;
const DEBT_OF_OTHERS = 400_000n;

/** The tokens of a vault, and its oracle. */
export interface VaultPair {
  readonly supply: TokenInfo;
  readonly borrow: TokenInfo;
  readonly oracle: GenesisOracle;
}

/**
 * The steps that set up the vaults. Times are Unix seconds. The genesis applies the steps to models of the accounts,
 * and a test executes them with the programs.
 */
export interface VaultSetup {
  /** Adds the vault with the next id. It must be admitted to the liquidity program before it is operated. */
  add(vaultId: number, plan: PlannedVault, pair: VaultPair, at: bigint): void;
  /** Opens the vault's next position, and operates it unless both amounts are 0. */
  open(vaultId: number, owner: Address, amounts: OperateAmounts, at: bigint): void;
  /**
   * Liquidates a part of the topmost tick.
   *
   * @param debt - The debt that is paid back, in atoms.
   * @param rate - The rate of the oracle, where 10^15 is 1.0.
   */
  liquidate(vaultId: number, debt: bigint, rate: bigint, at: bigint): void;
}

/**
 * Sets up the vaults of the plan with the positions of others and of the demo wallets.
 *
 * @param lending - The earn tokens, whose depositors lend to the vaults.
 * @param foundedAt - The start of the network in Unix seconds.
 * @param plans - The vaults of the genesis, and possibly more for a bench.
 */
export function setUpVaults(
  setup: VaultSetup,
  lending: LendingSetup,
  keys: GenesisKeys,
  foundedAt: bigint,
  plans: readonly PlannedVault[] = PLANNED_VAULTS,
): void {
  for (const [index, plan] of plans.entries()) {
    const pair = getVaultPair(plan);
    setup.add(index + 1, plan, pair, foundedAt - SET_UP_BEFORE);
    admit(lending, index + 1, pair, foundedAt - SET_UP_BEFORE);
  }
  for (const [index, plan] of plans.entries()) {
    const amounts = toOperateAmounts(
      { collateral: COLLATERAL_OF_OTHERS, debt: DEBT_OF_OTHERS },
      getVaultPair(plan),
    );
    setup.open(index + 1, keys.borrower.address, amounts, foundedAt - OPENED_BEFORE);
  }
  for (const plan of PLANNED_POSITIONS) openPlanned(setup, plan, keys, foundedAt - OPENED_BEFORE);
  for (const plan of PLANNED_POSITIONS) liquidatePlanned(setup, plan, foundedAt - LIQUIDATED_BEFORE);
}

function getVaultPair({ supply, borrow }: PlannedVault): VaultPair {
  return {
    supply: getGenesisToken(supply),
    borrow: getGenesisToken(borrow),
    oracle: getGenesisOracle(supply, borrow),
  };
}

/** Admits a vault to the liquidity program, to supply its collateral and to borrow its debt. */
function admit(lending: LendingSetup, id: number, { supply, borrow }: VaultPair, at: bigint): void {
  const protocol = deriveVaultConfigAddress(id).address;
  const supplyTerms = { expandPercent: 2_500, expandDuration: 6 * HOURS };
  const none = { ...supplyTerms, baseWithdrawalLimit: 1n };
  const baseWithdrawalLimit = computeAtomsWorth(COLLATERAL_OF_OTHERS / 4n, supply);
  lending.admit(protocol, supply, { ...supplyTerms, baseWithdrawalLimit }, null, at);
  lending.admit(
    protocol,
    borrow,
    none,
    {
      expandPercent: 3_000,
      expandDuration: 12 * HOURS,
      baseDebtCeiling: computeAtomsWorth(DEBT_OF_OTHERS * 5n, borrow),
      maxDebtCeiling: computeAtomsWorth(DEBT_OF_OTHERS * 20n, borrow),
    },
    at,
  );
}

function toOperateAmounts(
  usd: { readonly collateral: bigint; readonly debt: bigint },
  { supply, borrow }: Pick<VaultPair, 'supply' | 'borrow'>,
): OperateAmounts {
  return {
    collateral: usd.collateral === 0n ? 0n : computeAtomsWorth(usd.collateral, supply),
    debt: usd.debt === 0n ? 0n : computeAtomsWorth(usd.debt, borrow),
  };
}

function openPlanned(setup: VaultSetup, plan: PlannedPosition, keys: GenesisKeys, at: bigint): void {
  const vault = PLANNED_VAULTS[plan.vaultId - 1];
  const owner = keys.demoWallets[plan.wallet];
  if (vault === undefined || owner === undefined) {
    throw new Error(`the genesis has no vault ${plan.vaultId} or no demo wallet ${plan.wallet}`);
  }
  const amounts = toOperateAmounts(plan, getVaultPair(vault));
  setup.open(plan.vaultId, owner.address, amounts, at);
}

/** Liquidates a part of a position, as if the price had been lower for a while. */
function liquidatePlanned(setup: VaultSetup, plan: PlannedPosition, at: bigint): void {
  const vault = PLANNED_VAULTS[plan.vaultId - 1];
  if (plan.liquidated === null || vault === undefined) return;
  const { supply, borrow } = getVaultPair(vault);
  const probe = 1_000_000_000n;
  const rate =
    (computeAtomsWorth(probe, borrow) * 10n ** BigInt(supply.decimals) * RATE_ONE) /
    (computeAtomsWorth(probe, supply) * 10n ** BigInt(borrow.decimals));
  const fallen = (rate * BigInt(plan.liquidated.pricePercent)) / 100n;
  setup.liquidate(plan.vaultId, computeAtomsWorth(plan.liquidated.debt, borrow), fallen, at);
}
