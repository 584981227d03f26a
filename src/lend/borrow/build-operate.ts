import { createUndecodable, type Chain, decodeFromChain } from '../../chain/chain.ts';
import { decodeOwned } from '../../protocols/jupiter-lend/lending-base/account-layout.ts';
import { operate as operateLiquidity } from '../../protocols/jupiter-lend/liquidity/operate-liquidity.ts';
import { computeWithdrawalLimitAt } from '../../protocols/jupiter-lend/liquidity/limits.ts';
import { PRICE_ONE } from '../../protocols/jupiter-lend/lending-base/amounts.ts';
import { VAULTS_PROGRAM } from '../../protocols/jupiter-lend/lending-base/programs.ts';
import {
  deriveVaultPositionAddress,
  deriveVaultPositionTokenAddress,
} from '../../protocols/jupiter-lend/vaults/state/addresses.ts';
import {
  initBranch,
  initPosition,
  initTick,
  initTickIdLiquidation,
  createOperateInstruction,
} from '../../protocols/jupiter-lend/vaults/instructions.ts';
import { POSITION, type VaultPosition } from '../../protocols/jupiter-lend/vaults/state/layouts.ts';
import { listOperateAccounts } from '../../protocols/jupiter-lend/vaults/state/operate-accounts.ts';
import {
  checkAmounts,
  checkSafety,
  type OperateAmounts,
  type OperateContext,
  type OperateOutcome,
  predictOperate,
} from '../../protocols/jupiter-lend/vaults/model/predict-operate.ts';
import {
  EMPTY_POSITION_STATE,
  type PositionState,
  computePositionState,
  VaultAccountMissing,
} from '../../protocols/jupiter-lend/vaults/state/position-state.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { decodeTokenAccount, type TokenAccount } from '../../solana/programs/token/account.ts';
import type { BorrowAccounts, Vault } from './borrow-accounts.ts';
import type { MarketName, VaultMarkets } from './markets.ts';
import {
  createAmountRefusal,
  BorrowRefused,
  createGapRefusal,
  createLiquidityRefusal,
  type LiquidityStep,
  createSafetyRefusal,
  createVaultRefusal,
} from './refusals.ts';
import { GAP_ONE, type VaultView, computeVaultView } from './vault-view.ts';

export interface OperateDependencies {
  readonly chain: Pick<Chain, 'clock' | 'getAccounts'>;
  readonly accounts: BorrowAccounts;
  readonly markets: VaultMarkets;
}

/** A request to operate a position. */
export interface OperateRequest {
  readonly market: MarketName;
  /** The market's id. */
  readonly vaultId: number;
  /** 0 for a new position. */
  readonly positionId: number;
  readonly signer: Address;
  readonly positionOwner: Address;
  readonly amounts: OperateAmounts;
}

/** An operation, ready to be signed and sent. */
export interface BuiltOperate {
  /** The id of the position. A new position has the id that it will get. */
  readonly positionId: number;
  /** In the order of the public interface: the new position, missing accounts, and the operation. */
  readonly instructions: readonly Instruction[];
  /** Null when the vault has none. */
  readonly lookupTable: Address | null;
  /** The position after the operation, as predicted. */
  readonly outcome: OperateOutcome;
}

/**
 * Builds an operation for the current state of the chain. Of an existing position, it reads the account and the token of its
 * owner from the chain, in one call. Of a new one it reads nothing, because all other accounts are kept current in memory.
 *
 * @throws BorrowRefused when the request names something that does not exist, or the programs would refuse the
 *   operation
 * @throws Unavailable while an account that the operation needs is not known yet
 */
