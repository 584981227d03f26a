import { createV1, mintV1, type TokenStandard } from '@metaplex-foundation/mpl-token-metadata';
import { publicKey, type TransactionBuilder } from '@metaplex-foundation/umi';
import type { Address } from '../../../src/solana/address.ts';
import type { AccountRole, Instruction } from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { decodeMetadata } from '../../../src/solana/programs/token-metadata/account.ts';
import {
  deriveEditionAddress,
  deriveMetadataAddress,
  TOKEN_METADATA_PROGRAM,
} from '../../../src/solana/programs/token-metadata/program.ts';
import { decodeTokenAccount } from '../../../src/solana/programs/token/account.ts';
import { decodeMint, encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { createBuildingUmi, toInstructions, toSigner } from './umi.ts';

export const PROGRAMS = {
  metadata: TOKEN_METADATA_PROGRAM,
  system: SYSTEM_PROGRAM,
  token: TOKEN_PROGRAM,
  token2022: TOKEN_2022_PROGRAM,
};
export const network = new TestNetwork(['token-metadata']);
export const owner = network.newWallet(1_000_000_000_000n);
export const stranger = network.newWallet();
/** The public client. The owner is its authority and pays. */
export const umi = createBuildingUmi(owner);
export const FIELDS = {
  name: 'Name',
  symbol: 'SYM',
  uri: 'https://example.com/1.json',
  sellerFeeBasisPoints: { basisPoints: 550n, identifier: '%', decimals: 2 } as const,
};
const NONE = new Uint8Array(0);

/** Sends what the client has built, and returns its error or null. */
export function send(builder: TransactionBuilder) {
  return network.send(toInstructions(builder)).error;
}

/** Returns what `createV1` takes. The mint signs unless it exists. */
export function describeAsset(mint: Address, tokenStandard: TokenStandard) {
  return {
    ...FIELDS,
    mint: network.account(mint) === null ? toSigner(mint) : publicKey(mint),
    tokenStandard,
  };
}

/** Creates an asset of which no token is minted yet, and returns its mint. */
export function createAsset(tokenStandard: TokenStandard, fields: object = {}): Address {
  const mint = network.newAddress();
  const error = send(createV1(umi, { ...describeAsset(mint, tokenStandard), ...fields }));
  if (error !== null) throw new Error(`the asset was not created: ${JSON.stringify(error)}`);
  return mint;
}

/** Creates a non-fungible token, or another asset, and mints one token to the owner. Returns its mint. */
export function mintAsset(tokenStandard: TokenStandard, fields: object = {}): Address {
  const mint = createAsset(tokenStandard, fields);
  const minting = { mint: publicKey(mint), tokenStandard, tokenOwner: publicKey(owner), amount: 1 };
  const error = send(mintV1(umi, minting));
  if (error !== null) throw new Error(`the token was not minted: ${JSON.stringify(error)}`);
  return mint;
}

/** Writes a mint of the token program, whose authorities are the owner, with other fields where they are given. */
export function writeMint(fields: Partial<Parameters<typeof encodeMint>[0]>): Address {
  const mint = network.newAddress();
  const plain = { mintAuthority: owner, supply: 0n, decimals: 0, freezeAuthority: owner, extensions: [] };
  network.setData(mint, TOKEN_PROGRAM, encodeMint({ ...plain, ...fields }));
  return mint;
}

export const metadataOf = deriveMetadataAddress;

export function editionOf(mint: Address): Address {
  return deriveEditionAddress(mint).address;
}

export function tokenOf(wallet: Address, mint: Address, program = TOKEN_PROGRAM): Address {
  return deriveAssociatedTokenAddress(wallet, mint, program);
}

export function readMint(mint: Address) {
  return decodeMint(network.account(mint)?.data ?? NONE);
}

export function readMetadata(mint: Address) {
  return decodeMetadata(network.account(metadataOf(mint))?.data ?? NONE);
}

export function readToken(token: Address) {
  return decodeTokenAccount(network.account(token)?.data ?? NONE);
}

/** Returns the bytes of the master edition in hex. */
export function readEdition(mint: Address): string {
  return Buffer.from(network.account(editionOf(mint))?.data ?? NONE).toString('hex');
}

/** Returns the instruction with other accounts at some places. */
export function withAccounts(
  instruction: Instruction,
  others: Readonly<Record<number, readonly [Address, AccountRole]>>,
): Instruction {
  const accounts = instruction.accounts.map((account, at) => {
    const other = others[at];
    return other === undefined ? account : { address: other[0], role: other[1] };
  });
  return { ...instruction, accounts };
}
