import type { LiquidityOperateRefusal as LiquidityRefusal } from '../../protocols/jupiter-lend/liquidity/operate-liquidity.ts';
import { LIQUIDITY_ERRORS } from '../../protocols/jupiter-lend/errors/liquidity.ts';
import { VAULTS_ERRORS } from '../../protocols/jupiter-lend/errors/vaults.ts';
import { toAtoms, toAtomsRoundedUp } from '../../protocols/jupiter-lend/lending-base/amounts.ts';
import type {
  AmountRefusal,
  OperateAmounts,
  OperateOutcome,
  OperateRefusal,
  SafetyRefusal,
} from '../../protocols/jupiter-lend/vaults/model/predict-operate.ts';
import { toTokenAtoms } from '../../protocols/jupiter-lend/vaults/state/limits.ts';
import { computeLoanToValue } from '../../protocols/jupiter-lend/vaults/model/safety.ts';
import { RequestRefused } from '../../common/request-refused.ts';
import type { MarketName } from './markets.ts';
import type { VaultView } from './vault-view.ts';

/** A refusal of a request about vaults or positions. */
export class BorrowRefused extends RequestRefused {
  override readonly name = 'BorrowRefused';
  /** The error code with which the program would refuse; null if no program was involved. */
  readonly programCode: number | null;
  readonly reason: BorrowRefusalReason;

  /** @param programError - The name of the error with which the program would refuse, if there is one. */
  constructor(
    message: string,
    programError: string | null = null,
    reason: BorrowRefusalReason = FOR_REQUEST,
  ) {
    super(programError === null ? message : `${programError}: ${message}`);
    this.programCode = programError === null ? null : findErrorCode(programError);
    this.reason = reason;
  }
}

/**
 * Why a request is refused, where who reads requests knows the names that the client must be told. `amount`: an amount is
 * too small or too large. `crowded`: the wallets hold more positions than an answer lists, and no page of them was asked
 * for. `request`: for what the message says.
 */
export type BorrowRefusalReason =
  | { readonly kind: 'request' }
  | { readonly kind: 'amount'; readonly refusal: AmountRefusal }
  | { readonly kind: 'crowded'; readonly positions: number };

const FOR_REQUEST: BorrowRefusalReason = { kind: 'request' };

const FIRST_CODE = 6_000;

function findErrorCode(name: string): number | null {
  const at = VAULTS_ERRORS.includes(name) ? VAULTS_ERRORS.indexOf(name) : LIQUIDITY_ERRORS.indexOf(name);
  return at === -1 ? null : FIRST_CODE + at;
}

/** Says which amount is out of bounds. */
export function createAmountRefusal(refusal: AmountRefusal): BorrowRefused {
  const { error, side, minimum, amount } = refusal;
  if (amount === 0n)
    return new BorrowRefused('the position has no debt, so that there is nothing to repay', error);
  const bounds = `the ${side} must be 0 or at least ${minimum} base units, got ${amount}`;
  return new BorrowRefused(bounds, error, { kind: 'amount', refusal });
}

/** @param most - How many positions an answer lists. */
export function createCrowdedRefusal(positions: number, market: MarketName, most: number): BorrowRefused {
  const crowd = `the wallets hold ${positions} positions in the market ${market}, and an answer lists at most ${most}`;
  return new BorrowRefused(crowd, null, { kind: 'crowded', positions });
}

const REPAY_ALL = 'to repay all of it, send the sentinel -2^127';

