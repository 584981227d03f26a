sluice_program::errors! {
    // 6000 is in the interface and raised by nothing, here as in the public source.
    MISSING_TEMPORARY_WRAPPED_SOL_TOKEN_ACCOUNT = 6001 MissingTemporaryWrappedSolTokenAccount "The account for unwrapping SOL is missing"
    TOKEN_2022_MINT_EXTENSION_NOT_SUPPORTED = 6002 Token2022MintExtensionNotSupported "The mint takes a fee of transfers"
}
