import { divideUp } from '../../../../solana/units.ts';
import type { TokenInfo } from '../../../../solana/known-tokens.ts';
import type { Address } from '../../../../solana/address.ts';
import { PRICE_ONE, WHOLE, toAtoms, toAtomsRoundedUp } from '../../lending-base/amounts.ts';
import type { LendingBook } from '../../genesis/book.ts';
import { computeExchangePricesAt } from '../../liquidity/exchange-prices.ts';
import type { GenesisOracle } from '../../oracle/genesis.ts';
import { LIQUIDITY_PROGRAM, ORACLE_PROGRAM } from '../../lending-base/programs.ts';
import { deriveVaultPositionMintAddress, deriveVaultConfigAddress } from '../state/addresses.ts';
import { FIRST_DEBT_FACTOR, computeReducedFactor, SHARE_ONE } from '../state/debt-factors.ts';
import { type VaultPrices, computeVaultPricesAt } from '../model/exchange-prices.ts';
import {
  type Branch,
  BranchStatus,
  type VaultPosition,
  type VaultTick,
  type VaultConfig,
  type VaultState,
} from '../state/layouts.ts';
import { NO_TICK, toVaultUnits, toTokenAtoms } from '../state/limits.ts';
import { type OperateAmounts, predictOperate } from '../model/predict-operate.ts';
import { EMPTY_POSITION_STATE, PARTIALS_ONE } from '../state/position-state.ts';
import { RATE_ONE } from '../model/safety.ts';
import { RATIO_ONE, computeRatioAtTick, TICK_STEP, TICK_STEP_ONE, findTickAtRatio } from '../state/ticks.ts';
import { createEmptyBranch, createVaultState } from './initial-accounts.ts';
import type { PlannedVault } from './plan.ts';
import type { VaultPair, VaultSetup } from './setup.ts';

/** A vault while the genesis creates it. */
export interface BookedVault {
  readonly config: VaultConfig;
  readonly supply: TokenInfo;
  readonly borrow: TokenInfo;
  readonly oracle: GenesisOracle;
  state: VaultState;
  branch: Branch;
  readonly ticks: Map<number, VaultTick>;
  readonly positions: Map<number, VaultPosition & { readonly owner: Address }>;
}

/**
 * The accounts of the vaults program while the genesis creates them. Each step changes them, and those of the liquidity
 * program, as the programs would.
 *
 * It supports only what the genesis needs: positions that are operated once, and liquidations above all other debt of the
 * vault. Anything else throws.
 */
export class VaultBook implements VaultSetup {
  readonly #lending: LendingBook;
  readonly #authority: Address;
  readonly #vaults = new Map<number, BookedVault>();

  constructor(lending: LendingBook, authority: Address) {
    this.#lending = lending;
    this.#authority = authority;
  }