export async function buildOperate(
  dependencies: OperateDependencies,
  request: OperateRequest,
): Promise<BuiltOperate> {
  const { accounts, markets, chain } = dependencies;
  const vaultId = markets.programId(request.market, request.vaultId);
  const vault = vaultId === null ? undefined : accounts.vaults().get(vaultId);
  if (vault === undefined) {
    throw new BorrowRefused(`there is no vault ${request.vaultId} in the market ${request.market}`);
  }
  const held = request.positionId === 0 ? null : await readHeldPosition(chain, request, vault.id);
  // The checks run in the program's order, so that the program and this function name the same one of two reasons.
  checkRequest(request, vault, held);
  // The state is read after the last await, so the prediction is made for the newest state.
  const current = accounts.vaults().get(vault.id) ?? vault;
  const view = computeVaultView(current, accounts.read, chain.clock());
  if (view === null) {
    throw new BorrowRefused('an exchange price fell', 'VaultLiquidityExchangePriceUnexpected');
  }
  const recorded = held === null ? null : (current.accounts.position(request.positionId) ?? held.position);
  return assemble(view, request, recorded);
}

/** A position, and the token account of its owner. */
interface OperatedPosition {
  readonly position: VaultPosition;
  readonly token: TokenAccount;
}

/** The position is read from the chain, because a wallet may name a position that it opened a moment ago. */
async function readHeldPosition(
  chain: OperateDependencies['chain'],
  { positionOwner, positionId, vaultId }: OperateRequest,
  programVaultId: number,
): Promise<OperatedPosition> {
  const address = deriveVaultPositionAddress(programVaultId, positionId).address;
  const tokenAddress = deriveVaultPositionTokenAddress(programVaultId, positionId, positionOwner);
  const [recorded, found] = await chain.getAccounts([address, tokenAddress]);
  const position = decodeOwned(recorded?.account, VAULTS_PROGRAM, POSITION);
  if (position === null && recorded?.account?.owner === VAULTS_PROGRAM)
    throw createUndecodable(`${address}: it is not a position`);
  if (position === null) throw new BorrowRefused(`vault ${vaultId} has no position ${positionId}`);
  const account = found?.account ?? null;
  const isToken = account !== null && account.owner === TOKEN_PROGRAM;
  const token = isToken ? decodeFromChain(tokenAddress, () => decodeTokenAccount(account.data)) : null;
  if (token === null || token.mint !== position.positionMint || token.amount !== 1n) {
    throw new BorrowRefused(
      `${positionOwner} does not hold position ${positionId} in its associated token account`,
      'VaultInvalidPositionMint',
    );
  }
  return { position, token };
}

/** Checks the amounts, and that only the holder of a position's token withdraws or borrows. */
function checkRequest(
  { signer, positionId, amounts }: OperateRequest,
  { supply, borrow }: Vault,
  held: OperatedPosition | null,
): void {
  const decimals = { supplyDecimals: supply.decimals, borrowDecimals: borrow.decimals };
  const invalid = checkAmounts(decimals, amounts);
  if (invalid !== null) throw createAmountRefusal(invalid);
  if (held === null || (amounts.collateral >= 0n && amounts.debt <= 0n)) return;
  const { token } = held;
  const isDelegate = token.delegate === signer && token.delegatedAmount === 1n;
  if (token.owner !== signer && !isDelegate) {
    throw new BorrowRefused(
      `only the owner of position ${positionId}, ${token.owner}, may withdraw and borrow; the signer is ${signer}`,
      'VaultInvalidPositionAuthority',
    );
  }
}

