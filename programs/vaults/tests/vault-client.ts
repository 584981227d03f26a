import {
  deriveBorrowPositionAddress,
  deriveReserveAddress,
  deriveSupplyPositionAddress,
} from '../../../src/protocols/jupiter-lend/liquidity/addresses.ts';
import { computeExchangePricesAt } from '../../../src/protocols/jupiter-lend/liquidity/exchange-prices.ts';
import {
  BORROW_POSITION,
  RESERVE,
  SUPPLY_POSITION,
} from '../../../src/protocols/jupiter-lend/liquidity/layouts.ts';
import { listLiquidationBranches } from '../../../src/protocols/jupiter-lend/liquidation/range.ts';
import {
  type LiquidationTerms,
  liquidate,
} from '../../../src/protocols/jupiter-lend/liquidation/instruction.ts';
import {
  deriveBranchAddress,
  deriveVaultPositionAddress,
  deriveTickAddress,
  deriveTickHasDebtAddress,
  deriveTickIdLiquidationAddress,
  deriveVaultConfigAddress,
  deriveVaultStateAddress,
} from '../../../src/protocols/jupiter-lend/vaults/state/addresses.ts';
import {
  type VaultPrices,
  computeVaultPricesAt,
} from '../../../src/protocols/jupiter-lend/vaults/model/exchange-prices.ts';
import {
  initBranch,
  initPosition,
  initTick,
  initTickIdLiquidation,
  type OperateVault,
  createOperateInstruction,
} from '../../../src/protocols/jupiter-lend/vaults/instructions.ts';
import {
  BRANCH,
  POSITION,
  TICK,
  TICK_ID_LIQUIDATION,
  VAULT_CONFIG,
  VAULT_STATE,
  type VaultConfig,
  type VaultState,
} from '../../../src/protocols/jupiter-lend/vaults/state/layouts.ts';
import {
  MIN_TICK,
  NO_TICK,
  TICK_HAS_DEBT_ARRAYS,
} from '../../../src/protocols/jupiter-lend/vaults/state/limits.ts';
import {
  type OperateAmounts,
  type OperateContext,
  type OperateResult,
  predictOperate,
} from '../../../src/protocols/jupiter-lend/vaults/model/predict-operate.ts';
import {
  getNextTopBranchId,
  listOperateAccounts,
  type OperateReader,
} from '../../../src/protocols/jupiter-lend/vaults/state/operate-accounts.ts';
import {
  type PositionState,
  computePositionState,
} from '../../../src/protocols/jupiter-lend/vaults/state/position-state.ts';
import {
  toArrayIndex,
  decodeTickHasDebt,
} from '../../../src/protocols/jupiter-lend/vaults/state/tick-has-debt.ts';
import { listTicksWithDebt } from '../../../src/testing/protocols/vault.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import type { TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';

import type { Token } from '../../raydium-cpmm/tests/fixture.ts';

export const ALL_ARRAYS = Array.from({ length: TICK_HAS_DEBT_ARRAYS }, (_, index) => index);

/**
 * One vault of a network. Reads its accounts, and runs operations and liquidations with the accounts that they need.
 */
export abstract class VaultClient {
  abstract readonly network: TestNetwork;
  abstract readonly vaultId: number;
  abstract readonly supply: Token;
  abstract readonly borrow: Token;
  /** The accounts that the vault's oracle reads. */
  abstract readonly sources: readonly Address[];
  /** Unix seconds. */
  abstract readonly now: bigint;

  operateVault(): OperateVault {
    return {
      config: this.terms(),
      supplyTokenProgram: this.supply.tokenProgram,
      borrowTokenProgram: this.borrow.tokenProgram,
      oracleSources: this.sources,
    };
  }

