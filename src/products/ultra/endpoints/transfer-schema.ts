import { type Static, Type } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { address } from '../../parameters/kinds.ts';
import { defineQuery, defineText, optional } from '../../parameters/parameter.ts';
import { amount } from './ultra-kinds.ts';
import { named } from '../../named-schema.ts';
import { EXAMPLE_TRANSACTION } from '../../example-values.ts';

export const CRAFT_NATIVE_QUERY = defineQuery({
  senderAddress: address('The wallet that pays, and signs.'),
  receiverAddress: address('The wallet that receives.'),
  amount: amount('Lamports.'),
});

/** Of a mint, which has them in one byte. */
const DECIMALS = /^([01]?[0-9]{1,2}|2[0-4][0-9]|25[0-5])$/;

export const CRAFT_TOKEN_QUERY = defineQuery({
  senderAddress: address('The wallet that pays, and signs.'),
  senderTokenAccountAddress: address('Its account that the tokens leave.'),
  receiverAddress: address('The wallet that receives, in its associated account.'),
  receiverTokenAccountAddress: optional(
    address('An existing account of the receiver that the tokens go to instead.'),
  ),
  amount: amount('Base units that leave the sender.'),
  mint: address('The token.'),
  tokenDecimals: defineText(Type.String({ description: 'The decimals of the token.' }), (text) => {
    if (DECIMALS.test(text)) return Number(text);
    throw new RequestRefused(
      `tokenDecimals must be a whole number from 0 to 255, got ${formatForError(text)}`,
    );
  }),
  tokenProgramId: address('The token program of the mint.'),
});

/** Shows the form of a request that sends a signed transaction. */
export const EXAMPLE_SIGNED = {
  requestId: '0199b2f4-5b6c-7000-8000-000000000000',
  signedTransaction: EXAMPLE_TRANSACTION,
};

export const CraftedTransferJson = named(
  'CraftedTransfer',
  Type.Object({
    requestId: Type.String({ description: 'For `transfer/execute`.' }),
    transaction: Type.String({ description: 'The unsigned transaction, base64.' }),
    expireAt: Type.String({
      description: 'When it can no longer land, at the usual pace of blocks. ISO 8601.',
    }),
    feeAmount: Type.Number({ description: 'Lamports that the sender pays in addition: fees and rent.' }),
    rentAmount: Type.Number({ description: 'The part of `feeAmount` that is rent of a new account.' }),
    feeUsdAmount: Type.Optional(
      Type.Number({ description: '`feeAmount` in US dollars; absent without a price.' }),
    ),
    receivedAmount: Type.String({
      description: 'Base units that arrive, after the fee of the token at present.',
    }),
  }),
);
export type CraftedTransferJson = Static<typeof CraftedTransferJson>;

export const ExecuteSignedBody = named(
  'SignedRequest',
  Type.Object({
    requestId: Type.String({ maxLength: 200, description: 'Of the transaction.' }),
    signedTransaction: Type.String({ maxLength: 2_000, description: 'The transaction, signed. Base64.' }),
  }),
);

const SignedFields = {
  signature: Type.Optional(Type.String({ description: 'Absent if nothing was sent.' })),
  slot: Type.Optional(Type.String({ description: 'Of the block that has the transaction.' })),
  code: Type.Number({ description: '0, a code in docs/errors.md, or that of the program that failed.' }),
  totalTime: Type.Number({ description: 'Milliseconds.' }),
};

export const SignedSuccessJson = named(
  'SignedSuccess',
  Type.Object({ status: Type.Literal('Success'), ...SignedFields }),
);

export const SignedFailureJson = named(
  'SignedFailure',
  Type.Object({
    status: Type.Literal('Failed'),
    ...SignedFields,
    error: Type.String(),
  }),
);

export const SignedJson = Type.Union([SignedSuccessJson, SignedFailureJson]);
export type SignedJson = Static<typeof SignedJson>;