  vaults(): readonly BookedVault[] {
    return [...this.#vaults.values()];
  }

  add(vaultId: number, plan: PlannedVault, { supply, borrow, oracle }: VaultPair, at: bigint): void {
    const { bump } = deriveVaultConfigAddress(vaultId);
    const rebalancer = this.#authority;
    const config: VaultConfig = {
      vaultId,
      supplyRateMagnifier: 0,
      borrowRateMagnifier: 0,
      collateralFactor: plan.collateralFactor,
      liquidationThreshold: plan.liquidationThreshold,
      liquidationMaxLimit: plan.liquidationMaxLimit,
      withdrawGap: 50,
      liquidationPenalty: plan.liquidationPenalty,
      borrowFee: 0,
      vaultType: 0,
      oracle: oracle.address,
      rebalancer,
      liquidityProgram: LIQUIDITY_PROGRAM,
      oracleProgram: ORACLE_PROGRAM,
      supplyToken: supply.mint,
      borrowToken: borrow.mint,
      bump,
    };
    const prices = {
      supply: this.#liquidityPrices(supply, at).supply,
      borrow: this.#liquidityPrices(borrow, at).borrow,
    };
    const state = createVaultState(vaultId, prices, at);
    const branch = createEmptyBranch(vaultId, 1);
    this.#vaults.set(vaultId, {
      config,
      supply,
      borrow,
      oracle,
      state,
      branch,
      ticks: new Map(),
      positions: new Map(),
    });
  }

  /** Opens a position, and operates it unless both amounts are 0. The borrowed tokens are not kept. */
  open(vaultId: number, owner: Address, amounts: OperateAmounts, at: bigint): void {
    const vault = this.#of(vaultId);
    const nftId = vault.state.nextPositionId;
    const { totalPositions } = vault.state;
    vault.state = { ...vault.state, nextPositionId: nftId + 1, totalPositions: totalPositions + 1 };
    const position = {
      vaultId,
      nftId,
      positionMint: deriveVaultPositionMintAddress(vaultId, nftId).address,
      isSupplyOnly: true,
      tick: NO_TICK,
      tickId: 0,
      supplyAmount: 0n,
      dustDebtAmount: 0n,
      owner,
    };
    const isOperated = amounts.collateral !== 0n || amounts.debt !== 0n;
    vault.positions.set(nftId, isOperated ? this.#operated(vault, position, amounts, at) : position);
  }

  #operated<P extends VaultPosition>(
    vault: BookedVault,
    position: P,
    amounts: OperateAmounts,
    at: bigint,
  ): P {
    const { config, supply, borrow, state } = vault;
    const context = {
      position: EMPTY_POSITION_STATE,
      config,
      prices: this.#prices(vault, at),
      supplyDecimals: supply.decimals,
      borrowDecimals: borrow.decimals,
    };
    const result = predictOperate(context, amounts);
    if (!result.ok) throw new Error(`the genesis cannot operate in vault ${config.vaultId}: ${result.error}`);
    const { moved, tick } = result;
    const tickId = tick === NO_TICK ? 0 : enterTick(vault, tick, result.recordedDebt);
    vault.state = {
      ...state,
      topmostTick: Math.max(tick, state.topmostTick),
      totalSupply: state.totalSupply + result.collateral,
      totalBorrow: state.totalBorrow + result.debt,
    };
    const protocol = deriveVaultConfigAddress(config.vaultId).address;
    this.#lending.operate(protocol, supply, { supply: moved.collateral, borrow: 0n }, at, null);
    if (moved.debt > 0n)
      this.#lending.operate(protocol, borrow, { supply: 0n, borrow: moved.debt }, at, null);
    return {
      ...position,
      isSupplyOnly: tick === NO_TICK,
      tick,
      tickId,
      supplyAmount: result.collateral,
      dustDebtAmount: result.dust,
    };
  }

  /** Liquidates a part of the topmost tick. The liquidator's collateral is not kept. */
  liquidate(vaultId: number, debt: bigint, rate: bigint, at: bigint): void {
    const vault = this.#of(vaultId);
    const { config, state, supply, borrow, branch } = vault;
    const prices = this.#prices(vault, at);
    const tick = vault.ticks.get(state.topmostTick);
    if (tick === undefined || state.branchLiquidated) {
      throw new Error(`the genesis cannot liquidate in vault ${vaultId}`);
    }
    const roundedUp = divideUp(rate * prices.supply, prices.borrow);
    const penalty = WHOLE + BigInt(config.liquidationPenalty);
    const collateralPerDebt = (((RATE_ONE * RATE_ONE) / roundedUp) * penalty) / WHOLE;
    const taken = (toVaultUnits(debt, borrow.decimals) * PRICE_ONE) / prices.borrow;
    const gone = (taken * collateralPerDebt) / RATE_ONE;
    const all = tick.rawDebt;
    const left = all - taken;
    const collateral = (all * RATIO_ONE) / computeRatioAtTick(tick.tick) - gone;
    const ended = computeLiquidationEnd((left * RATIO_ONE) / collateral);
    if ([...vault.ticks.keys()].some((other) => other !== tick.tick && other >= ended.tick)) {
      throw new Error(`the liquidation in vault ${vaultId} would reach other debt`);
    }
    vault.ticks.set(tick.tick, {
      ...tick,
      rawDebt: 0n,
      isLiquidated: true,
      liquidationBranchId: branch.branchId,
      debtFactor: FIRST_DEBT_FACTOR,
    });
    vault.branch = {
      ...branch,
      status: BranchStatus.LIQUIDATED,
      minimaTick: ended.tick,
      minimaTickPartials: ended.partials,
      debtLiquidity: left,
      debtFactor: computeReducedFactor(FIRST_DEBT_FACTOR, (SHARE_ONE * left) / all),
    };
    vault.state = {
      ...state,
      branchLiquidated: true,
      topmostTick: ended.tick,
      totalSupply: state.totalSupply - gone,
      totalBorrow: state.totalBorrow - taken,
    };
    const protocol = deriveVaultConfigAddress(vaultId).address;
    const paid = atomsUp(toAtomsRoundedUp(taken, prices.borrow), borrow.decimals);
    const got = toTokenAtoms(toAtoms(gone, prices.supply), supply.decimals);
    this.#lending.operate(protocol, borrow, { supply: 0n, borrow: -paid }, at, null);
    this.#lending.operate(protocol, supply, { supply: -got, borrow: 0n }, at, null);
  }

  #of(vaultId: number): BookedVault {
    const vault = this.#vaults.get(vaultId);
    if (vault === undefined) throw new Error(`the genesis has no vault ${vaultId}`);
    return vault;
  }

  #prices({ config, state, supply, borrow }: BookedVault, at: bigint): VaultPrices {
    const liquidity = {
      supply: this.#liquidityPrices(supply, at).supply,
      borrow: this.#liquidityPrices(borrow, at).borrow,
    };
    const prices = computeVaultPricesAt(config, state, liquidity, at);
    if (prices === null) throw new Error(`the prices of vault ${config.vaultId} fell`);
    return prices;
  }

  #liquidityPrices({ mint, symbol }: TokenInfo, at: bigint) {
    const booked = this.#lending.reserves().find(({ token }) => token.mint === mint);
    if (booked === undefined) throw new Error(`the genesis lends no ${symbol}`);
    return computeExchangePricesAt(booked.reserve, at);
  }
}

