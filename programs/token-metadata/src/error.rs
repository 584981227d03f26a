//! The public program's error codes and texts. Codes that no instruction here returns are left out.

use sluice_program::{log, ProgramError};

/// An error with its number, and the text that the public program logs for it.
#[derive(Clone, Copy)]
pub struct MetadataError {
    number: u32,
    text: &'static str,
}

impl From<MetadataError> for ProgramError {
    #[cold]
    #[inline(never)]
    fn from(error: MetadataError) -> Self {
        log::text(error.text);
        ProgramError::custom(error.number)
    }
}

macro_rules! errors {
    ($($constant:ident = $number:literal $text:literal)*) => {
        $(pub const $constant: MetadataError = MetadataError { number: $number, text: $text };)*
    };
}

errors! {
    INVALID_METADATA_KEY = 5 "Metadata's key must match seed of ['metadata', program id, mint] provided"
    UPDATE_AUTHORITY_INCORRECT = 7 "Update Authority given does not match"
    UPDATE_AUTHORITY_IS_NOT_SIGNER = 8 "Update Authority needs to be signer to update metadata"
    NOT_MINT_AUTHORITY = 9 "You must be the mint authority and signer on this transaction"
    INVALID_MINT_AUTHORITY = 10 "Mint authority provided does not match the authority on the mint"
    NAME_TOO_LONG = 11 "Name too long"
    SYMBOL_TOO_LONG = 12 "Symbol too long"
    URI_TOO_LONG = 13 "URI too long"
    MINT_MISMATCH = 15 "Mint given does not match mint on Metadata"
    EDITIONS_MUST_HAVE_EXACTLY_ONE_TOKEN = 16 "Editions must have exactly one token"
    EDITION_MINT_DECIMALS_SHOULD_BE_ZERO = 24 "EditionMintDecimalsShouldBeZero"
    DERIVED_KEY_INVALID = 27 "Derived key invalid"
    CREATORS_TOO_LONG = 36 "Creators list too long"
    CREATORS_MUST_BE_AT_LEAST_ONE = 37 "Creators must be at least one if set"
    INVALID_BASIS_POINTS = 41 "Basis points cannot be more than 10000"
    PRIMARY_SALE_CAN_ONLY_BE_FLIPPED_TO_TRUE = 42 "Primary sale can only be flipped to true and is immutable"
    SHARE_TOTAL_MUST_BE_100 = 45 "Share total must equal 100 for creator array"
    NUMERICAL_OVERFLOW = 51 "NumericalOverflowError"
    CANNOT_VERIFY_ANOTHER_CREATOR = 54 "You cannot unilaterally verify another creator, they must sign"
    CANNOT_UNVERIFY_ANOTHER_CREATOR = 55 "You cannot unilaterally unverify another creator"
    INCORRECT_OWNER = 57 "Incorrect account owner"
    DATA_IS_IMMUTABLE = 59 "Data is immutable"
    DUPLICATE_CREATOR_ADDRESS = 60 "No duplicate creator addresses"
    INVALID_TOKEN_PROGRAM = 62 "Invalid token program"
    DATA_TYPE_MISMATCH = 63 "Data type mismatch"
    IS_MUTABLE_CAN_ONLY_BE_FLIPPED_TO_FALSE = 73 "Is Mutable can only be flipped to false"
    COLLECTION_CANNOT_BE_VERIFIED = 74 "Collection cannot be verified in this instruction"
    REMOVED = 75 "This instruction was deprecated in a previous release and is now removed"
    INVALID_USE_METHOD = 77 "This use method is invalid"
    CANNOT_CHANGE_USE_METHOD = 78 "Cannot Change Use Method after the first use"
    CANNOT_CHANGE_USES = 79 "Cannot Change Remaining or Available uses after the first use"
    CANNOT_REMOVE_VERIFIED_CREATOR = 94 "Verified creators cannot be removed."
    NOT_A_MASTER_EDITION = 109 "This edition is not a Master Edition"
    CANNOT_UPDATE_VERIFIED_COLLECTION = 112 "Cannot update a verified collection in this command"
    INVALID_MASTER_EDITION = 117 "Invalid Master Edition"
    NO_FREEZE_AUTHORITY_SET = 130 "Cannot create NFT with no Freeze Authority."
    MINT_IS_NOT_SIGNER = 134 "Mint needs to be signer to initialize the account"
    INVALID_TOKEN_STANDARD = 135 "Invalid token standard"
    INVALID_MINT_FOR_TOKEN_STANDARD = 136 "Invalid mint account for specified token standard"
    FEATURE_NOT_SUPPORTED = 145 "Feature not supported currently"
    MISSING_SPL_TOKEN_PROGRAM = 149 "Missing SPL token program"
    INSTRUCTION_NOT_SUPPORTED = 153 "Instruction not supported for ProgrammableNonFungible assets"
    MISSING_TOKEN_OWNER_ACCOUNT = 162 "Missing token owner"
    MISSING_PRINT_SUPPLY = 166 "Print supply is required for non-fungibles"
    MISSING_MASTER_EDITION_ACCOUNT = 167 "Missing master edition account"
    AMOUNT_MUST_BE_GREATER_THAN_ZERO = 168 "Amount must be greater than zero"
    INVALID_INSTRUCTION = 189 "Invalid or removed instruction"
    INVALID_MINT_EXTENSION_TYPE = 194 "Invalid mint extension type"
    INVALID_MINT_CLOSE_AUTHORITY = 195 "Invalid mint close authority"
    INVALID_METADATA_POINTER = 196 "Invalid metadata pointer"
    INVALID_TOKEN_EXTENSION_TYPE = 197 "Invalid token extension type"
    MISSING_IMMUTABLE_OWNER_EXTENSION = 198 "Missing immutable owner extension"
    EXPECTED_UNINITIALIZED_ACCOUNT = 199 "Expected account to be uninitialized"
}
