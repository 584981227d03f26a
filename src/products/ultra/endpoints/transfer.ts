import { EXECUTE_TIMEOUT_MS } from '../../../transactions/submit/submit-and-confirm.ts';
import { EXAMPLE_MINTS, EXAMPLE_WALLET } from '../../example-values.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { executeSigned } from '../../../transactions/signed/execute-signed.ts';
import { type CraftedTransfer, craftNativeTransfer } from '../transfer/native-transfer.ts';
import { craftTokenTransfer } from '../transfer/token-transfer.ts';
import { toDollars, computeExpiry } from './crafted-json.ts';
import { UltraError } from './schema.ts';
import type { UltraServices } from './services.ts';
import { toInvalidSignedAnswer, toSignedJson } from './signed-json.ts';
import {
  CraftedTransferJson,
  CRAFT_NATIVE_QUERY,
  CRAFT_TOKEN_QUERY,
  EXAMPLE_SIGNED,
  ExecuteSignedBody,
  SignedFailureJson,
  SignedSuccessJson,
} from './transfer-schema.ts';

const EXAMPLE_RECEIVER = 'HN7cABqLq46Es1jh92dQQisAq662SmxELLLsHHe4YWrH';

export const craftNative = defineEndpoint({
  method: 'GET',
  path: '/ultra/v1/transfer/craft-native',
  operationId: 'CraftNativeTransfer',
  example: { query: { senderAddress: EXAMPLE_WALLET, receiverAddress: EXAMPLE_RECEIVER, amount: '1000000' } },
  summary: 'A transfer of SOL',
  description:
    'Makes the transaction by which a wallet sends SOL, and pays for it. Sign it, and send it with `transfer/execute`.',
  query: CRAFT_NATIVE_QUERY.schema,
  responses: { 200: CraftedTransferJson, 400: UltraError },
  handle: async (services: UltraServices, { query }) => {
    const read = CRAFT_NATIVE_QUERY.reader(query);
    const amount = read('amount');
    const crafted = await craftNativeTransfer(services.wallets, {
      sender: read('senderAddress'),
      receiver: read('receiverAddress'),
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
  query: CRAFT_TOKEN_QUERY.schema,
  responses: { 200: CraftedTransferJson, 400: UltraError },
  handle: async (services: UltraServices, { query }) => {
    const read = CRAFT_TOKEN_QUERY.reader(query);
    const crafted = await craftTokenTransfer(services.wallets, {
      sender: read('senderAddress'),
      source: read('senderTokenAccountAddress'),
      receiver: read('receiverAddress'),
      receiverAccount: read('receiverTokenAccountAddress'),
      mint: read('mint'),
      decimals: read('tokenDecimals'),
      tokenProgram: read('tokenProgramId'),
      amount: read('amount'),
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
