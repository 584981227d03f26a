import { MIN_I128 } from '../../../../protocols/jupiter-lend/vaults/state/limits.ts';
import { formatForError } from '../../../../common/format-for-error.ts';
import { requireAddress } from '../../../parameter-values.ts';
import { MARKETS, type MarketName } from '../../../../lend/borrow/markets.ts';
import type { OperateRequest } from '../../../../lend/borrow/operate.ts';
import { BorrowRefused } from '../../../../lend/borrow/refusals.ts';

/** The body of a request after validation by its schema. */
export interface OperateBody {
  readonly vaultId: number;
  readonly positionId: number;
  readonly positionOwner?: string | undefined;
  readonly signer: string;
  readonly colAmount: string;
  readonly debtAmount: string;
  readonly market?: string | undefined;
}

/**
 * Reads a request.
 * @param market - The market in the query; it takes precedence over the market in the body.
 * @throws RequestRefused when a field is invalid
 */
export function parseOperateRequest(market: string | undefined, body: OperateBody): OperateRequest {
  const signer = requireAddress('signer', body.signer);
  const { positionOwner: owner } = body;
  const positionOwner = owner === undefined ? signer : requireAddress('positionOwner', owner);
  const collateral = requireSignedAmount('colAmount', body.colAmount);
  const debt = requireSignedAmount('debtAmount', body.debtAmount);
  if (collateral === 0n && debt === 0n) {
    throw new BorrowRefused('colAmount and debtAmount must not both be 0', 'VaultInvalidOperateAmount');
  }
  if (body.positionId === 0 && (collateral < 0n || debt < 0n)) {
    throw new BorrowRefused(
      'a new position (positionId 0) has nothing to withdraw or repay: colAmount and debtAmount must not be negative',
    );
  }
  if (body.positionId === 0 && positionOwner !== signer) {
    throw new BorrowRefused(
      `a new position (positionId 0) is its signer's: leave positionOwner out, got ${positionOwner}`,
    );
  }
  return {
    market: requireMarket(market ?? body.market),
    vaultId: body.vaultId,
    positionId: body.positionId,
    signer,
    positionOwner,
    amounts: { collateral, debt },
  };
}

/** @throws BorrowRefused for a market that does not exist; without one it is `main` */
export function requireMarket(text: string | undefined): MarketName {
  if (text === undefined) return 'main';
  const market = MARKETS.find((each) => each === text);
  if (market === undefined) {
    throw new BorrowRefused(`market must be ${MARKETS.join(' or ')}, got ${formatForError(text)}`);
  }
  return market;
}

const SIGNED = /^-?[0-9]{1,39}$/;

function requireSignedAmount(name: string, text: string): bigint {
  const amount = SIGNED.test(text) ? BigInt(text) : null;
  if (amount === null) {
    throw new BorrowRefused(
      `${name} must be a whole number of base units, as a text of digits with an optional minus; got ${formatForError(text)}`,
    );
  }
  const size = amount < 0n ? -amount : amount;
  if (amount !== MIN_I128 && size >= 1n << 63n) {
    throw new BorrowRefused(
      `${name} must be between -(2^63 - 1) and 2^63 - 1, or ${MIN_I128} for everything; got ${text}`,
      'VaultInvalidOperateAmount',
    );
  }
  return amount;
}
