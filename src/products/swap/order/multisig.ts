import type { Chain } from '../../../chain/chain.ts';
import type { Account } from '../../../chain/accounts.ts';
import { findVaultIndex } from '../../../solana/programs/smart-account/addresses.ts';
import type { VaultExecution } from '../../../solana/programs/smart-account/execute-instruction.ts';
import {
  decodeSmartAccountSettings,
  Permission,
  type SmartAccountSettings,
} from '../../../solana/programs/smart-account/layout.ts';
import { SMART_ACCOUNT_PROGRAM } from '../../../solana/programs/smart-account/program.ts';
import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { SwapRefused } from '../../../swaps/refusals.ts';

/** Who shall move which vault, by the request. */
interface NamedVault {
  readonly settings: Address;
  readonly vault: Address;
  readonly signers: readonly Address[];
}

const PERMISSIONS = [
  ['initiate', Permission.INITIATE],
  ['vote', Permission.VOTE],
  ['execute', Permission.EXECUTE],
] as const;

/**
 * Checks by the chain that the signers may move the vault at once, as its program will when the transaction lands.
 * @throws SwapRefused when they may not, and where the network has no such program
 * @throws ChainUnavailable when the network does not answer
 */
export async function resolveVault(
  chain: Pick<Chain, 'getAccounts'>,
  { settings, vault, signers }: NamedVault,
): Promise<VaultExecution> {
  const read = await chain.getAccounts([SMART_ACCOUNT_PROGRAM, settings]);
  const accounts = new Map(read.map(({ address, account }) => [address, account]));
  if (accounts.get(SMART_ACCOUNT_PROGRAM)?.executable !== true) {
    throw new SwapRefused({ kind: 'no-multisig-program', program: SMART_ACCOUNT_PROGRAM });
  }
  checkSigners(settings, requireSettings(settings, accounts.get(settings) ?? null), signers);
  const vaultIndex = findVaultIndex(settings, vault);
  if (vaultIndex === null) throw new SwapRefused({ kind: 'not-a-vault', vault, settings });
  return { settings, vaultIndex, vault, signers };
}

function requireSettings(settings: Address, account: Account | null): SmartAccountSettings {
  const owner = account?.owner ?? null;
  const refusal = { kind: 'no-multisig-settings', settings, owner } as const;
  if (account === null || owner !== SMART_ACCOUNT_PROGRAM) throw new SwapRefused(refusal);
  try {
    return decodeSmartAccountSettings(account.data);
  } catch (error) {
    throw error instanceof LayoutInvalid ? new SwapRefused(refusal) : error;
  }
}

function checkSigners(
  settings: Address,
  { threshold, timeLock, permissions }: SmartAccountSettings,
  signers: readonly Address[],
): void {
  if (timeLock !== 0) throw new SwapRefused({ kind: 'multisig-time-lock', settings, seconds: timeLock });
  let [together, votes] = [0, 0];
  for (const signer of signers) {
    const own = permissions.get(signer);
    if (own === undefined) throw new SwapRefused({ kind: 'not-a-member', signer, settings });
    together |= own;
    if ((own & Permission.VOTE) !== 0) votes++;
  }
  if (votes < threshold) throw new SwapRefused({ kind: 'too-few-signers', votes, threshold });
  const lacking = PERMISSIONS.filter(([, bit]) => (together & bit) === 0).map(([name]) => name);
  if (lacking.length > 0) throw new SwapRefused({ kind: 'signers-without-permission', lacking });
}
