import { AddressLookupTableAccount, PublicKey, TransactionInstruction } from '@solana/web3.js';

/** An instruction as the answers of `/swap` have it. */
export interface AnsweredInstruction {
  readonly programId: string;
  readonly accounts: readonly { pubkey: string; isSigner: boolean; isWritable: boolean }[];
  readonly data: string;
}

export function toInstruction({ programId, accounts, data }: AnsweredInstruction): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(programId),
    keys: accounts.map(({ pubkey, ...rights }) => ({ pubkey: new PublicKey(pubkey), ...rights })),
    data: Buffer.from(data, 'base64'),
  });
}

/** Returns the tables of `addressesByLookupTableAddress`, without asking the network for them. */
export function toLookupTables(
  contents: Readonly<Record<string, readonly string[]>>,
): AddressLookupTableAccount[] {
  return Object.entries(contents).map(([table, addresses]) => {
    const state = {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: addresses.map((address) => new PublicKey(address)),
    };
    return new AddressLookupTableAccount({ key: new PublicKey(table), state });
  });
}
