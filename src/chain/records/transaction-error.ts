/**
 * A `TransactionError` value of the JSON-RPC interface: a name, or an object with one key.
 * The names and shapes are those of the `solana-transaction-error` and `solana-instruction-error` crates.
 */
export type TransactionError =
  | string
  | { readonly InstructionError: readonly [index: number, error: InstructionError] }
  | { readonly DuplicateInstruction: number }
  | { readonly InsufficientFundsForRent: { readonly account_index: number } }
  | { readonly ProgramExecutionTemporarilyRestricted: { readonly account_index: number } };

export type InstructionError = string | { readonly Custom: number } | { readonly BorshIoError: string };
