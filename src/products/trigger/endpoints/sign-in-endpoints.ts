import { type Static, Type } from 'typebox';
import { type Address, parseAddress } from '../../../solana/address.ts';
import { decodeBase58Exactly } from '../../../solana/encoding/base58.ts';
import { SIGNATURE_BYTES } from '../../../solana/messages/signature.ts';
import { readSentTransaction } from '../../../solana/messages/transaction.ts';
import { TransactionInvalid } from '../../../solana/messages/transaction-invalid.ts';
import { EXAMPLE_TRANSACTION, EXAMPLE_WALLET } from '../../example-values.ts';
import { named } from '../../named-schema.ts';
import { CHALLENGE_KINDS } from '../sign-in/challenge-content.ts';
import { ACCESS_TOKEN_MS, type SignedChallenge, TOKEN_MS } from '../sign-in/sign-in.ts';
import { defineOpenEndpoint } from './trigger-endpoint.ts';
import { answerTriggerError, refuseField, TriggerError } from './trigger-errors.ts';

const KindJson = Type.Enum([...CHALLENGE_KINDS], {
  description: '`transaction` is for wallets that sign no texts, such as hardware wallets.',
});

const ChallengeRequest = named(
  'TriggerChallengeRequest',
  Type.Object({ walletPubkey: Type.String({ description: 'The wallet that signs in.' }), type: KindJson }),
);

const ChallengeJson = named(
  'TriggerChallenge',
  Type.Object({
    type: KindJson,
    challenge: Type.Optional(
      Type.String({ description: 'The text whose UTF-8 bytes the wallet signs. For `message`.' }),
    ),
    transaction: Type.Optional(
      Type.String({
        description:
          'The transaction that the wallet signs, in base64, with the text as its memo. It can never land. For `transaction`.',
      }),
    ),
  }),
);

const VerifyRequest = named(
  'TriggerVerifyRequest',
  Type.Object({
    type: KindJson,
    walletPubkey: Type.String({ description: 'The wallet that signed.' }),
    signature: Type.Optional(
      Type.String({ description: 'The signature of the text, in base58. For `message`.' }),
    ),
    signedTransaction: Type.Optional(
      Type.String({
        description: 'The signed transaction in base64, otherwise unchanged. For `transaction`.',
      }),
    ),
    authMode: Type.Optional(
      Type.Enum([...CHALLENGE_KINDS, 'access_refresh'], {
        description:
          '`access_refresh` asks for a token of 15 minutes; sign in again for the next one. The other words repeat `type`.',
      }),
    ),
  }),
);

const TokenJson = named(
  'TriggerToken',
  Type.Object({
    authMode: Type.String({ description: 'The mode of the request, or its `type`.' }),
    token: Type.Optional(
      Type.String({ description: 'A JWT for `Authorization: Bearer`, accepted for 24 hours.' }),
    ),
    accessToken: Type.Optional(
      Type.String({
        description: 'The same, accepted for 15 minutes. In place of `token` with `access_refresh`.',
      }),
    ),
    expiresAt: Type.Optional(Type.String({ description: 'When `accessToken` ends, in ISO 8601.' })),
  }),
);

export const challenge = defineOpenEndpoint({
  method: 'POST',
  path: '/trigger/v2/auth/challenge',
  operationId: 'CreateTriggerChallenge',
  example: { body: { walletPubkey: EXAMPLE_WALLET, type: 'message' } },
  summary: 'What a wallet signs to sign in',
  description: 'Hands out a challenge. It can be used once, within five minutes.',
  body: ChallengeRequest,
  responses: { 200: ChallengeJson, 400: TriggerError },
  handle: async ({ signIn }, { body, caller }) => {
    const { type } = body;
    const content = await signIn.createChallenge(readWallet(body.walletPubkey), type, caller);
    return type === 'message' ? { type, challenge: content } : { type, transaction: content };
  },
});

export const verify = defineOpenEndpoint({
  method: 'POST',
  path: '/trigger/v2/auth/verify',
  operationId: 'VerifyTriggerChallenge',
  example: {
    body: { type: 'transaction', walletPubkey: EXAMPLE_WALLET, signedTransaction: EXAMPLE_TRANSACTION },
  },
  summary: 'Sign in',
  description:
    'Answers a signed challenge with a token of the wallet. 400 `Challenge not found`: the wallet has no open challenge, or ' +
    'this one was used. 401 `Invalid signature`: the signature is of no open challenge, or the transaction was changed.',
  body: VerifyRequest,
  responses: { 200: TokenJson, 400: TriggerError, 401: TriggerError },
  handle: async ({ signIn }, { body }) => {
    const { type, authMode = type } = body;
    if (authMode !== 'access_refresh' && authMode !== type)
      return refuseField('authMode', `Invalid option: expected one of "${type}"|"access_refresh"`);
    const isShort = authMode === 'access_refresh';
    const wallet = readWallet(body.walletPubkey);
    const signed = readSigned(body, wallet, isShort ? ACCESS_TOKEN_MS : TOKEN_MS);
    const result = await signIn.verify(signed);
    if (result === 'unknown') return answerTriggerError(400, 'Challenge not found');
    if (result === 'forged') return answerTriggerError(401, 'Invalid signature');
    const { token, expiresAt } = result;
    if (!isShort) return { authMode, token };
    return { authMode, accessToken: token, expiresAt: new Date(expiresAt).toISOString() };
  },
});

function readWallet(text: string): Address {
  return parseAddress(text) ?? refuseField('walletPubkey', 'Invalid input: expected 32 bytes in base58');
}

function readSigned(
  { type, signature, signedTransaction }: Static<typeof VerifyRequest>,
  wallet: Address,
  lifetimeMs: number,
): SignedChallenge {
  if (type === 'message') {
    const given = signature ?? refuseField('signature', 'Invalid input: expected string, received undefined');
    const bytes = decodeBase58Exactly(given, SIGNATURE_BYTES);
    if (bytes === null) return refuseField('signature', 'Invalid input: expected 64 bytes in base58');
    return { wallet, kind: type, signature: bytes, messageBytes: null, lifetimeMs };
  }
  const given =
    signedTransaction ??
    refuseField('signedTransaction', 'Invalid input: expected string, received undefined');
  const { signatures, messageBytes, message } = readTransaction(given);
  const place = message.staticAccounts.slice(0, message.signers).indexOf(wallet);
  return {
    wallet,
    kind: type,
    signature: signatures[place] ?? new Uint8Array(SIGNATURE_BYTES),
    messageBytes,
    lifetimeMs,
  };
}

function readTransaction(base64: string) {
  try {
    return readSentTransaction(Buffer.from(base64, 'base64')).transaction;
  } catch (error) {
    if (!(error instanceof TransactionInvalid)) throw error;
    return refuseField('signedTransaction', `Invalid transaction format: ${error.message}`);
  }
}
