import { formatForError } from '../../../common/format-for-error.ts';
import { EXAMPLE_MINTS, EXAMPLE_WALLET } from '../../example-values.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { requireAddress } from '../../parameter-values.ts';
import { parseAtoms } from './request.ts';
import { executeSigned } from '../signed/execute-signed.ts';
import { type CraftedTransfer, craftNativeTransfer } from '../transfer/native-transfer.ts';
import { craftTokenTransfer } from '../transfer/token-transfer.ts';
import { toDollars, computeExpiry } from './crafted-json.ts';
import { UltraError } from './schema.ts';
import type { UltraServices } from './services.ts';
import { EXECUTE_TIMEOUT_MS, toInvalidSignedAnswer, toSignedJson } from './signed-json.ts';
import {
  CraftedTransferJson,
  CraftNativeQuery,
  CraftTokenQuery,
  EXAMPLE_SIGNED,
  ExecuteSignedBody,
  SignedFailureJson,
  SignedSuccessJson,
} from './transfer-schema.ts';

const EXAMPLE_RECEIVER = 'HN7cABqLq46Es1jh92dQQisAq662SmxELLLsHHe4YWrH';

/** Of a mint, which has them in one byte. */
const DECIMALS = /^([01]?[0-9]{1,2}|2[0-4][0-9]|25[0-5])$/;

export const craftNative = defineEndpoint({
  method: 'GET',
  path: '/ultra/v1/transfer/craft-native',
  operationId: 'CraftNativeTransfer',
  example: { query: { senderAddress: EXAMPLE_WALLET, receiverAddress: EXAMPLE_RECEIVER, amount: '1000000' } },
  summary: 'A transfer of SOL',
  description:
    'Makes the transaction by which a wallet sends SOL, and pays for it. Sign it, and send it with `transfer/execute`.',
  query: CraftNativeQuery,
  responses: { 200: CraftedTransferJson, 400: UltraError },
  handle: async (services: UltraServices, { query }) => {
    const amount = parseAtoms('amount', query.amount);
    const crafted = await craftNativeTransfer(services.wallets, {
      sender: requireAddress('senderAddress', query.senderAddress),
      receiver: requireAddress('receiverAddress', query.receiverAddress),
      amount,
    });
    return toTransferJson(services, crafted, () => amount);
  },
});

export const craftToken = defineEndpoint({
  method: 'GET',
  path: '/ultra/v1/transfer/craft-token',
  operationId: 'CraftTokenTransfer',
  example: {
    query: {
      senderAddress: EXAMPLE_WALLET,
      senderTokenAccountAddress: 'CzUwE1bLnDQubaQpqNaxwdziBcKK9Zx6TumCdcppad7G',
      receiverAddress: EXAMPLE_RECEIVER,
      amount: '1000000',
      mint: EXAMPLE_MINTS.usdc,
      tokenDecimals: '6',
      tokenProgramId: TOKEN_PROGRAM,
    },
  },
  summary: 'A transfer of tokens',
  description:
    'Makes the transaction by which a wallet sends tokens, and pays for it, with the rent of a new account of the ' +
    'receiver. Everything that the query says about accounts is checked. Sign it, and send it with `transfer/execute`.',
  query: CraftTokenQuery,
  responses: { 200: CraftedTransferJson, 400: UltraError },
  handle: async (services: UltraServices, { query }) => {
    const { receiverTokenAccountAddress: receiverAccount = '' } = query;
    const crafted = await craftTokenTransfer(services.wallets, {
      sender: requireAddress('senderAddress', query.senderAddress),
      source: requireAddress('senderTokenAccountAddress', query.senderTokenAccountAddress),
      receiver: requireAddress('receiverAddress', query.receiverAddress),
      receiverAccount:
        receiverAccount === '' ? null : requireAddress('receiverTokenAccountAddress', receiverAccount),
      mint: requireAddress('mint', query.mint),
      decimals: parseDecimals(query.tokenDecimals),
      tokenProgram: requireAddress('tokenProgramId', query.tokenProgramId),
      amount: parseAtoms('amount', query.amount),
    });
    return toTransferJson(services, crafted, ({ received }) => received);
  },
});

export const executeTransfer = defineEndpoint({
  method: 'POST',
  path: '/ultra/v1/transfer/execute',
  operationId: 'ExecuteTransfer',
  example: { body: EXAMPLE_SIGNED },
  summary: 'Land a transfer',
  description:
    'Lands the signed transaction of `transfer/craft-native` or `transfer/craft-token`. A transfer that would fail is not ' +
    'sent. The same request again has the same answer. A transfer that did not happen is answered with 400, because ' +
    'clients take every 200 for a payment.',
  bucket: 'execute',
  timeoutMs: EXECUTE_TIMEOUT_MS,
  body: ExecuteSignedBody,
  responses: { 200: SignedSuccessJson, 400: SignedFailureJson, 500: SignedFailureJson },
  onInvalid: toInvalidSignedAnswer,
  handle: async ({ wallets }: UltraServices, { body }) => {
    const startedAt = wallets.timers.now();
    const result = await executeSigned(wallets, 'transfer', body);
    const { status, json } = toSignedJson(result, wallets.timers.now() - startedAt);
    if (json.status === 'Success') return json;
    return new OtherAnswer(Math.max(status, 400), json);
  },
});

function parseDecimals(text: string): number {
  if (DECIMALS.test(text)) return Number(text);
  throw new RequestRefused(`tokenDecimals must be a whole number from 0 to 255, got ${formatForError(text)}`);
}

/** @throws RequestRefused if there is no transaction */
function toTransferJson<More>(
  services: UltraServices,
  crafted: CraftedTransfer<More>,
  receivedOf: (crafted: More) => bigint,
): CraftedTransferJson {
  if (crafted.kind === 'impossible') throw new RequestRefused(crafted.error);
  const json: CraftedTransferJson = {
    requestId: crafted.requestId,
    transaction: Buffer.from(crafted.wire).toString('base64'),
    expireAt: computeExpiry(services, crafted.lastValidBlockHeight),
    feeAmount: Number(crafted.costLamports),
    rentAmount: Number(crafted.rentLamports),
    receivedAmount: String(receivedOf(crafted)),
  };
  const dollars = toDollars(services, crafted.costLamports);
  if (dollars !== null) json.feeUsdAmount = dollars;
  return json;
}
