import { decodeBase58 } from '../../../../solana/encoding/base58.ts';
import { MAX_TRANSACTION_BYTES } from '../../../../solana/messages/transaction.ts';
import { type ConfigFields, readConfigField, readTransactionEncoding } from '../calls/config.ts';
import { decodeStrictBase64 } from '../encoding/base64.ts';
import { invalidParams } from '../../../json-rpc/rpc-errors.ts';

/** The maximum length of the text of a transaction. */
const MAX_BASE58 = 1683;
const MAX_BASE64 = 1644;

export type BinaryEncoding = 'base58' | 'base64';

/** Reads the encoding of a client's transaction, which has to be base58 or base64. */
export function readBinaryEncoding(fields: ConfigFields): BinaryEncoding {
  const encoding = readConfigField(fields, 'encoding', readTransactionEncoding) ?? 'base58';
  if (encoding === 'binary') return 'base58';
  if (encoding === 'base58' || encoding === 'base64') return encoding;
  throw invalidParams(`unsupported encoding: ${encoding}. Supported encodings: base58, base64`);
}

/**
 * Decodes a transaction or message that a client sent as text.
 *
 * @throws RpcError -32602 when it cannot be decoded.
 */
export function decodeWire(text: string, encoding: BinaryEncoding, what: string): Uint8Array {
  const longest = encoding === 'base58' ? MAX_BASE58 : MAX_BASE64;
  if (text.length > longest) {
    const size = `${text.length} characters (max: encoded/raw ${longest}/${MAX_TRANSACTION_BYTES})`;
    throw invalidParams(`${encoding} encoded ${what} too large: ${size}`);
  }
  const bytes = encoding === 'base58' ? decodeBase58(text) : decodeStrictBase64(text);
  if (bytes === null) throw invalidParams(`the ${what} is not ${encoding}`);
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    throw invalidParams(
      `decoded ${what} too large: ${bytes.length} bytes (max: ${MAX_TRANSACTION_BYTES} bytes)`,
    );
  }
  return bytes;
}
