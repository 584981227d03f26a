import { EXECUTE_TIMEOUT_MS } from '../../../transactions/submit/submit-and-confirm.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import type { Address } from '../../../solana/address.ts';
import type { FalseClaim } from '../verification/claim.ts';
import type { Tokens } from '../../../tokens/tokens.ts';
import { EXAMPLE_WALLET, EXAMPLE_MINTS, EXAMPLE_TRANSACTION } from '../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { checkEligibility, type Eligibility } from '../verification/eligibility.ts';
import { executeExpress } from '../verification/execute.ts';
import type { ExpressResult } from '../verification/land-payment.ts';
import { type CraftedPayment, craftPayment, FEE_DECIMALS, FEE_MINT } from '../verification/payment.ts';
import { type Currency, PRICE, SWAPPED_CURRENCIES } from '../verification/price.ts';
import { type VerificationCode, VerificationRefused } from '../verification/refusal.ts';
import { parseSubmission } from './submission.ts';
import type { ExpressServices, TokensServices } from './services.ts';
import {
  CRAFT_QUERY,
  CraftJson,
  ELIGIBILITY_QUERY,
  EligibilityJson,
  EXECUTE_FIELDS,
  ExecuteJson,
  VerifyError,
  VerifyExecuteBody,
} from './verify-schema.ts';

const STATUS: Readonly<Record<VerificationCode, 400 | 409 | 500>> = {
  INVALID_TOKEN_ID: 400,
  INVALID_PAYLOAD: 400,
  TRANSACTION_EXPIRED: 400,
  ELIGIBILITY_CONFLICT: 409,
  EXECUTION_FAILED: 500,
};
const SLOT_MS = 400;

export const checkEligibilityEndpoint = defineEndpoint({
  method: 'GET',
  path: '/tokens/v2/verify/express/check-eligibility',
  operationId: 'CheckVerificationEligibility',
  example: { query: { tokenId: EXAMPLE_MINTS.jup } },
  summary: 'What can be requested for a token',
  description: 'Says whether verification, and whether new metadata, can be requested for a token now.',
  query: ELIGIBILITY_QUERY.schema,
  responses: { 200: EligibilityJson, 400: VerifyError },
  onInvalid: (_body, { message }) => toRefusalAnswer('INVALID_TOKEN_ID', message),
  handle: ({ express }: TokensServices, { query }) =>
    answerRefusals(async () => {
      const mint = ELIGIBILITY_QUERY.reader(query)('tokenId');
      return toEligibilityJson(await checkEligibility(express, mint));
    }),
});

export const craftTransaction = defineEndpoint({
  method: 'GET',
  path: '/tokens/v2/verify/express/craft-txn',
  operationId: 'CraftVerificationPayment',
  example: { query: { senderAddress: EXAMPLE_WALLET } },
  summary: 'The payment for a request',
  description:
    'Makes the transaction by which the sender pays 1,000 JUP for a request. Another currency is swapped to at least ' +
    'that much, with a buffer of half a percent. Sign the transaction and send it with `execute`. The sender pays the ' +
    'network in SOL.',
  query: CRAFT_QUERY.schema,
  responses: { 200: CraftJson, 400: VerifyError },
  onInvalid: (_body, { message }) => toRefusalAnswer('INVALID_PAYLOAD', message),
  handle: ({ express, tokens, now }: TokensServices, { query }) =>
    answerRefusals(async () => {
      const startedAt = now();
      const read = CRAFT_QUERY.reader(query);
      const [sender, currency] = [read('senderAddress'), read('paymentCurrency')];
      const receiver = requireReceiver(express);
      if (sender === receiver) throw new RequestRefused('senderAddress must not be the wallet that is paid');
      const crafted = await craftPayment({ ...express, receiver }, sender, currency);
      const dollars = await findDollarPrices(tokens);
      return toCraftJson(express, crafted, { receiver, currency, dollars, startedAt, now: now() });
    }),
});

export const executeVerification = defineEndpoint({
  method: 'POST',
  path: '/tokens/v2/verify/express/execute',
  operationId: 'ExecuteVerification',
  example: {
    body: {
      transaction: EXAMPLE_TRANSACTION,
      requestId: '0199b2f4-5b6c-7000-8000-000000000000',
      senderAddress: EXAMPLE_WALLET,
      tokenId: EXAMPLE_MINTS.jup,
      twitterHandle: '@JupiterExchange',
      description: 'The token of the exchange.',
    },
  },
  summary: 'Pay for a request, and make it',
  description:
    'Lands the signed payment and records the request for the operator to decide about. The same request again has the ' +
    'same answer. One payment makes one request.',
  bucket: 'execute',
  timeoutMs: EXECUTE_TIMEOUT_MS,
  body: VerifyExecuteBody,
  responses: { 200: ExecuteJson, 400: VerifyError, 409: VerifyError, 500: VerifyError },
  onInvalid: (_body, { message }) => toRefusalAnswer('INVALID_PAYLOAD', message),
  handle: ({ express, now }: TokensServices, { body }) =>
    answerRefusals(async () => {
      const startedAt = now();
      const read = EXECUTE_FIELDS.reader(body);
      const mint = read('tokenId');
      requireReceiver(express);
      const claim = {
        currency: read('paymentCurrency'),
        inAmount: read('paymentAmount'),
        outAmount: read('jupOutputAmount'),
      };
      const sender = read('senderAddress');
      const submission = parseSubmission(body);
      const { requestId, transaction } = body;
      const request = { requestId, transaction, sender, mint, submission, claim };
      const result = await executeExpress(express, request);
      return toExecuteJson(result, now() - startedAt);
    }),
});

