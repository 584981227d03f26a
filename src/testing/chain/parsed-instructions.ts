import { generateKeyPairSigner, type Instruction as KitInstruction } from '@solana/kit';
import { toAddress } from '../../solana/address.ts';
import { parseInstruction } from '../../chain/embedded/rpc/parsed/instructions/index.ts';

const key = (byte: number) => toAddress(new Uint8Array(32).fill(byte));
/** Five addresses. */
export const [A, B, C, D, E] = [key(1), key(2), key(3), key(4), key(5)];

export const signer = await generateKeyPairSigner();
export const others = [await generateKeyPairSigner(), await generateKeyPairSigner()] as const;
/** The signer's address, as in parsed instructions. */
export const S = signer.address;

/** Parses an instruction that a public client built. */
export function parse({ programAddress, accounts = [], data = new Uint8Array() }: KitInstruction) {
  const addresses = accounts.map(({ address }) => address);
  return parseInstruction({ program: programAddress, accounts: addresses, data: new Uint8Array(data) });
}
