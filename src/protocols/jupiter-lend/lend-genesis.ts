import type { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../protocol/genesis/keys.ts';
import type { ProtocolGenesis } from '../../protocol/genesis/protocol-genesis.ts';
import { addFlashloans } from './flashloan/genesis.ts';
import { LendingBook } from './genesis/book.ts';
import { addLending } from './genesis/genesis.ts';
import { setUpEarn } from './genesis/setup.ts';
import { addOracles } from './oracle/genesis.ts';
import { setUpVaults } from './vaults/genesis/setup.ts';
import { VaultBook } from './vaults/genesis/vault-book.ts';
import { addVaults } from './vaults/genesis/write-vaults.ts';
import { lendingGenesis } from './venue/genesis.ts';

/** The lending programs in the embedded network, set up some months before it begins. */
export const jupiterLendGenesis: ProtocolGenesis = {
  addAccounts: addLendAccounts,
  pools: lendingGenesis,
  addLastAccounts: (ledger, keys) => {
    addOracles(ledger, keys);
    addFlashloans(ledger, keys.lendingAuthority.address);
  },
};

/** Writes the accounts of the earn tokens and of the vaults, which use the same reserves. */
function addLendAccounts(ledger: AccountLedger, keys: GenesisKeys, foundedAt: bigint): void {
  const authority = keys.lendingAuthority.address;
  const lending = new LendingBook();
  setUpEarn(lending, keys, foundedAt);
  const vaults = new VaultBook(lending, authority);
  setUpVaults(vaults, lending, keys, foundedAt);
  addLending(ledger, keys, lending);
  addVaults(ledger, authority, vaults.vaults());
}
