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
    NO_CREATORS_PRESENT_ON_METADATA = 39 "This metadata does not have creators"
    CREATOR_NOT_FOUND = 40 "This creator address was not found"
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
    INVALID_OWNER = 68 "Invalid Owner"
    IS_MUTABLE_CAN_ONLY_BE_FLIPPED_TO_FALSE = 73 "Is Mutable can only be flipped to false"
    COLLECTION_CANNOT_BE_VERIFIED = 74 "Collection cannot be verified in this instruction"
    REMOVED = 75 "This instruction was deprecated in a previous release and is now removed"
    INVALID_USE_METHOD = 77 "This use method is invalid"
    CANNOT_CHANGE_USE_METHOD = 78 "Cannot Change Use Method after the first use"
    CANNOT_CHANGE_USES = 79 "Cannot Change Remaining or Available uses after the first use"
    COLLECTION_NOT_FOUND = 80 "Collection Not Found on Metadata"
    COLLECTION_MUST_BE_A_UNIQUE_MASTER_EDITION = 82 "Collection Must Be a Unique Master Edition v2"
    CANNOT_REMOVE_VERIFIED_CREATOR = 94 "Verified creators cannot be removed."
    SIZED_COLLECTION = 102 "Can't use this function on a sized collection"
    MISSING_COLLECTION_METADATA = 103 "Missing collection metadata account"
    NOT_A_MEMBER_OF_COLLECTION = 104 "This NFT is not a member of the specified collection."
    COULD_NOT_DETERMINE_TOKEN_STANDARD = 107 "Could not determine a TokenStandard type."
    MISSING_EDITION_ACCOUNT = 108 "This mint account has an edition but none was provided."
    NOT_A_MASTER_EDITION = 109 "This edition is not a Master Edition"
    MASTER_EDITION_HAS_PRINTS = 110 "This Master Edition has existing prints"
    CANNOT_UPDATE_VERIFIED_COLLECTION = 112 "Cannot update a verified collection in this command"
    COLLECTION_MASTER_EDITION_ACCOUNT_INVALID = 113 "Edition account doesnt match collection "
    INVALID_MASTER_EDITION = 117 "Invalid Master Edition"
    NO_FREEZE_AUTHORITY_SET = 130 "Cannot create NFT with no Freeze Authority."
    MINT_IS_NOT_SIGNER = 134 "Mint needs to be signer to initialize the account"
    INVALID_TOKEN_STANDARD = 135 "Invalid token standard"
    INVALID_MINT_FOR_TOKEN_STANDARD = 136 "Invalid mint account for specified token standard"
    FEATURE_NOT_SUPPORTED = 145 "Feature not supported currently"
    MISSING_SPL_TOKEN_PROGRAM = 149 "Missing SPL token program"
    INSTRUCTION_NOT_SUPPORTED = 153 "Instruction not supported for ProgrammableNonFungible assets"
    INVALID_AUTHORITY_TYPE = 158 "Invalid authority type"
    MISSING_TOKEN_OWNER_ACCOUNT = 162 "Missing token owner"
    MISSING_PRINT_SUPPLY = 166 "Print supply is required for non-fungibles"
    MISSING_MASTER_EDITION_ACCOUNT = 167 "Missing master edition account"
    AMOUNT_MUST_BE_GREATER_THAN_ZERO = 168 "Amount must be greater than zero"
    INVALID_AMOUNT = 174 "Invalid token amount for this operation or token standard"
    MISSING_EDITION = 179 "Missing edition account"
    INVALID_PARENT_ACCOUNTS = 182 "Invalid or Unneeded parent accounts"
    INSUFFICIENT_TOKEN_BALANCE = 184 "Token account does not have enough tokens"
    MISSING_COLLECTION_MINT = 185 "Missing collection account"
    MISSING_COLLECTION_MASTER_EDITION = 186 "Missing collection master edition account"
    INVALID_INSTRUCTION = 189 "Invalid or removed instruction"
    INVALID_MINT_EXTENSION_TYPE = 194 "Invalid mint extension type"
    INVALID_MINT_CLOSE_AUTHORITY = 195 "Invalid mint close authority"
    INVALID_METADATA_POINTER = 196 "Invalid metadata pointer"
    INVALID_TOKEN_EXTENSION_TYPE = 197 "Invalid token extension type"
    MISSING_IMMUTABLE_OWNER_EXTENSION = 198 "Missing immutable owner extension"
    EXPECTED_UNINITIALIZED_ACCOUNT = 199 "Expected account to be uninitialized"
}
