import type { AccountUpdate } from '../../chain/accounts.ts';
import { createUndecodable, decodeFromChain } from '../../chain/chain.ts';
import { toAtoms } from '../../protocols/jupiter-lend/lending-base/amounts.ts';
import type { VaultPosition } from '../../protocols/jupiter-lend/vaults/state/layouts.ts';
import { NO_TICK, toTokenAtoms } from '../../protocols/jupiter-lend/vaults/state/limits.ts';
import {
  computePositionState,
  VaultAccountMissing,
} from '../../protocols/jupiter-lend/vaults/state/position-state.ts';
import { computeRatioAtTick } from '../../protocols/jupiter-lend/vaults/state/ticks.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import {
  decodeTokenAccount,
  isTokenAccount,
  readTokenAccountAmount,
} from '../../solana/programs/token/account.ts';
import type { VaultIndex } from './vault-index.ts';
import type { VaultView } from './vault-view.ts';

/** A position as of one second. Amounts are in atoms, rounded down. */
export interface PositionView {
  readonly position: VaultPosition;
  readonly vault: VaultView;
  readonly owner: Address;
  readonly supply: bigint;
  /** The debt, without dust. */
  readonly borrow: bigint;
  /** The amount by which the position's tick overstates the debt. */
  readonly dustBorrow: bigint;
  /** The same amounts before liquidations. */
  readonly beforeSupply: bigint;
  readonly beforeBorrow: bigint;
  readonly isLiquidated: boolean;
  /** Whether the position was without debt when it was last operated. A liquidation changes nothing about that. */
  readonly isSupplyPosition: boolean;
  /** `NO_TICK` of a position that was without debt when it was last operated, and `MIN_TICK` if liquidations left nothing of it. */
  readonly tick: number;
}

/**
 * Finds the positions whose tokens are among a wallet's token accounts.
 * @param accounts - Token accounts of the wallet, of either token program.
 * @throws ChainUnavailable when such a token account or position cannot be decoded
 */
export function findPositionsAmong(
  index: VaultIndex,
  accounts: readonly AccountUpdate[],
): readonly VaultPosition[] {
  const positions: VaultPosition[] = [];
  for (const { address, account } of accounts) {
    if (account === null || account.owner !== TOKEN_PROGRAM || !isTokenAccount(account.data)) continue;
    // This check comes before decoding, because a wallet can have very many accounts of other tokens.
    if (readTokenAccountAmount(account.data) !== 1n) continue;
    const { mint } = decodeFromChain(address, () => decodeTokenAccount(account.data));
    const position = index.positionOfMint(mint);
    if (position !== null) positions.push(position);
    const undecodable = index.undecodableOfMint(mint);
    if (undecodable !== null) throw createUndecodable(`${undecodable}: it begins like a position`);
  }
  return positions;
}

/**
 * Computes the collateral and the debt of a position.
 * Returns null while an account that the position depends on is missing.
 */
export function computePositionView(
  position: VaultPosition,
  vault: VaultView,
  owner: Address,
): PositionView | null {
  const before = computeUnroundedDebt(position);
  const now = findPositionState(position, vault);
  if (now === null) return null;
  const supplyAtoms = (raw: bigint) =>
    toTokenAtoms(toAtoms(raw, vault.prices.supply), vault.vault.supply.decimals);
  const borrowAtoms = (raw: bigint) =>
    toTokenAtoms(toAtoms(raw, vault.prices.borrow), vault.vault.borrow.decimals);
  const debt = now.isLiquidated ? now.debt : before.debt;
  return {
    position,
    vault,
    owner,
    supply: supplyAtoms(now.collateral),
    borrow: borrowAtoms(debt),
    dustBorrow: debt === 0n ? 0n : borrowAtoms(now.dust),
    beforeSupply: supplyAtoms(position.supplyAmount),
    beforeBorrow: borrowAtoms(before.debt),
    isLiquidated: now.isLiquidated,
    isSupplyPosition: position.isSupplyOnly || position.tick === NO_TICK,
    tick: now.shownTick,
  };
}

function findPositionState(position: VaultPosition, { vault }: VaultView) {
  try {
    return computePositionState(position, vault.accounts);
  } catch (error) {
    if (error instanceof VaultAccountMissing) return null;
    throw error;
  }
}

/** The debt of a position's account, without rounding in the program's favour, as the public SDK reads it. */
function computeUnroundedDebt({ isSupplyOnly, tick, supplyAmount, dustDebtAmount }: VaultPosition): {
  readonly debt: bigint;
} {
  if (isSupplyOnly || tick === NO_TICK) return { debt: 0n };
  const debt = (computeRatioAtTick(tick) * supplyAmount) >> 48n;
  return { debt: debt > dustDebtAmount ? debt - dustDebtAmount : 0n };
}
