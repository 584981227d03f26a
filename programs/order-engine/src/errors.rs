//! The error codes of the public program.

sluice_program::errors! {
    // The interface also lists 6000. Neither the public source nor this program returns it.
    MISSING_TEMPORARY_WRAPPED_SOL_TOKEN_ACCOUNT = 6001 MissingTemporaryWrappedSolTokenAccount "The account for unwrapping SOL is missing"
    TOKEN_2022_MINT_EXTENSION_NOT_SUPPORTED = 6002 Token2022MintExtensionNotSupported "The mint takes a fee of transfers"
}
