import { type Static, Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { textFor } from '../../parameters.ts';
import { CURRENCIES, PRICE } from '../verification/price.ts';

/** The currencies that a verification can be paid in. */
export const CURRENCY = { type: 'string', enum: [...CURRENCIES], default: PRICE.symbol };

const text = (description: string, maxLength: number) => Type.String({ maxLength, description });
const optionalText = (description: string) => Type.Optional(Type.String({ description }));

export const VerifyError = named(
  'VerificationRefusal',
  Type.Object({
    error: Type.String(),
    message: optionalText('The same as `error`, for clients that read this field.'),
    code: optionalText('One of the codes in docs/errors.md.'),
    status: Type.Optional(Type.Integer({ description: 'The status of the answer.' })),
  }),
);

export const EligibilityJson = named(
  'VerificationEligibility',
  Type.Object({
    tokenExists: Type.Boolean(),
    isVerified: Type.Boolean(),
    canVerify: Type.Boolean(),
    canMetadata: Type.Boolean(),
    verificationError: optionalText('Why a request for verification would be refused.'),
    metadataError: optionalText('Why new metadata would be refused.'),
  }),
);
export type EligibilityJson = Static<typeof EligibilityJson>;

export const CraftJson = named(
  'VerificationPayment',
  Type.Object({
    transaction: optionalText('The unsigned transaction, base64. Absent if the sender cannot pay.'),
    requestId: Type.String(),
    receiverAddress: Type.String(),
    mint: Type.String(),
    amount: Type.String({
      description: 'Base units of JUP that are received: 1,000 JUP, or a little more from a swap.',
    }),
    tokenDecimals: Type.Integer(),
    feeLamports: Type.Number({
      description:
        'What the sender pays the network, with the rent of a new account. 0 for a swap, where it is not stated.',
    }),
    tokenUsdRate: Type.Optional(
      Type.Number({ description: 'US dollars for one JUP. Absent without a price.' }),
    ),
    feeUsdAmount: Type.Optional(
      Type.Number({
        description: 'What feeLamports are worth in US dollars. Absent without a price of SOL.',
      }),
    ),
    feeMint: Type.String(),
    feeTokenDecimals: Type.Integer(),
    feeAmount: Type.Number(),
    totalTime: Type.Number({ description: 'Milliseconds.' }),
    expireAt: optionalText('When the transaction can no longer land, at the usual pace of blocks. ISO 8601.'),
    error: optionalText('Why the sender cannot pay.'),
    code: Type.Integer({ description: '0, or what the sender lacks.' }),
    gasless: Type.Boolean({ description: 'False: the sender pays the network.' }),
    inputMint: optionalText('What the sender pays, if it is swapped.'),
    inputDecimals: Type.Optional(Type.Integer()),
    quotedInputAmount: optionalText(
      'Base units that the sender pays, if they are swapped; the `paymentAmount` of execute.',
    ),
    maxInputAmount: optionalText('Equal to quotedInputAmount.'),
  }),
);
export type CraftJson = Static<typeof CraftJson>;

const nullableText = Type.Optional(Type.Union([Type.String({ maxLength: 4_000 }), Type.Null()]));
const toggle = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));

export const VerifyExecuteBody = named(
  'VerificationRequest',
  Type.Object({
    transaction: text('The transaction of craft-txn, signed. Base64.', 2_000),
    requestId: text('The id of craft-txn.', 200),
    senderAddress: text('The wallet that pays.', 64),
    tokenId: text('The mint of the token.', 64),
    twitterHandle: text('The handle of the token. Empty for metadata alone.', 4_000),
    senderTwitterHandle: Type.Optional(text('The handle of the sender.', 4_000)),
    description: text('Why the token should be verified. Empty for metadata alone.', 4_000),
    tokenMetadata: Type.Optional(
      Type.Object({
        tokenId: text('Equal to the field of that name above.', 64),
        icon: nullableText,
        name: nullableText,
        symbol: nullableText,
        website: nullableText,
        telegram: nullableText,
        twitter: nullableText,
        twitterCommunity: nullableText,
        discord: nullableText,
        instagram: nullableText,
        tiktok: nullableText,
        circulatingSupply: nullableText,
        useCirculatingSupply: toggle,
        tokenDescription: nullableText,
        coingeckoCoinId: nullableText,
        useCoingeckoCoinId: toggle,
        circulatingSupplyUrl: nullableText,
        useCirculatingSupplyUrl: toggle,
        otherUrl: nullableText,
      }),
    ),
    paymentCurrency: Type.Optional(textFor(CURRENCY, 'The currency of craft-txn.')),
    paymentAmount: Type.Optional(
      text('The quotedInputAmount of craft-txn. Required unless the currency is JUP.', 24),
    ),
    jupOutputAmount: Type.Optional(text('The amount of craft-txn.', 24)),
  }),
);
export type VerifyExecuteBody = Static<typeof VerifyExecuteBody>;

export const ExecuteJson = named(
  'VerificationResult',
  Type.Object({
    status: Type.Union([Type.Literal('Success'), Type.Literal('Failed')]),
    signature: optionalText('The signature of the payment.'),
    error: optionalText('Why the payment did not land.'),
    code: Type.Optional(Type.Integer()),
    totalTime: Type.Number({ description: 'Milliseconds.' }),
    verificationCreated: Type.Boolean(),
    metadataCreated: Type.Boolean(),
  }),
);
export type ExecuteJson = Static<typeof ExecuteJson>;
