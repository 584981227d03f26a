import { type Static, type TOptional, type TString, Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { textFor } from '../../parameters/parameter-schema.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import { address, readAddress } from '../../parameters/kinds.ts';
import {
  defineBody,
  defineField,
  defineQuery,
  defineText,
  optional,
  type Parameter,
} from '../../parameters/parameter.ts';
import { CURRENCIES, type Currency, PRICE } from '../verification/price.ts';
import { VerificationRefused } from '../verification/refusal.ts';

const text = (description: string, maxLength: number) => Type.String({ maxLength, description });
const field = (description: string, maxLength: number) => defineField(text(description, maxLength));
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

/** The mint of the token, whose refusal has a code of its own. */
function token(schema: TString): Parameter<Address, TString> {
  return defineText(schema, (given) => {
    const mint = parseAddress(given);
    if (mint !== null) return mint;
    throw new VerificationRefused(
      'INVALID_TOKEN_ID',
      `tokenId must be an address: 32 bytes in base58, got ${formatForError(given)}`,
    );
  });
}

function currency(description: string): Parameter<Currency, TOptional<TString>> {
  const schema = textFor({ type: 'string', enum: [...CURRENCIES] }, description);
  const read = (given: string) => {
    const found = CURRENCIES.find((known) => known === given);
    if (found !== undefined) return found;
    throw new RequestRefused(
      `paymentCurrency must be one of ${CURRENCIES.join(', ')}, got ${formatForError(given)}`,
    );
  };
  return optional(defineText(schema, read), PRICE.symbol);
}

export const ELIGIBILITY_QUERY = defineQuery({
  tokenId: token(Type.String({ description: 'The mint of the token.' })),
});

export const CRAFT_QUERY = defineQuery({
  senderAddress: address('The wallet that pays.'),
  paymentCurrency: currency('What the sender pays.'),
});

export const EXECUTE_FIELDS = defineBody({
  transaction: field('The transaction of craft-txn, signed. Base64.', 2_000),
  requestId: field('The id of craft-txn.', 200),
  senderAddress: defineText(text('The wallet that pays.', 64), readAddress),
  tokenId: token(text('The mint of the token.', 64)),
  twitterHandle: field('The handle of the token. Empty for metadata alone.', 4_000),
  senderTwitterHandle: optional(field('The handle of the sender.', 4_000)),
  description: field('Why the token should be verified. Empty for metadata alone.', 4_000),
  tokenMetadata: optional(
    defineField(
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
  ),
  paymentCurrency: currency('The currency of craft-txn.'),
  paymentAmount: optional(
    field('The quotedInputAmount of craft-txn. Required unless the currency is JUP.', 24),
  ),
  jupOutputAmount: optional(field('The amount of craft-txn.', 24)),
});
export const VerifyExecuteBody = named('VerificationRequest', EXECUTE_FIELDS.schema);

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
