import { type AccountInfo, Connection, PublicKey, type Transaction } from '@solana/web3.js';
import type { Address } from '../../solana/address.ts';
import type { AccountRole, Instruction } from '../../solana/messages/instruction.ts';
import type { TestNetwork } from './network.ts';

/** A connection of `@solana/web3.js` that reads the accounts of a test network. It has no address that it could ask. */
export class NetworkConnection extends Connection {
  readonly #network: TestNetwork;

  constructor(network: TestNetwork) {
    super('http://127.0.0.1:0');
    this.#network = network;
  }

  override async getAccountInfo(key: PublicKey): Promise<AccountInfo<Buffer> | null> {
    const account = this.#network.account(key.toBase58() as Address);
    if (account === null) return null;
    return {
      lamports: Number(account.lamports),
      owner: new PublicKey(account.owner),
      data: Buffer.from(account.data),
      executable: account.executable,
      rentEpoch: 0,
    };
  }

  override async getAccountInfoAndContext(key: PublicKey) {
    return { context: { slot: 0 }, value: await this.getAccountInfo(key) };
  }
}

/** Returns the instructions of a transaction that a library has built. */
export function readInstructions({ instructions }: Transaction): Instruction[] {
  return instructions.map(({ programId, keys, data }) => ({
    programAddress: programId.toBase58() as Address,
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: pubkey.toBase58() as Address,
      role: ((isSigner ? 2 : 0) | (isWritable ? 1 : 0)) as AccountRole,
    })),
    data,
  }));
}
