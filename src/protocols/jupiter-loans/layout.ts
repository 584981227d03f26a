import { type Address, address, toAddressBytes } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { findProgramAddress, type ProgramAddress } from '../../solana/pda.ts';
import { JLP_POOL, PERPETUALS_PROGRAM } from '../jupiter-perpetuals/layout.ts';

/** The token of the pool's shares, which secures the loans. */
export const JLP_MINT = address('27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4');

const LOAN_SIZE = 169;
const LOAN_TAG = Uint8Array.of(0xf3, 0x8c, 0x14, 0x8b, 0x20, 0xf3, 0x72, 0x37);

/** A loan of a custody's token against JLP. */
export interface Loan {
  readonly owner: Address;
  readonly custody: Address;
  /** The debt when the loan last changed, in thousandths of an atom. */
  readonly borrowed: bigint;
  /** The custody's interest index at that time. 0 when nothing was ever borrowed. */
  readonly indexSnapshot: bigint;
  /** Atoms of JLP. */
  readonly collateral: bigint;
}

function deriveLoan(owner: Address, custody: Address): ProgramAddress {
  const seeds = [Buffer.from('borrow_lend'), ...[JLP_POOL, owner, custody].map(toAddressBytes)];
  return findProgramAddress(PERPETUALS_PROGRAM, seeds);
}

/** Derives the address of a wallet's loan. A wallet has one for each custody. */
export function deriveLoanAddress(owner: Address, custody: Address): Address {
  return deriveLoan(owner, custody).address;
}

/**
 * Decodes `BorrowPosition` of the program's public IDL.
 *
 * @throws LayoutInvalid when the data is not a loan's.
 */
export function decodeLoan(data: Uint8Array): Loan {
  const from = new ByteReader(data, 'JLP loan');
  from.expect(LOAN_TAG, 'discriminator');
  const owner = from.address();
  from.skip(32);
  const custody = from.address();
  from.skip(16);
  return { owner, custody, borrowed: from.u128(), indexSnapshot: from.u128(), collateral: from.u64() };
}

/** @param openedAt - Unix second. Nothing has changed since. */
export function encodeLoan(
  { owner, custody, borrowed, indexSnapshot, collateral }: Loan,
  openedAt: bigint,
): Uint8Array {
  const to = new ByteWriter(LOAN_SIZE).bytes(LOAN_TAG).address(owner).address(JLP_POOL).address(custody);
  to.i64(openedAt).i64(openedAt).u128(borrowed).u128(indexSnapshot).u64(collateral);
  return to.u8(deriveLoan(owner, custody).bump).i64(openedAt).finish();
}