/** Says why the vaults program would refuse, with the numbers in atoms. */
export function createVaultRefusal(
  refusal: OperateRefusal,
  { vault, prices, minimumBorrowing }: VaultView,
  { debt }: OperateAmounts,
): BorrowRefused {
  const debtAtoms = (raw: bigint) =>
    toTokenAtoms(toAtomsRoundedUp(raw, prices.borrow), vault.borrow.decimals);
  switch (refusal.error) {
    case 'VaultInvalidOperateAmount':
      return createAmountRefusal(refusal);
    case 'NothingToWithdraw':
      return new BorrowRefused('the position has no collateral, so that there is nothing to withdraw');
    case 'NoCollateral':
      return new BorrowRefused('the position would have debt and no collateral');
    case 'VaultExcessCollateralWithdrawal':
      return new BorrowRefused(
        `the position has ${refusal.available} base units of collateral; to withdraw all of it, send the sentinel -2^127`,
        refusal.error,
      );
    case 'VaultExcessDebtPayback':
      return new BorrowRefused(`the position owes ${refusal.owed} base units; ${REPAY_ALL}`, refusal.error);
    case 'VaultUserCollateralDebtExceed':
      return new BorrowRefused(`the ${refusal.side} would exceed what a position can hold`, refusal.error);
    case 'VaultUserDebtTooLow': {
      // What is owed is rounded up, so that the amount that positions state can leave a part of a base unit.
      const atoms = debtAtoms(refusal.debt);
      const left = atoms === 0n ? 'less than one base unit' : `${atoms} base units`;
      const remedy = debt < 0n ? `; ${REPAY_ALL}` : '';
      return new BorrowRefused(
        `the position would owe ${left}, but must owe nothing or at least ${minimumBorrowing}${remedy}`,
        refusal.error,
      );
    }
    case 'VaultInvalidPaybackOrDeposit':
      return new BorrowRefused(
        'the amount is too small: by rounding, the position would get riskier',
        refusal.error,
      );
    case 'RatioOutOfRange':
      return new BorrowRefused('the vault has no tick for this ratio of debt to collateral');
  }
}

/** Says why a position would not be safe, with the most that it could borrow or must have. */
export function createSafetyRefusal(
  refusal: SafetyRefusal,
  outcome: OperateOutcome,
  view: VaultView,
): BorrowRefused {
  if (refusal.error === 'VaultInvalidOraclePrice') {
    return new BorrowRefused(`the oracle's rate ${refusal.rate} is not usable`, refusal.error);
  }
  const { vault, prices } = view;
  const byFactor = refusal.error === 'VaultPositionAboveCF';
  const factor = byFactor ? vault.config.collateralFactor : vault.config.liquidationThreshold;
  const rate = (byFactor ? view.oracle.operate : view.oracle.liquidate) ?? 0n;
  const reached = computeLoanToValue(outcome.collateral, outcome.debt, rate, prices);
  const owed = toTokenAtoms(toAtomsRoundedUp(outcome.debt, prices.borrow), vault.borrow.decimals);
  const has = toTokenAtoms(toAtoms(outcome.collateral, prices.supply), vault.supply.decimals);
  const name = byFactor ? 'collateralFactor' : 'liquidationThreshold';
  return new BorrowRefused(
    `the position would owe ${owed} for a collateral of ${has} base units, which is ${percent(reached)} of its value; ` +
      `${name} allows ${percent(BigInt(factor))}`,
    refusal.error,
  );
}

/** @param thousandths - Null without a collateral or a rate. */
function percent(thousandths: bigint | null): string {
  return thousandths === null ? 'more than 100 %' : `${Number(thousandths) / 10} %`;
}

/** A step of an operation at the liquidity program. */
export type LiquidityStep = 'deposit' | 'repayment' | 'withdrawal' | 'borrowing';

/** Says why the liquidity program would refuse, with what can be taken now. */
export function createLiquidityRefusal(
  error: LiquidityRefusal,
  step: LiquidityStep,
  view: VaultView,
): BorrowRefused {
  const { withdrawable, borrowable } = view;
  if (step === 'withdrawal') {
    return new BorrowRefused(`the vault can pay out ${withdrawable} base units of its collateral now`, error);
  }
  if (step === 'borrowing') {
    return new BorrowRefused(`the vault can lend ${borrowable} base units now`, error);
  }
  return new BorrowRefused(`the liquidity program refuses the ${step}`, error);
}

/** Says why a withdrawal would eat into the gap that the vault keeps for liquidations. */
export function createGapRefusal({ withdrawable }: VaultView): BorrowRefused {
  return new BorrowRefused(
    `the vault lets out ${withdrawable} base units of its collateral now, because it keeps a gap for liquidations`,
    'VaultWithdrawMoreThanOperateLimit',
  );
}