/** Answers refusals of requests for verification in the form of their interface. */
async function answerRefusals<Ok>(work: () => Promise<Ok>): Promise<Ok | OtherAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof VerificationRefused) {
      const { code, message } = error.falseClaim === null ? error : nameField(error.falseClaim);
      return toRefusalAnswer(code, message);
    }
    if (error instanceof RequestRefused) return toRefusalAnswer('INVALID_PAYLOAD', error.message);
    throw error;
  }
}

/** The fields by which a client claims what it pays. */
const CLAIMED_FIELDS: Readonly<Record<FalseClaim['part'], string>> = {
  currency: 'paymentCurrency',
  inAmount: 'paymentAmount',
  outAmount: 'jupOutputAmount',
};

function nameField({ part, crafted, claimed }: FalseClaim): VerificationRefused {
  return new VerificationRefused(
    'INVALID_PAYLOAD',
    `${CLAIMED_FIELDS[part]} must be ${crafted}, as craft-txn answered, got ${claimed === null ? 'none' : formatForError(claimed)}`,
  );
}

function toRefusalAnswer(code: VerificationCode, error: string): OtherAnswer {
  const status = STATUS[code];
  return new OtherAnswer(status, { error, message: error, code, status });
}

function requireReceiver({ receiver }: ExpressServices): Address {
  if (receiver !== null) return receiver;
  throw new RequestRefused(
    'express verification is not offered here: the operator has not set token-verification-wallet',
  );
}

function toEligibilityJson(eligibility: Eligibility): EligibilityJson {
  const { tokenExists, isVerified, verificationError, metadataError } = eligibility;
  const json: EligibilityJson = {
    tokenExists,
    isVerified,
    canVerify: verificationError === null,
    canMetadata: metadataError === null,
  };
  if (verificationError !== null) json.verificationError = verificationError;
  if (metadataError !== null) json.metadataError = metadataError;
  return json;
}

/** US dollars for one token; null without a price. */
interface Dollars {
  readonly price: number | null;
  readonly fee: number | null;
}

async function findDollarPrices(tokens: Pick<Tokens, 'find'>): Promise<Dollars> {
  const found = await tokens.find([PRICE.mint, FEE_MINT]);
  const of = (mint: Address) => found.find((token) => token.mint === mint)?.price?.usdPrice ?? null;
  return { price: of(PRICE.mint), fee: of(FEE_MINT) };
}

interface PaymentCrafting {
  readonly receiver: Address;
  readonly currency: Currency;
  readonly dollars: Dollars;
  readonly startedAt: number;
  readonly now: number;
}

function toCraftJson(
  { chain }: ExpressServices,
  crafted: CraftedPayment,
  { receiver, currency, dollars, startedAt, now }: PaymentCrafting,
): CraftJson {
  const isCrafted = crafted.kind === 'crafted';
  // The public interface states no fee for payments that are swapped.
  const fee = isCrafted && currency === PRICE.symbol ? Number(crafted.feeLamports) : 0;
  const json: CraftJson = {
    requestId: isCrafted ? crafted.requestId : '',
    receiverAddress: receiver,
    mint: PRICE.mint,
    amount: String(isCrafted ? crafted.outAmount : PRICE.amount),
    tokenDecimals: PRICE.decimals,
    feeLamports: fee,
    feeMint: FEE_MINT,
    feeTokenDecimals: FEE_DECIMALS,
    feeAmount: fee,
    totalTime: now - startedAt,
    code: isCrafted ? 0 : crafted.code,
    gasless: false,
  };
  if (dollars.price !== null) json.tokenUsdRate = dollars.price;
  if (dollars.fee !== null) json.feeUsdAmount = (fee / 10 ** FEE_DECIMALS) * dollars.fee;
  if (!isCrafted) {
    json.error = crafted.error;
    return json;
  }
  const blocks = Number(crafted.lastValidBlockHeight - chain.blockHeight('confirmed'));
  json.transaction = Buffer.from(crafted.wire).toString('base64');
  json.expireAt = new Date(now + Math.max(blocks, 0) * SLOT_MS).toISOString();
  if (currency === PRICE.symbol) return json;
  const { mint, decimals } = SWAPPED_CURRENCIES[currency];
  json.inputMint = mint;
  json.inputDecimals = decimals;
  json.quotedInputAmount = String(crafted.inAmount);
  json.maxInputAmount = String(crafted.inAmount);
  return json;
}

function toExecuteJson(result: ExpressResult, totalTime: number): ExecuteJson {
  const { signature } = result;
  if (result.kind === 'recorded') {
    const { verificationCreated, metadataCreated } = result;
    return { status: 'Success', signature, code: 0, totalTime, verificationCreated, metadataCreated };
  }
  const { error, code } = result;
  const nothing = { verificationCreated: false, metadataCreated: false };
  return { status: 'Failed', signature, error, code, totalTime, ...nothing };
}
