import type { Address } from '../../address.ts';
import { TOKEN_2022_PROGRAM } from '../../program-addresses.ts';
import { ExtensionType, extendedSize, TOKEN_ACCOUNT_SIZE } from './extensions.ts';
import type { Mint } from './mint.ts';

/**
 * By extension of a mint, the data length of the extension that Token-2022 then requires in each of its token accounts.
 */
const REQUIRED_IN_ACCOUNTS: ReadonlyMap<number, number> = new Map([
  [ExtensionType.TRANSFER_FEE_CONFIG, 8],
  [ExtensionType.NON_TRANSFERABLE, 0],
  [ExtensionType.TRANSFER_HOOK, 1],
  [ExtensionType.PAUSABLE, 0],
]);
const IMMUTABLE_OWNER = 0;

/**
 * Computes the data length of a new associated token account.
 *
 * @param tokenProgram - The program that owns the mint.
 * @returns Bytes. With Token-2022, the associated-token program always adds the immutable-owner extension.
 */
export function associatedAccountSize(tokenProgram: Address, { extensions }: Mint): number {
  if (tokenProgram !== TOKEN_2022_PROGRAM) return TOKEN_ACCOUNT_SIZE;
  const required = extensions.flatMap(({ type }) => REQUIRED_IN_ACCOUNTS.get(type) ?? []);
  return extendedSize([IMMUTABLE_OWNER, ...required]);
}