  #data(address: Address): Uint8Array {
    const account = this.network.account(address);
    if (account === null) throw new Error(`there is no account ${address}`);
    return account.data;
  }

  terms(): VaultConfig {
    return VAULT_CONFIG.decode(this.#data(deriveVaultConfigAddress(this.vaultId).address));
  }

  state(): VaultState {
    return VAULT_STATE.decode(this.#data(deriveVaultStateAddress(this.vaultId).address));
  }

  position(id: number) {
    return POSITION.decode(this.#data(deriveVaultPositionAddress(this.vaultId, id).address));
  }

  reader(): OperateReader {
    const read = <T>(address: Address, decode: (data: Uint8Array) => T): T | null => {
      const data = this.network.account(address)?.data;
      return data === undefined ? null : decode(data);
    };
    return {
      tick: (tick) => read(deriveTickAddress(this.vaultId, tick).address, TICK.decode),
      tickIdLiquidation: (tick, id) =>
        read(deriveTickIdLiquidationAddress(this.vaultId, tick, id).address, TICK_ID_LIQUIDATION.decode),
      branch: (id) => read(deriveBranchAddress(this.vaultId, id).address, BRANCH.decode),
      tickHasDebt: (index) => read(deriveTickHasDebtAddress(this.vaultId, index).address, decodeTickHasDebt),
    };
  }

  /** Returns the present collateral and debt of a position. */
  positionState(id: number): PositionState {
    return computePositionState(this.position(id), this.reader());
  }

  /** Returns the vault's two reserves, and its raw supply and debt there. */
  liquidity() {
    const { supply, borrow } = this;
    const config = deriveVaultConfigAddress(this.vaultId).address;
    return {
      supply: RESERVE.decode(this.#data(deriveReserveAddress(supply.mint))),
      borrow: RESERVE.decode(this.#data(deriveReserveAddress(borrow.mint))),
      supplied: SUPPLY_POSITION.decode(this.#data(deriveSupplyPositionAddress(supply.mint, config))).amount,
      borrowed: BORROW_POSITION.decode(this.#data(deriveBorrowPositionAddress(borrow.mint, config))).amount,
    };
  }

  /** The vault's prices now. */
  prices(): VaultPrices {
    const reserves = this.liquidity();
    const supply = computeExchangePricesAt(reserves.supply, this.now).supply;
    const borrow = computeExchangePricesAt(reserves.borrow, this.now).borrow;
    const prices = computeVaultPricesAt(this.terms(), this.state(), { supply, borrow }, this.now);
    if (prices === null) throw new Error("the liquidity program's prices do not fall");
    return prices;
  }

  /** @throws Error with the logs when an instruction fails. */
  must(...instructions: Instruction[]): TestOutcome {
    const outcome = this.network.send(instructions);
    if (outcome.error !== null) throw new Error(outcome.logs.join('\n'));
    return outcome;
  }

  /** Opens a position for its owner, and returns its id. */
  open(owner: Address): number {
    const id = this.state().nextPositionId;
    this.must(initPosition(owner, this.vaultId, id));
    return id;
  }

  context(id: number): OperateContext {
    return {
      position: this.positionState(id),
      config: this.terms(),
      prices: this.prices(),
      supplyDecimals: this.supply.decimals,
      borrowDecimals: this.borrow.decimals,
    };
  }

  /**
   * Returns the operation with the accounts that the prediction names, and the instructions that create missing
   * accounts.
   */
  operation(
    id: number,
    signer: Address,
    amounts: OperateAmounts,
    owner = signer,
  ): { readonly prepare: Instruction[]; readonly operate: Instruction; readonly predicted: OperateResult } {
    const context = this.context(id);
    const predicted = predictOperate(context, amounts);
    const position = this.position(id);
    const finalTick = 'tick' in predicted ? predicted.tick : NO_TICK;
    const recorded = { tick: position.tick, tickId: position.tickId };
    const accounts = listOperateAccounts(this.state(), recorded, context.position, finalTick, this.reader());
    const prepare = [
      ...accounts.missingTicks.map((tick) => initTick(signer, this.vaultId, tick)),
      ...(accounts.missingBranch === null ? [] : [initBranch(signer, this.vaultId, accounts.missingBranch)]),
      ...accounts.missingTickIds.map((tickId) => initTickIdLiquidation(signer, this.vaultId, tickId)),
    ];
    const parties = { signer, positionOwner: owner };
    return {
      prepare,
      operate: createOperateInstruction(this.operateVault(), parties, id, accounts, amounts),
      predicted,
    };
  }

  /** Runs an operation. Accounts that it needs are created first. */
  operate(id: number, signer: Address, amounts: OperateAmounts, owner = signer): TestOutcome {
    const { prepare, operate } = this.operation(id, signer, amounts, owner);
    if (prepare.length > 0) this.must(...prepare);
    return this.network.send([operate]);
  }

  /** Returns a liquidation with all accounts that it could need. */
  liquidation(signer: Address, terms: Partial<LiquidationTerms>, to = signer): Instruction {
    const state = this.state();
    const read = this.reader();
    const newBranchId = getNextTopBranchId(state);
    if (read.branch(newBranchId) === null) this.must(initBranch(signer, this.vaultId, newBranchId));
    const ticks = listTicksWithDebt(read.tickHasDebt);
    const first = toArrayIndex(state.topmostTick === NO_TICK ? MIN_TICK : state.topmostTick);
    const lowest = toArrayIndex(ticks.at(-1) ?? MIN_TICK);
    const accounts = {
      newBranchId,
      branches: listLiquidationBranches(state, (id) => read.branch(id)?.connectedBranchId ?? null),
      ticks,
      arrays: ALL_ARRAYS.filter(
        (index) => index <= Math.min(first + 1, 15) && index >= Math.min(lowest, first),
      ),
    };
    const full = { debt: 0n, collateralPerDebt: 0n, absorb: false, ...terms };
    return liquidate(this.operateVault(), signer, to, accounts, full);
  }
}
