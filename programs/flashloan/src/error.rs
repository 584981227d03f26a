//! The error codes of the public program.

sluice_program::errors! {
    INVALID_AUTHORITY = 6000 FlashloanInvalidAuthority "FLASHLOAN_INVALID_AUTHORITY"
    FEE_TOO_HIGH = 6001 FlashloanFeeTooHigh "FLASHLOAN_FEE_TOO_HIGH"
    INVALID_PARAMS = 6002 FlashloanInvalidParams "FLASHLOAN_INVALID_PARAMS"
    ALREADY_ACTIVE = 6003 FlashloanAlreadyActive "FLASHLOAN_ALREADY_ACTIVE"
    ALREADY_INACTIVE = 6004 FlashloanAlreadyInactive "FLASHLOAN_ALREADY_INACTIVE"
    PAYBACK_NOT_FOUND = 6009 FlashloanPaybackNotFound "FLASHLOAN_PAYBACK_NOT_FOUND"
    INVALID_INSTRUCTION = 6010 FlashloanInvalidInstruction "FLASHLOAN_INVALID_INSTRUCTION"
    PAUSED = 6011 FlashloanPaused "FLASHLOAN_PAUSED"
    CPI_CALL_NOT_ALLOWED = 6012 FlashloanCPICallNotAllowed "FLASHLOAN_CPICALL_NOT_ALLOWED"
    MULTIPLE_PAYBACKS_FOUND = 6013 FlashloanMultiplePaybacksFound "FLASHLOAN_MULTIPLE_PAYBACKS_FOUND"

    CONSTRAINT_ASSOCIATED = 2009 ConstraintAssociated "The account is not the owner's associated token account"
    LIBRARY_MATH_ERROR = 6000 LibraryMathError "LIBRARY_MATH_ERROR"
}
