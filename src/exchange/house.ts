import { CONTRACT_STEP, type HouseTerms } from './exchange.ts';

/**
 * The house trades along a ladder of cells, each of `levelContracts`. Where it stands is the number of yes contracts that it is
 * short of: those of all yes positions less those of all no positions. It sells cell i, from i x level to (i + 1) x level, for
 * start + 1 + i cents, and buys it back for a cent less. It uses only prices from 1 to 99 cents, so that the cells from
 * 1 - start to 98 - start exist, and what it can lose is bounded.
 */
export interface HouseLadder {
  readonly startCents: number;
  /** Lots of one cell; a lot is `CONTRACT_STEP`. 0: the house offers nothing. */
  readonly level: number;
}

/** What the house offers next on one side. */
export interface HouseOffer {
  /** The price of a yes contract, in steps of `PRICE_STEP`. */
  readonly price: number;
  readonly lots: number;
}

const STEPS_PER_CENT = 10;

/** Returns the ladder of the house's terms. */
export function createHouseLadder({ startCents, levelContracts }: HouseTerms): HouseLadder {
  return { startCents, level: Number(levelContracts / CONTRACT_STEP) };
}

/** Returns what the house sells next; null if it sells no more. `net` is in lots. */
export function findHouseAsk({ startCents, level }: HouseLadder, net: number): HouseOffer | null {
  if (level === 0) return null;
  const cell = Math.floor(net / level);
  const cents = startCents + 1 + cell;
  if (cents > 99 || cents < 2) return null;
  return { price: cents * STEPS_PER_CENT, lots: (cell + 1) * level - net };
}

/** Returns what the house buys next; null if it buys no more. `net` is in lots. */
export function findHouseBid({ startCents, level }: HouseLadder, net: number): HouseOffer | null {
  if (level === 0) return null;
  const cell = Math.ceil(net / level) - 1;
  const cents = startCents + cell;
  if (cents < 1 || cents > 98) return null;
  return { price: cents * STEPS_PER_CENT, lots: net - cell * level };
}

/**
 * Returns how much more the house can lose on a market, in micro USD: the most by which what the vault has, less the payouts of
 * the market, can still fall. While the vault has that much beyond the payouts of all markets, no trade with the house takes it
 * below, because each trade lowers this bound by at least what it takes.
 *
 * @param netYes - Micro-contracts of yes positions less those of no positions.
 *
 * @example
 * ```ts
 * import { computeHouseWorstLoss } from './house.ts';
 *
 * // The house can buy a contract for each of 49 cents down from 49, or sell one for each cent from 51 on.
 * console.log(computeHouseWorstLoss({ startCents: 50, levelContracts: 1_000_000n }, 0n)); // 12_250_000n
 * ```
 */
export function computeHouseWorstLoss(terms: HouseTerms, netYes: bigint): bigint {
  const { startCents, level } = createHouseLadder(terms);
  if (level === 0) return 0n;
  const net = Number(netYes / CONTRACT_STEP);
  const upward = { level, cells: 99 - startCents };
  const downward = { level, cells: startCents - 1 };
  const further =
    net >= 0
      ? Math.max(
          sumLosses(upward, upward.cells * level) - sumLosses(upward, net),
          sumLosses(downward, downward.cells * level) - sumGainsBack(upward, net),
        )
      : Math.max(
          sumLosses(downward, downward.cells * level) - sumLosses(downward, -net),
          sumLosses(upward, upward.cells * level) - sumGainsBack(downward, -net),
        );
  return BigInt(Math.max(further, 0)) * (CONTRACT_STEP / 100n);
}

/** One direction of the ladder. By symmetry its cells lose `cells`, `cells - 1`, ..., 1 cents a contract if they are traded. */
interface LadderArm {
  readonly level: number;
  readonly cells: number;
}

/** Returns the cents, times lots, that the house loses at the worst result when the first `lots` of an arm are traded. */
function sumLosses({ level, cells }: LadderArm, lots: number): number {
  const within = Math.min(lots, cells * level);
  const whole = Math.floor(within / level);
  const rest = within - whole * level;
  return level * (whole * cells - (whole * (whole - 1)) / 2) + rest * (cells - whole);
}

/** Returns what it recovers when they are traded back: a cent more for each contract. */
function sumGainsBack(arm: LadderArm, lots: number): number {
  return sumLosses(arm, lots) + Math.min(lots, arm.cells * arm.level);
}
