import type { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../protocol/genesis/keys.ts';
import type { ProtocolGenesis } from '../../protocol/genesis/protocol-genesis.ts';
import { encodeDcaFeeAuthority } from './dca-fee-authority.ts';
import { DCA_FEE_AUTHORITY, DCA_PROGRAM } from './dca-program.ts';

/** 100 SOL, which pay for fills and for the accounts that they open. */
const KEEPER_LAMPORTS = 100_000_000_000n;

/** The keeper of DCA orders, and who may withdraw their fees. */
export const jupiterDcaGenesis: ProtocolGenesis = { addAccounts: addFeeAuthority };

function addFeeAuthority(ledger: AccountLedger, { dcaKeeper, feeOwner }: GenesisKeys): void {
  ledger.addWallet(dcaKeeper.address, KEEPER_LAMPORTS);
  const data = encodeDcaFeeAuthority({ admin: feeOwner.address, keepers: [dcaKeeper.address] });
  ledger.addData(DCA_FEE_AUTHORITY.address, DCA_PROGRAM, data);
}
