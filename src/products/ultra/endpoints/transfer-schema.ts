import { type Static, Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { EXAMPLE_TRANSACTION } from '../../example-values.ts';

const address = (description: string) => Type.String({ description });

export const CraftNativeQuery = Type.Object({
  senderAddress: address('The wallet that pays, and signs.'),
  receiverAddress: address('The wallet that receives.'),
  amount: Type.String({ description: 'Lamports.' }),
});

export const CraftTokenQuery = Type.Object({
  senderAddress: address('The wallet that pays, and signs.'),
  senderTokenAccountAddress: address('Its account that the tokens leave.'),
  receiverAddress: address('The wallet that receives, in its associated account.'),
  receiverTokenAccountAddress: Type.Optional(
    address('An existing account of the receiver that the tokens go to instead.'),
  ),
  amount: Type.String({ description: 'Base units that leave the sender.' }),
  mint: address('The token.'),
  tokenDecimals: Type.String({ description: 'The decimals of the token.' }),
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
