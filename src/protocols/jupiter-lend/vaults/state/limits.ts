/** The lowest tick: a ratio of debt to collateral of 1.0015^-16383. */
export const MIN_TICK = -16_383;
export const MAX_TICK = 16_383;
/** The tick of a position without debt, and of a vault without debt. */
export const NO_TICK = -2_147_483_648;
/** The number of arrays of bits of a vault, which mark the ticks with debt. */
export const TICK_HAS_DEBT_ARRAYS = 16;
/** The number of ticks per array. */
export const TICKS_PER_ARRAY = 2_048;
/** The number of lives of a tick per account. */
export const IDS_PER_ACCOUNT = 3;

/** The value of `new_col` that withdraws everything, and of `new_debt` that pays everything back. */
export const MIN_I128 = -(1n << 127n);
/** The maximum amount of one operation, in atoms. */
export const MAX_OPERATE_AMOUNT = (1n << 63n) - 1n;
/** The decimals of all amounts in vaults, which refuse tokens with more. */
const VAULT_DECIMALS = 9;

/** Tokens with fewer decimals than this have smaller minimums. */
const FEWER_DECIMALS = 4;

/** Returns the minimum amount of an operation, in atoms of a token with these decimals. */
export function getMinimumOperateAmount(decimals: number): bigint {
  return decimals < FEWER_DECIMALS ? 10n : 1_000n;
}

/** Returns the minimum debt of a position with debt, in vault units of a token with these decimals. */
export function getMinimumDebt(decimals: number): bigint {
  return toVaultUnits(decimals < FEWER_DECIMALS ? 10n : 1_000n, decimals);
}

/** Returns below this, in vault units, what is left in a tick counts as nothing. */
function getMinimumTickDebt(decimals: number): bigint {
  return toVaultUnits(decimals < FEWER_DECIMALS ? 5n : 100n, decimals);
}

/** Returns below this, in vault units, a branch cannot be left. */
export function getMinimumBranchDebt(decimals: number): bigint {
  return getMinimumTickDebt(decimals);
}

/**
 * Converts atoms to vault units, which have nine decimals for every token.
 *
 * @param decimals - At most 9.
 */
export function toVaultUnits(atoms: bigint, decimals: number): bigint {
  return atoms * computeUnitScale(decimals);
}

/** Converts vault units to atoms, rounded towards zero. */
export function toTokenAtoms(units: bigint, decimals: number): bigint {
  return units / computeUnitScale(decimals);
}

/** @throws RangeError for more than nine decimals, which the program refuses. */
function computeUnitScale(decimals: number): bigint {
  if (decimals > VAULT_DECIMALS) {
    throw new RangeError(`a vault's token has at most ${VAULT_DECIMALS} decimals, not ${decimals}`);
  }
  return 10n ** BigInt(VAULT_DECIMALS - decimals);
}
