/** Names of the errors of the lending program (earn) from code 6000 on, in order, as in its public interface description. */
export const LENDING_ERRORS: readonly string[] = [
  'FTokenDepositInsignificant',
  'FTokenMinAmountOut',
  'FTokenMaxAmount',
  'FTokenInvalidParams',
  'FTokenRewardsRateModelAlreadySet',
  'FTokenMaxAuthCountReached',
  'FTokenLiquidityExchangePriceUnexpected',
  'FTokenCpiToLiquidityFailed',
  'FTokenOnlyAuth',
  'FTokenOnlyAuthority',
  'FTokenOnlyRebalancer',
  'FTokenUserSupplyPositionRequired',
  'FTokenLiquidityProgramMismatch',
];
