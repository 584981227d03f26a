/** Names of the errors of the flashloan program from code 6000 on, in order, as in its public interface description. */
export const FLASHLOAN_ERRORS: readonly string[] = [
  'FlashloanInvalidAuthority',
  'FlashloanFeeTooHigh',
  'FlashloanInvalidParams',
  'FlashloanAlreadyActive',
  'FlashloanAlreadyInactive',
  'FlashloanCpiToLiquidityFailed',
  'FlashloanNotAllowedInThisSlot',
  'FlashloanInvalidInstructionSysvar',
  'FlashloanInvalidInstructionData',
  'FlashloanPaybackNotFound',
  'FlashloanInvalidInstruction',
  'FlashloanPaused',
  'FlashloanCPICallNotAllowed',
  'FlashloanMultiplePaybacksFound',
];
