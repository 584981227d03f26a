import { defineAccountLayout } from '../lending-base/account-layout.ts';

/** The only account of the flashloan program. Source: the public IDL `flashloan`. */
export const FLASHLOAN_ADMIN_ACCOUNT = defineAccountLayout('flashloan admin', 'a2a12d1c835bca58', {
  authority: 'address',
  liquidityProgram: 'address',
  /** Whether loans are enabled. */
  status: 'flag',
  /** Basis points. */
  flashloanFee: 'u16',
  /** Unix seconds of the last loan. */
  flashloanTimestamp: 'u64',
  isFlashloanActive: 'flag',
  /** Atoms. */
  activeFlashloanAmount: 'u64',
  bump: 'u8',
});
