import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { Type } from 'typebox';
import { formatForError } from '../../common/format-for-error.ts';
import { TransactionInvalid } from '../../solana/messages/transaction-invalid.ts';
import { MAX_TRANSACTION_BYTES } from '../../solana/messages/transaction.ts';
import { parseSignature } from '../../solana/messages/signature.ts';
import type { TransactionDecoder } from '../../transactions/decoding/decode-transaction.ts';
import type { DecodedTransaction } from '../../transactions/decoding/form/decoded-transaction.ts';
import { RequestInvalid } from '../http/validation.ts';
import type { OutsideBudget } from './network/outside-rpc.ts';

/** Room for a transaction in base64, and for some spaces around it. */
const BODY_LIMIT = 4_096;

const MAX_BASE64_LENGTH = Math.ceil(MAX_TRANSACTION_BYTES / 3) * 4;

const DecodeBody = Type.Object(
  {
    transaction: Type.Optional(Type.String({ description: 'A transaction in base64, signed or not.' })),
    signature: Type.Optional(
      Type.String({ maxLength: 88, description: 'The signature of a transaction that landed.' }),
    ),
  },
  { additionalProperties: false },
);

/**
 * Registers the endpoint by which pages show a transaction.
 * @param budget - What pages may read of an outside RPC; null on the embedded network.
 */
export function registerDecode(
  app: FastifyInstance,
  path: string,
  options: RouteShorthandOptions,
  decoder: TransactionDecoder,
  budget: Pick<OutsideBudget, 'take'> | null,
): void {
  const route = { ...options, bodyLimit: BODY_LIMIT, schema: { ...options.schema, body: DecodeBody } };
  app.post<{ Body: Type.Static<typeof DecodeBody> }>(path, route, async (request, reply) => {
    const decode = parseSubject(decoder, request.body);
    // A transaction or its lookup tables are read, the accounts that it names, and mints that are known by those only.
    const refused = budget?.take(request, reply, 3) ?? null;
    if (refused !== null) return refused;
    return reply.header('cache-control', 'no-store').send(await decode());
  });
}

/**
 * Returns what decodes the transaction that a body names, and throws RequestInvalid if it cannot be decoded.
 * @throws RequestInvalid if the body names none
 */
function parseSubject(
  decoder: TransactionDecoder,
  { transaction, signature }: Type.Static<typeof DecodeBody>,
): () => Promise<DecodedTransaction> {
  if (transaction !== undefined && signature === undefined) {
    const wire = parseWire(transaction);
    return () => decodeBytes(decoder, wire);
  }
  if (signature === undefined || transaction !== undefined) {
    throw new RequestInvalid('The body must have either transaction or signature');
  }
  const parsed = parseSignature(signature);
  if (parsed === null) {
    throw new RequestInvalid(`signature must be 64 bytes in base58, got ${formatForError(signature)}`);
  }
  return async () => {
    const landed = await decoder.decodeLanded(parsed);
    if (landed !== null) return landed;
    throw new RequestInvalid(
      'No confirmed transaction with this signature is in the history of the network',
      404,
    );
  };
}

/** @throws RequestInvalid if the text is not the base64 of a transaction's size */
function parseWire(base64: string): Uint8Array {
  if (base64.length > MAX_BASE64_LENGTH) {
    throw new RequestInvalid(
      `transaction must have at most ${MAX_TRANSACTION_BYTES} bytes, ${MAX_BASE64_LENGTH} characters of base64, got ${base64.length}`,
    );
  }
  const wire = Buffer.from(base64, 'base64');
  if (wire.toString('base64') !== base64) {
    throw new RequestInvalid(`transaction must be base64, got ${formatForError(base64)}`);
  }
  return wire;
}

async function decodeBytes(decoder: TransactionDecoder, wire: Uint8Array): Promise<DecodedTransaction> {
  try {
    return await decoder.decode(wire);
  } catch (error) {
    if (error instanceof TransactionInvalid) throw new RequestInvalid(`Not a transaction: ${error.message}`);
    throw error;
  }
}
