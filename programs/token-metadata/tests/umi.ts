import {
  createNoopSigner,
  publicKey,
  signerIdentity,
  signerPayer,
  type TransactionBuilder,
  type Umi,
} from '@metaplex-foundation/umi';
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults';
import { mplTokenMetadata } from '@metaplex-foundation/mpl-token-metadata';
import { type Address, address } from '../../../src/solana/address.ts';
import type { AccountRole, Instruction } from '../../../src/solana/messages/instruction.ts';

/** Returns the public client, whose authority and payer are `identity`. It builds instructions and sends nothing. */
export function createBuildingUmi(identity: Address): Umi {
  // Port 9 is never asked: the client connects only when it sends.
  const umi = createUmi('http://127.0.0.1:9').use(mplTokenMetadata());
  return umi.use(signerIdentity(toSigner(identity))).use(signerPayer(toSigner(identity)));
}

/** Returns a signer for the client. The test network checks no signatures. */
export function toSigner(of: Address) {
  return createNoopSigner(publicKey(of));
}

/** Returns the instructions that the client has built. */
export function toInstructions(builder: TransactionBuilder): readonly Instruction[] {
  return builder.getInstructions().map(({ programId, keys, data }) => ({
    programAddress: address(programId),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: address(pubkey),
      role: (Number(isSigner) * 2 + Number(isWritable)) as AccountRole,
    })),
    data,
  }));
}
