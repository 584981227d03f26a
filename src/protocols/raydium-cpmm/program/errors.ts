/** Names of the program's errors from code 6000 on, in order. */
export const RAYDIUM_CPMM_ERRORS: readonly string[] = [
  'NotApproved',
  'InvalidOwner',
  'EmptySupply',
  'InvalidInput',
  'IncorrectLpMint',
  'ExceededSlippage',
  'ZeroTradingTokens',
  'NotSupportMint',
  'InvalidVault',
  'InitLpAmountTooLess',
  'TransferFeeCalculateNotMatch',
  'MathOverflow',
  'InsufficientVault',
  'InvalidFeeModel',
  'NoFeeCollect',
];
