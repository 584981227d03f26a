import { type Address, toAddressBytes } from '../../../solana/address.ts';
import type { Account } from '../../accounts.ts';

const FIELD_BYTES = 32;

/**
 * Where accounts are by an address that their data holds. Nothing is removed, so what is returned are candidates: an
 * account may hold another address by now. Fields that are looked up by do not change in practice.
 */
export class FieldCandidates {
  readonly #offset: number;
  /** Keyed by the bytes as a text, because encoding a program's accounts in base58 would take too long. */
  readonly #byValue = new Map<string, Set<Address>>();

  constructor(offset: number) {
    this.#offset = offset;
  }

  note(address: Address, account: Account | null): void {
    if (account === null || account.data.length < this.#offset + FIELD_BYTES) return;
    const value = toCandidateKey(account.data, this.#offset);
    const known = this.#byValue.get(value);
    if (known === undefined) this.#byValue.set(value, new Set([address]));
    else known.add(address);
  }

  of(values: readonly Address[]): Address[] {
    const found = values.flatMap((value) => [
      ...(this.#byValue.get(toCandidateKey(toAddressBytes(value), 0)) ?? []),
    ]);
    return [...new Set(found)];
  }
}

function toCandidateKey(bytes: Uint8Array, offset: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + offset, FIELD_BYTES).toString('latin1');
}
