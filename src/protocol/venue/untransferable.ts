import { ExtensionType, findExtension } from '../../solana/programs/token/extensions.ts';
import type { Mint } from '../../solana/programs/token/mint.ts';

const KNOWN: ReadonlySet<number> = new Set(Object.values(ExtensionType));

/** The offset of the hook's program behind its authority, and of the paused flag behind its authority. */
const HOOK_PROGRAM_AT = 32;
const PAUSED_AT = 32;

/**
 * Returns why a plain checked transfer of the mint, as a swap makes it, fails for everybody now; null if it does not. A
 * transfer hook counts, since its program needs accounts that the swap does not pass on. An unknown extension counts
 * too, because its effect on a transfer is unknown.
 */
export function findTransferObstacle({ extensions }: Mint): string | null {
  const unknown = extensions.find(({ type }) => !KNOWN.has(type));
  if (unknown !== undefined) return `extension ${unknown.type}, which is not known here`;
  if (findExtension(extensions, ExtensionType.NON_TRANSFERABLE) !== null)
    return 'tokens that cannot be moved';
  const hook = findExtension(extensions, ExtensionType.TRANSFER_HOOK);
  if (hook?.subarray(HOOK_PROGRAM_AT).some((byte) => byte !== 0)) return 'a transfer hook';
  const pausable = findExtension(extensions, ExtensionType.PAUSABLE);
  if (pausable !== null && pausable[PAUSED_AT] !== 0) return 'transfers that are paused';
  return null;
}
