import { address } from '../../address.ts';

/** The public Squads smart account program (Squads V5): wallets that several signers move together. */
export const SMART_ACCOUNT_PROGRAM = address('SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG');
