/** The lowest tick: a ratio of debt to collateral of 1.0015^-16383. */
export const MIN_TICK = -16_383;
export const MAX_TICK = 16_383;
/** The tick of a position without debt, and of a vault in which nobody has debt. */
export const NO_TICK = -2_147_483_648;
/** The arrays of bits of a vault that say which ticks have debt. */
export const TICK_HAS_DEBT_ARRAYS = 16;
/** Ticks per array. */
export const TICKS_PER_ARRAY = 2_048;
/** Lives of a tick per account. */
export const IDS_PER_ACCOUNT = 3;

/** `new_col` withdraws everything and `new_debt` pays everything back if it is this number. */
export const MIN_I128 = -(1n << 127n);
/** The most that one operation moves, in atoms. */
export const MAX_OPERATE_AMOUNT = (1n << 63n) - 1n;
/** Vaults count with this many decimals, and refuse tokens with more. */
const VAULT_DECIMALS = 9;

/** The minimums for tokens with fewer decimals than this are smaller. */
const FEWER_DECIMALS = 4;

/** Returns the least that an operation moves, in atoms of a token with these decimals. */
export function minimumOperateAmount(decimals: number): bigint {
  return decimals < FEWER_DECIMALS ? 10n : 1_000n;
}

/** Returns the least debt that a position may have, if it has any, in vault units of a token with these decimals. */
export function minimumDebt(decimals: number): bigint {
  return scaled(decimals < FEWER_DECIMALS ? 10n : 1_000n, decimals);
}

/** Returns below this, in vault units, what is left in a tick counts as nothing. */
function minimumTickDebt(decimals: number): bigint {
  return scaled(decimals < FEWER_DECIMALS ? 5n : 100n, decimals);
}

/** Returns below this, in vault units, a branch cannot be left. */
export function minimumBranchDebt(decimals: number): bigint {
  return minimumTickDebt(decimals);
}

/**
 * Converts atoms to the units in which vaults count: nine decimals for every token.
 *
 * @param decimals - At most 9.
 */
export function scaled(atoms: bigint, decimals: number): bigint {
  return atoms * scaleOf(decimals);
}

/** Converts vault units to atoms, towards zero. */
export function unscaled(units: bigint, decimals: number): bigint {
  return units / scaleOf(decimals);
}

/** @throws RangeError for more than nine decimals, which the program refuses. */
function scaleOf(decimals: number): bigint {
  if (decimals > VAULT_DECIMALS) {
    throw new RangeError(`a vault's token has at most ${VAULT_DECIMALS} decimals, not ${decimals}`);
  }
  return 10n ** BigInt(VAULT_DECIMALS - decimals);
}
