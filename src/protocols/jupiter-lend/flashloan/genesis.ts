import type { AccountLedger } from '../../../protocol/genesis/account-ledger.ts';
import type { Address } from '../../../solana/address.ts';
import { FLASHLOAN_PROGRAM, LIQUIDITY_PROGRAM } from '../lending-base/programs.ts';
import { FLASHLOAN_ADMIN } from './instructions.ts';
import { FLASHLOAN_ADMIN_ACCOUNT } from './layouts.ts';

/** Adds the account of the flashloan program. Loans are enabled and free. */
export function addFlashloans(ledger: AccountLedger, authority: Address): void {
  const data = FLASHLOAN_ADMIN_ACCOUNT.encode({
    authority,
    liquidityProgram: LIQUIDITY_PROGRAM,
    status: true,
    flashloanFee: 0,
    flashloanTimestamp: 0n,
    isFlashloanActive: false,
    activeFlashloanAmount: 0n,
    bump: FLASHLOAN_ADMIN.bump,
  });
  ledger.addData(FLASHLOAN_ADMIN.address, FLASHLOAN_PROGRAM, data);
}
