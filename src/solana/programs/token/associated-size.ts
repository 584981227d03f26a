import type { Address } from '../../address.ts';
import { TOKEN_2022_PROGRAM } from '../../program-addresses.ts';
import { ExtensionType, extendedSize, TOKEN_ACCOUNT_SIZE } from './extensions.ts';
import type { Mint } from './mint.ts';

/** Length of the data that a mint's extension brings along in every token account (Token-2022's required extensions). */
const IN_ACCOUNTS: ReadonlyMap<number, number> = new Map([
  [ExtensionType.TRANSFER_FEE_CONFIG, 8],
  [ExtensionType.NON_TRANSFERABLE, 0],
  [ExtensionType.TRANSFER_HOOK, 1],
  [ExtensionType.PAUSABLE, 0],
]);
const IMMUTABLE_OWNER = 0;

/** Length of a new associated token account of the mint: the associated-token program makes its owner immutable. */
export function associatedAccountSize(tokenProgram: Address, { extensions }: Mint): number {
  if (tokenProgram !== TOKEN_2022_PROGRAM) return TOKEN_ACCOUNT_SIZE;
  const brought = extensions.flatMap(({ type }) => IN_ACCOUNTS.get(type) ?? []);
  return extendedSize([IMMUTABLE_OWNER, ...brought]);
}
