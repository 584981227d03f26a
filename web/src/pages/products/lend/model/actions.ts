import type { BorrowMarket, BorrowPosition, BorrowVault } from './borrow.ts';
import { ORACLE_PLACES } from './borrow.ts';
import type { EarnToken } from './earn.ts';

/** Stands for all that the signer has. */
const ALL_SHARES = '18446744073709551615';
/** Stands for all collateral, or all debt. */
const ALL_OF_POSITION = '-170141183460469231731687303715884105728';

/** Returns the request that deposits one token, as a path whose query holds the body for the playground. */
export function composeDeposit({ token }: EarnToken, signer: string): string {
  const amount = String(10n ** BigInt(token.decimals));
  return composePath('/lend/v1/earn/deposit', { asset: token.mint, signer, amount });
}

/** Returns the request that takes out all that a wallet has deposited of a token. */
export function composeWithdrawal({ token }: EarnToken, signer: string): string {
  return composePath('/lend/v1/earn/redeem', { asset: token.mint, signer, shares: ALL_SHARES });
}

/** Returns the request that opens a loan: one token of collateral, and half of what can be borrowed against it. */
export function composeLoan(vault: BorrowVault, market: BorrowMarket, signer: string): string {
  const collateral = 10n ** BigInt(vault.collateral.decimals);
  return composeOperation(market, {
    vaultId: vault.id,
    positionId: 0,
    signer,
    colAmount: String(collateral),
    debtAmount: String(computeModestDebt(vault)),
  });
}

/** Returns the request that adds one token of collateral to a loan. */
export function composeTopUp({ id, vault }: BorrowPosition, market: BorrowMarket, signer: string): string {
  return composeOperation(market, {
    vaultId: vault.id,
    positionId: id,
    signer,
    colAmount: String(10n ** BigInt(vault.collateral.decimals)),
    debtAmount: '0',
  });
}

/** Returns the request that pays back all debt of a loan and takes out all collateral. */
export function composeClosing(
  { id, vault, supplied, borrowed }: BorrowPosition,
  market: BorrowMarket,
  signer: string,
): string {
  return composeOperation(market, {
    vaultId: vault.id,
    positionId: id,
    signer,
    colAmount: supplied > 0n ? ALL_OF_POSITION : '0',
    debtAmount: borrowed > 0n ? ALL_OF_POSITION : '0',
  });
}

/** Half of what one token of collateral can secure, and no less than the vault lends. */
function computeModestDebt({ collateralFactor, price, debt, minimumBorrowing }: BorrowVault): bigint {
  const least = minimumBorrowing ?? 0n;
  if (collateralFactor === null || price === null) return least;
  const half =
    (price * collateralFactor * 10n ** BigInt(debt.decimals)) / (2_000_000n * 10n ** BigInt(ORACLE_PLACES));
  return half > least ? half : least;
}

function composeOperation(market: BorrowMarket, body: object): string {
  return composePath('/lend/v1/borrow/operate', body, market === 'main' ? {} : { market });
}

function composePath(path: string, body: object, query: Readonly<Record<string, string>> = {}): string {
  return `${path}?${new URLSearchParams({ ...query, body: JSON.stringify(body) })}`;
}
