import type { Address } from '../../address.ts';
import { TOKEN_2022_PROGRAM } from '../../program-addresses.ts';
import { type Extension, ExtensionType, computeExtendedSize, TOKEN_ACCOUNT_SIZE } from './extensions.ts';
import type { Mint } from './mint.ts';

/** By extension of a mint, the extension that Token-2022 then requires in each of its token accounts, as it begins. */
const REQUIRED_IN_ACCOUNTS: ReadonlyMap<number, Extension> = new Map([
  [ExtensionType.TRANSFER_FEE_CONFIG, empty(ExtensionType.TRANSFER_FEE_AMOUNT, 8)],
  [ExtensionType.NON_TRANSFERABLE, empty(ExtensionType.NON_TRANSFERABLE_ACCOUNT, 0)],
  [ExtensionType.TRANSFER_HOOK, empty(ExtensionType.TRANSFER_HOOK_ACCOUNT, 1)],
  [ExtensionType.PAUSABLE, empty(ExtensionType.PAUSABLE_ACCOUNT, 0)],
]);
const IMMUTABLE_OWNER = empty(ExtensionType.IMMUTABLE_OWNER, 0);

/**
 * Computes the data length of a new associated token account.
 *
 * @param tokenProgram - The program that owns the mint.
 * @returns Bytes. With Token-2022, the associated-token program always adds the immutable-owner extension.
 */
export function computeAssociatedAccountSize(tokenProgram: Address, mint: Pick<Mint, 'extensions'>): number {
  if (tokenProgram !== TOKEN_2022_PROGRAM) return TOKEN_ACCOUNT_SIZE;
  return computeExtendedSize(listNewAccountExtensions(mint).map(({ data }) => data.length));
}

/**
 * Computes the data length of a new token account that is no associated one.
 *
 * @param tokenProgram - The program that owns the mint.
 * @returns Bytes. The account has no extensions but those that the mint requires.
 */
export function computeAccountSize(tokenProgram: Address, { extensions }: Pick<Mint, 'extensions'>): number {
  const required = tokenProgram === TOKEN_2022_PROGRAM ? listRequiredExtensions(extensions) : [];
  return required.length === 0
    ? TOKEN_ACCOUNT_SIZE
    : computeExtendedSize(required.map(({ data }) => data.length));
}

/**
 * Returns the extensions of a new associated token account of a Token-2022 mint, in the order in which the
 * associated-token program writes them.
 */
export function listNewAccountExtensions({ extensions }: Pick<Mint, 'extensions'>): readonly Extension[] {
  return [IMMUTABLE_OWNER, ...listRequiredExtensions(extensions)];
}

function listRequiredExtensions(extensions: readonly Extension[]): readonly Extension[] {
  return extensions.flatMap(({ type }) => REQUIRED_IN_ACCOUNTS.get(type) ?? []);
}

function empty(type: number, length: number): Extension {
  return { type, data: new Uint8Array(length) };
}