function assemble(view: VaultView, request: OperateRequest, recorded: VaultPosition | null): BuiltOperate {
  const { vault } = view;
  const { signer, positionOwner, amounts } = request;
  const position = recorded === null ? EMPTY_POSITION_STATE : requirePositionState(recorded, view);
  const outcome = predict(view, position, request);
  const named = listOperateAccounts(vault.state, recorded, position, outcome.tick, vault.accounts);
  const positionId = recorded?.nftId ?? vault.state.nextPositionId;
  const parties = { signer, positionOwner };
  const operateVault = {
    config: vault.config,
    supplyTokenProgram: vault.supply.tokenProgram,
    borrowTokenProgram: vault.borrow.tokenProgram,
    oracleSources: vault.oracle.sources.map(({ source }) => source),
  };
  const { lookupTable } = vault.metadata;
  return {
    positionId,
    outcome,
    lookupTable: lookupTable === SYSTEM_PROGRAM ? null : lookupTable,
    instructions: [
      ...(recorded === null ? [initPosition(signer, vault.id, positionId)] : []),
      ...named.missingTicks.map((tick) => initTick(signer, vault.id, tick)),
      ...(named.missingBranch === null ? [] : [initBranch(signer, vault.id, named.missingBranch)]),
      ...named.missingTickIds.map((life) => initTickIdLiquidation(signer, vault.id, life)),
      createOperateInstruction(operateVault, parties, positionId, named, amounts),
    ],
  };
}

function requirePositionState(recorded: VaultPosition, { vault }: VaultView): PositionState {
  try {
    return computePositionState(recorded, vault.accounts);
  } catch (error) {
    if (!(error instanceof VaultAccountMissing)) throw error;
    throw new Unavailable(`an account of vault ${vault.id} is not known yet: ${error.message}`);
  }
}

/** Predicts the operation, and refuses it for every reason for which the programs would refuse it. */
function predict(view: VaultView, position: PositionState, { amounts }: OperateRequest): OperateOutcome {
  const { vault, prices, oracle } = view;
  const context: OperateContext = {
    position,
    config: vault.config,
    prices,
    supplyDecimals: vault.supply.decimals,
    borrowDecimals: vault.borrow.decimals,
  };
  const result = predictOperate(context, amounts);
  if (!result.ok) throw createVaultRefusal(result, view, amounts);
  if (result.debt > 0n) {
    if (oracle.rates === null) {
      throw new BorrowRefused(`the oracle has no price now: ${oracle.error}`, 'VaultCpiToOracleFailed');
    }
    const unsafe = checkSafety(context, result, oracle.rates);
    if (unsafe !== null) throw createSafetyRefusal(unsafe, result, view);
  }
  checkLiquidity(view, result);
  return result;
}

/** Checks the operation's steps at the liquidity program, in the program's order. */
function checkLiquidity(view: VaultView, { moved }: OperateOutcome): void {
  if (moved.collateral < 0n && eatsIntoGap(view, -moved.collateral)) throw createGapRefusal(view);
  if (moved.collateral > 0n) step(view, 'deposit', moved.collateral, 0n);
  if (moved.debt < 0n) step(view, 'repayment', 0n, moved.debt);
  if (moved.collateral < 0n) step(view, 'withdrawal', moved.collateral, 0n);
  if (moved.debt > 0n) step(view, 'borrowing', 0n, moved.debt);
}

function step(view: VaultView, name: LiquidityStep, supply: bigint, borrow: bigint): void {
  const { vault, now } = view;
  const side = supply === 0n ? vault.borrow : vault.supply;
  const before = {
    reserve: side.reserve,
    rateModel: side.rateModel,
    supply: supply === 0n ? null : vault.supplyPosition,
    borrow: borrow === 0n ? null : vault.borrowPosition,
    held: side.held,
  };
  const result = operateLiquidity(before, { supply, borrow }, now);
  if (!result.ok) throw createLiquidityRefusal(result.error, name, view);
}

/** The vault reserves a part of what it may withdraw for liquidations. All three numbers are raw amounts. */
function eatsIntoGap({ vault, prices, now }: VaultView, atoms: bigint): boolean {
  const { config, supplyPosition } = vault;
  const limit = computeWithdrawalLimitAt(supplyPosition, now);
  if (config.withdrawGap === 0 || limit === 0n) return false;
  const available = (supplyPosition.amount * (GAP_ONE - BigInt(config.withdrawGap))) / GAP_ONE;
  return available - limit < (atoms * PRICE_ONE) / prices.liquiditySupply;
}
