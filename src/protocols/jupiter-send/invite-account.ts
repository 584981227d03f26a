import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';

/** The offset of the sender in an invite. */
export const INVITE_SENDER_AT = 8;
/** The length of an invite, in bytes. */
export const INVITE_SIZE = 201;

const TAG = Uint8Array.of(0xe6, 0x11, 0xfd, 0x4a, 0x32, 0x4e, 0x55, 0x65);
const TOKEN_BYTES = 96;

/** The token of an invite. */
export interface InviteToken {
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** The token account of the invite that holds the tokens. */
  readonly vault: Address;
}

/** An open invite, as its account says. The account is closed when the invite ends. */
export interface InviteAccount {
  readonly sender: Address;
  /** The public key of the pair that is derived from the code. */
  readonly inviteKey: Address;
  /** Null for SOL, which the account itself holds. */
  readonly token: InviteToken | null;
  /** What arrived in the invite, in atoms: less than the sender paid if the mint has a transfer fee. */
  readonly amount: bigint;
  /** What whoever returns the invite after its expiry gets, in lamports. */
  readonly reward: bigint;
  /** Unix second. */
  readonly createdAt: bigint;
  /** The first Unix second in which the invite has expired. */
  readonly expiresAt: bigint;
  readonly bump: number;
}

/**
 * Decodes the account of an invite. Its layout is ours: that of the public program is not known.
 *
 * @throws LayoutInvalid when the data is not an invite's.
 */
export function decodeInvite(data: Uint8Array): InviteAccount {
  const from = new ByteReader(data, 'invite');
  from.expect(TAG, 'discriminator');
  return {
    sender: from.address(),
    inviteKey: from.address(),
    token: readToken(from),
    amount: from.u64(),
    reward: from.u64(),
    createdAt: from.i64(),
    expiresAt: from.i64(),
    bump: from.u8(),
  };
}

/** Encodes the account of an invite. */
export function encodeInvite(invite: InviteAccount): Uint8Array {
  const { token } = invite;
  const to = new ByteWriter(INVITE_SIZE).bytes(TAG).address(invite.sender).address(invite.inviteKey);
  if (token === null) to.zeros(TOKEN_BYTES);
  else to.address(token.mint).address(token.tokenProgram).address(token.vault);
  to.u64(invite.amount).u64(invite.reward).i64(invite.createdAt).i64(invite.expiresAt).u8(invite.bump);
  return to.finish();
}

/** No mint stands at the address of the system program, which has only zero bytes. */
function readToken(from: ByteReader): InviteToken | null {
  const token = { mint: from.address(), tokenProgram: from.address(), vault: from.address() };
  return token.mint === SYSTEM_PROGRAM ? null : token;
}
