//! The error codes. Those of the public program are not known.

sluice_program::errors! {
    INVALID_AMOUNT = 6000 InvalidAmount "The amount is zero, or nothing of it arrives behind the transfer fee"
    INVALID_EXPIRY = 6001 InvalidExpiry "The expiry is not in the future"
    INVITE_EXISTS = 6002 InviteExists "An invite with this key is open"
    INVITE_EXPIRED = 6003 InviteExpired "The invite has expired"
    INVITE_NOT_EXPIRED = 6004 InviteNotExpired "The invite has not expired"
    INVALID_RECEIVER = 6005 InvalidReceiver "The invite cannot be its own receiver"
    INVALID_TOKEN_ACCOUNT = 6006 InvalidTokenAccount "The token account is of another owner, mint or token program, or not the associated one"
    UNEXPECTED_ACCOUNTS = 6007 UnexpectedAccounts "The accounts of tokens are all left out for SOL, and all given for a token"
    NATIVE_MINT = 6008 NativeMint "SOL is sent as SOL itself, without its mint"
    UNSUPPORTED_MINT = 6009 UnsupportedMint "The mint's tokens could not leave the invite again"
    INSUFFICIENT_RENT = 6010 InsufficientRent "The rents of the invite do not pay for the sender's token account"
    MATH_OVERFLOW = 6011 MathOverflow "A number exceeds its type"
}
