// How a liquidator gets past debt on many small ticks, with which somebody shields larger debt below.
import type { SimulatedLiquidation } from '../src/protocols/jupiter-lend/liquidation/instruction.ts';

/** A transaction with nothing but a liquidation has room for the accounts of so many ticks. */
export const CLEARING_TICKS = 20;
/** The least debt that a vault lets liquidate, in atoms. */
export const MIN_DEBT = 1_000n;

/**
 * Finds the most that can be liquidated: all, or as much as lies on the ticks that are named.
 * @param ask - What liquidating so much debt moves, in atoms; null if it fails.
 * @param all - Stands for all debt.
 * @param totalBorrow - Of the vault, in atoms.
 */
export async function mostThatPasses(
  ask: (debt: bigint) => Promise<SimulatedLiquidation | null>,
  all: bigint,
  totalBorrow: bigint,
): Promise<SimulatedLiquidation | null> {
  const whole = await ask(all);
  if (whole !== null) return whole;
  // The program cannot take the last debt of a vault in full.
  const nearly = (totalBorrow * 999n) / 1_000n;
  for (let debt = nearly; debt >= MIN_DEBT; debt /= 4n) {
    const part = await ask(debt);
    if (part !== null) return part;
  }
  return null;
}
