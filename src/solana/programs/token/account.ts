import type { Address } from '../../address.ts';
import { ByteReader, LayoutInvalid } from '../../codec/byte-reader.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';
import {
  type Extension,
  hasExtensions,
  readExtensions,
  TOKEN_ACCOUNT_SIZE,
  writeExtensions,
} from './extensions.ts';
import { readOptionalAddress, readOptionalU64, writeOptionalAddress, writeOptionalU64 } from './option.ts';

export { TOKEN_ACCOUNT_SIZE } from './extensions.ts';

/** An account of the token program, or of Token-2022 with its extensions. */
export interface TokenAccount {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  /** An address that may move up to `delegatedAmount`. */
  readonly delegate: Address | null;
  readonly state: 'initialized' | 'frozen';
  /** For wrapped SOL, the lamports that are rent and not part of the balance. Null for every other mint. */
  readonly nativeReserve: bigint | null;
  readonly delegatedAmount: bigint;
  /** Null when only the owner may close the account. */
  readonly closeAuthority: Address | null;
  readonly extensions: readonly Extension[];
}

const AMOUNT_AT = 64;
const STATE_AT = 108;
const amountBytes = new Uint8Array(8);
const amountView = new DataView(amountBytes.buffer);
const STATE = { initialized: 1, frozen: 2 } as const;

/** Whether the data is an initialized token account's, provided that a token program owns the account. */
export function isTokenAccount(data: Uint8Array): boolean {
  const sized = data.length === TOKEN_ACCOUNT_SIZE || hasExtensions('account', data);
  return sized && data[STATE_AT] !== 0;
}

/**
 * Reads the balance of a token account without decoding the other fields.
 *
 * Returns atoms.
 * @throws LayoutInvalid when the data is not an initialized token account's.
 */
export function readTokenAccountAmount(data: Uint8Array): bigint {
  if (!isTokenAccount(data)) throw new LayoutInvalid(`not a valid token account: ${data.length} bytes`);
  return new DataView(data.buffer, data.byteOffset).getBigUint64(AMOUNT_AT, true);
}

/** Reads the balance, in atoms, of a token account without extensions. Returns null for other data or when frozen. */
export function findPlainBalance(data: Uint8Array): bigint | null {
  if (data.length !== TOKEN_ACCOUNT_SIZE || data[STATE_AT] !== STATE.initialized) return null;
  for (let i = 0; i < 8; i++) amountBytes[i] = data[AMOUNT_AT + i] ?? 0;
  return amountView.getBigUint64(0, true);
}

/**
 * Decodes the data of an account of the token program or Token-2022.
 *
 * @throws LayoutInvalid when the data is not an initialized token account's.
 *
 * @example
 * ```ts
 * import { decodeTokenAccount } from './account.ts';
 *
 * function isDelegated(data: Uint8Array): boolean {
 *   const { delegate, delegatedAmount } = decodeTokenAccount(data);
 *   return delegate !== null && delegatedAmount > 0n;
 * }
 * ```
 */
export function decodeTokenAccount(data: Uint8Array): TokenAccount {
  const reader = new ByteReader(data, 'token account');
  return {
    mint: reader.address(),
    owner: reader.address(),
    amount: reader.u64(),
    delegate: readOptionalAddress(reader),
    state: readState(reader),
    nativeReserve: readOptionalU64(reader),
    delegatedAmount: reader.u64(),
    closeAuthority: readOptionalAddress(reader),
    extensions: readExtensions('account', data, TOKEN_ACCOUNT_SIZE),
  };
}

export function encodeTokenAccount(account: TokenAccount): Uint8Array {
  const writer = new ByteWriter(TOKEN_ACCOUNT_SIZE);
  writer.address(account.mint).address(account.owner).u64(account.amount);
  writeOptionalAddress(writer, account.delegate);
  writer.u8(STATE[account.state]);
  writeOptionalU64(writer, account.nativeReserve);
  writer.u64(account.delegatedAmount);
  writeOptionalAddress(writer, account.closeAuthority);
  return writeExtensions('account', writer.finish(), account.extensions);
}

function readState(reader: ByteReader): TokenAccount['state'] {
  const state = reader.u8();
  if (state === STATE.initialized) return 'initialized';
  if (state === STATE.frozen) return 'frozen';
  return reader.fail(state === 0 ? 'it is not initialized' : `its state must be 1 or 2, got ${state}`);
}
