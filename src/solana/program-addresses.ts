import { type Address, address } from './address.ts';

// These addresses are the same on every Solana network.

export const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
export const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022_PROGRAM = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const ASSOCIATED_TOKEN_PROGRAM = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
export const COMPUTE_BUDGET_PROGRAM = address('ComputeBudget111111111111111111111111111111');
export const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
/** The first version of the memo program: it takes no signers. */
export const MEMO_PROGRAM_V1 = address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
export const ADDRESS_LOOKUP_TABLE_PROGRAM = address('AddressLookupTab1e1111111111111111111111111');
export const CONFIG_PROGRAM = address('Config1111111111111111111111111111111111111');
/** Owns the accounts that say which changes of the network are active. */
export const FEATURE_PROGRAM = address('Feature111111111111111111111111111111111111');
export const STAKE_PROGRAM = address('Stake11111111111111111111111111111111111111');
export const VOTE_PROGRAM = address('Vote111111111111111111111111111111111111111');
export const ED25519_PROGRAM = address('Ed25519SigVerify111111111111111111111111111');
export const SECP256K1_PROGRAM = address('KeccakSecp256k11111111111111111111111111111');
export const SECP256R1_PROGRAM = address('Secp256r1SigVerify1111111111111111111111111');

/** Owns the built-in programs. */
export const NATIVE_LOADER = address('NativeLoader1111111111111111111111111111111');
export const BPF_LOADER_DEPRECATED = address('BPFLoader1111111111111111111111111111111111');
export const BPF_LOADER = address('BPFLoader2111111111111111111111111111111111');
export const BPF_LOADER_UPGRADEABLE = address('BPFLoaderUpgradeab1e11111111111111111111111');
export const LOADER_V4 = address('LoaderV411111111111111111111111111111111111');

/** Owns the sysvar accounts. */
export const SYSVAR_OWNER = address('Sysvar1111111111111111111111111111111111111');
export const SYSVAR_CLOCK = address('SysvarC1ock11111111111111111111111111111111');
export const SYSVAR_EPOCH_REWARDS = address('SysvarEpochRewards1111111111111111111111111');
export const SYSVAR_EPOCH_SCHEDULE = address('SysvarEpochSchedu1e111111111111111111111111');
export const SYSVAR_INSTRUCTIONS = address('Sysvar1nstructions1111111111111111111111111');
export const SYSVAR_LAST_RESTART_SLOT = address('SysvarLastRestartS1ot1111111111111111111111');
export const SYSVAR_RECENT_BLOCKHASHES = address('SysvarRecentB1ockHashes11111111111111111111');
export const SYSVAR_RENT = address('SysvarRent111111111111111111111111111111111');
export const SYSVAR_SLOT_HASHES = address('SysvarS1otHashes111111111111111111111111111');
export const SYSVAR_SLOT_HISTORY = address('SysvarS1otHistory11111111111111111111111111');
export const SYSVAR_STAKE_HISTORY = address('SysvarStakeHistory1111111111111111111111111');

/** The mint of wrapped SOL under the token program. */
export const WRAPPED_SOL_MINT = address('So11111111111111111111111111111111111111112');
/** The mint of wrapped SOL under Token-2022. Few use it, and Sluice takes it for a token like any other. */
export const TOKEN_2022_WRAPPED_SOL_MINT = address('9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP');

/** Whether token accounts of a mint can be closed with tokens in them, which are paid out as lamports. */
export function isPaidOutOnClosing(mint: Address): boolean {
  return mint === WRAPPED_SOL_MINT || mint === TOKEN_2022_WRAPPED_SOL_MINT;
}

/** Whether `program` is the token program or Token-2022. */
export function isTokenProgram(program: Address): boolean {
  return program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
}