function enterTick(vault: BookedVault, at: number, debt: bigint): number {
  const tick = vault.ticks.get(at);
  if (tick?.isLiquidated === true) throw new Error(`the genesis enters no tick that was liquidated: ${at}`);
  vault.ticks.set(at, {
    vaultId: vault.config.vaultId,
    tick: at,
    isLiquidated: false,
    totalIds: 1,
    rawDebt: (tick?.rawDebt ?? 0n) + debt,
    isFullyLiquidated: false,
    liquidationBranchId: 0,
    debtFactor: 0n,
  });
  return 1;
}

/** Returns where a liquidation down to a ratio ends: the tick, and the part of the step below it. */
function computeLiquidationEnd(ratio: bigint): { readonly tick: number; readonly partials: number } {
  const below = findTickAtRatio(ratio);
  if (below === null) throw new Error(`no tick has the ratio ${ratio}`);
  const step = (below.ratio * TICK_STEP) / TICK_STEP_ONE - below.ratio;
  const partials = ((ratio - below.ratio) * PARTIALS_ONE) / step;
  const most = PARTIALS_ONE - 1n;
  const within = partials < 1n ? 1n : partials > most ? most : partials;
  return { tick: below.tick + 1, partials: Number(within) };
}

function atomsUp(units: bigint, decimals: number): bigint {
  const atoms = toTokenAtoms(units, decimals);
  return toVaultUnits(atoms, decimals) === units ? atoms : atoms + 1n;
}
