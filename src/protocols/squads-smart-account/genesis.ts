import type { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../protocol/genesis/keys.ts';
import { deriveSmartAccountConfig } from '../../solana/programs/smart-account/addresses.ts';
import { encodeSmartAccountConfig } from '../../solana/programs/smart-account/layout.ts';
import { SMART_ACCOUNT_PROGRAM } from '../../solana/programs/smart-account/program.ts';

/** Writes the configuration without which nobody can create a smart account. */
export function addSmartAccountConfig(ledger: AccountLedger, { poolCreator }: GenesisKeys): void {
  const data = encodeSmartAccountConfig(poolCreator.address);
  ledger.addData(deriveSmartAccountConfig(), SMART_ACCOUNT_PROGRAM, data);
}
