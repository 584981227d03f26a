/** The error codes of the invite program from 6000. They are ours: those of the public program are not known. */
export const INVITE_ERRORS = [
  'InvalidAmount',
  'InvalidExpiry',
  'InviteExists',
  'InviteExpired',
  'InviteNotExpired',
  'InvalidReceiver',
  'InvalidTokenAccount',
  'UnexpectedAccounts',
  'NativeMint',
  'UnsupportedMint',
  'InsufficientRent',
  'MathOverflow',
] as const;
