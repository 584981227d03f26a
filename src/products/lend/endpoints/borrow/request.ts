import { type TString, Type } from 'typebox';
import { MIN_I128 } from '../../../../protocols/jupiter-lend/vaults/state/limits.ts';
import { formatForError } from '../../../../common/format-for-error.ts';
import { MARKETS } from '../../../../lend/borrow/markets.ts';
import type { OperateRequest } from '../../../../lend/borrow/build-operate.ts';
import { BorrowRefused } from '../../../../lend/borrow/refusals.ts';
import { address } from '../../../parameters/kinds.ts';
import {
  defineBody,
  defineField,
  defineQuery,
  defineText,
  optional,
  type Parameter,
} from '../../../parameters/parameter.ts';
import { MARKET, readMarket } from './market.ts';

const ALL = '`-170141183460469231731687303715884105728` stands for all of it.';

/** The query of a request to operate a position. */
export const OPERATE_QUERY = defineQuery({ market: MARKET });

/** The body of a request to operate a position. */
export const OPERATE_FIELDS = defineBody({
  vaultId: defineField(
    Type.Integer({ minimum: 1, maximum: 65_535, description: "The market's id of the vault." }),
  ),
  positionId: defineField(
    Type.Integer({
      minimum: 0,
      maximum: 4_294_967_295,
      description: 'The id of the position in its vault; 0 creates one.',
    }),
  ),
  positionOwner: optional(
    address('The wallet that holds the position. Default: `signer`, whose every new position is.'),
  ),
  signer: address('The wallet that signs, pays and receives. Only the owner may withdraw and borrow.'),
  colAmount: signedAmount(`Base units to deposit, or to withdraw if negative. ${ALL}`),
  debtAmount: signedAmount(`Base units to borrow, or to repay if negative. ${ALL}`),
  market: optional(defineText(Type.String({ description: 'As in the query, which wins.' }), readMarket)),
});

/**
 * Reads a request.
 * @throws RequestRefused when a field is invalid
 */
export function parseOperateRequest(
  query: Type.Static<typeof OPERATE_QUERY.schema>,
  body: Type.Static<typeof OPERATE_FIELDS.schema>,
): OperateRequest {
  const read = OPERATE_FIELDS.reader(body);
  const signer = read('signer');
  const positionOwner = read('positionOwner') ?? signer;
  const collateral = read('colAmount');
  const debt = read('debtAmount');
  const positionId = read('positionId');
  if (collateral === 0n && debt === 0n) {
    throw new BorrowRefused('colAmount and debtAmount must not both be 0', 'VaultInvalidOperateAmount');
  }
  if (positionId === 0 && (collateral < 0n || debt < 0n)) {
    throw new BorrowRefused(
      'a new position (positionId 0) has nothing to withdraw or repay: colAmount and debtAmount must not be negative',
    );
  }
  if (positionId === 0 && positionOwner !== signer) {
    throw new BorrowRefused(
      `a new position (positionId 0) is its signer's: leave positionOwner out, got ${positionOwner}`,
    );
  }
  return {
    market:
      query.market === undefined ? (read('market') ?? MARKETS[0]) : OPERATE_QUERY.reader(query)('market'),
    vaultId: read('vaultId'),
    positionId,
    signer,
    positionOwner,
    amounts: { collateral, debt },
  };
}

function signedAmount(description: string): Parameter<bigint, TString> {
  return defineText(Type.String({ pattern: '^-?[0-9]+$', maxLength: 64, description }), readSignedAmount);
}

const SIGNED = /^-?[0-9]{1,39}$/;

function readSignedAmount(text: string, name: string): bigint {
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
