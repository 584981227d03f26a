import { type Static, Type } from 'typebox';
import { formatForError } from '../../../../common/format-for-error.ts';
import { MICRO_PER_CONTRACT } from '../../../../exchange/exchange.ts';
import { U64_MAX } from '../../../../solana/units.ts';
import { named } from '../../../named-schema.ts';
import { refuseParameter } from '../event-parameters.ts';
import { parseDecimalContracts } from '../json/amount-forms.ts';
import { OWNER_FIELDS } from '../owner-parameters.ts';

const amountField = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 30 }), Type.Number({ minimum: 0 })], { description }));

/** The body of `POST /orders`. */
export const OrderBody = named(
  'NewPredictionOrder',
  Type.Object({
    ...OWNER_FIELDS,
    isBuy: Type.Boolean({ description: 'Whether contracts are bought or sold.' }),
    isYes: Type.Optional(
      Type.Boolean({
        description: 'The side. A sale may leave it to its position, and a forecast has it in its market.',
      }),
    ),
    marketId: Type.Optional(Type.String({ description: 'Required for a purchase.' })),
    positionPubkey: Type.Optional(
      Type.String({ description: 'The position of a sale; or `marketId` and `isYes` name it.' }),
    ),
    depositAmount: amountField(
      'What a purchase takes, in base units of `depositMint`: at least 5.00, and at most 250.00 for a forecast.',
    ),
    depositMint: Type.Optional(
      Type.String({ description: 'USDC, which is the default, or JupUSD. A forecast takes USDC alone.' }),
    ),
    contracts: amountField(
      'Whole contracts of a sale. It has exactly one of three forms. A purchase takes its deposit.',
    ),
    contractsMicro: amountField('The same in millionths of a contract.'),
    contractsDecimal: amountField('The same with a fraction.'),
    maxBuyPriceUsd: amountField(
      'The highest price of a purchase, in micro USD. The order waits for it until the market closes or its time is over. Default: the order takes what is offered now. A forecast has none.',
    ),
    minSellPriceUsd: amountField('The lowest price of a sale, in the same way.'),
    skipSigning: Type.Optional(Type.Boolean({ description: 'Accepted, and without effect.' })),
  }),
);
/** The body of `POST /orders`. */
export type OrderBody = Static<typeof OrderBody>;

/** What a sale sells: contracts, or as many as bring an amount. */
export type SoldContracts =
  | { readonly contracts: bigint; readonly worth?: never }
  | { readonly worth: bigint; readonly contracts?: never };

/**
 * Reads how much a sale sells: micro-contracts in one of three forms, or an amount in micro USD.
 * @throws PredictionRefused for none, and for several forms
 */
export function readSoldContracts({
  contracts,
  contractsMicro,
  contractsDecimal,
  depositAmount,
}: OrderBody): SoldContracts {
  const given = [contracts, contractsMicro, contractsDecimal].filter((each) => each !== undefined);
  if (given.length > 1) return refuseParameter('contracts may be given in one form only');
  if (contracts !== undefined) return { contracts: readWhole(contracts, 'contracts') * MICRO_PER_CONTRACT };
  if (contractsMicro !== undefined) return { contracts: readWhole(contractsMicro, 'contractsMicro') };
  if (contractsDecimal !== undefined) return { contracts: readDecimal(contractsDecimal) };
  if (depositAmount === undefined) return refuseParameter('contracts is missing');
  return { worth: readWhole(depositAmount, 'depositAmount') };
}

function readDecimal(given: string | number): bigint {
  const text = String(given);
  return (
    parseDecimalContracts(text) ??
    refuseParameter(
      `contractsDecimal must be contracts with up to 6 digits of a fraction, got ${formatForError(text)}`,
    )
  );
}

/**
 * Reads a whole number of 64 bits.
 * @throws PredictionRefused for another text
 */
export function readWhole(given: string | number, field: string): bigint {
  const text = String(given);
  const value = /^\d{1,20}$/.test(text) ? BigInt(text) : null;
  if (value !== null && value <= U64_MAX) return value;
  return refuseParameter(`${field} must be a whole number from 0 to ${U64_MAX}, got ${formatForError(text)}`);
}
