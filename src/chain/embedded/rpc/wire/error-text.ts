import type { InstructionError, TransactionError } from '../../../records/transaction-error.ts';

/**
 * Messages that programs match on, with the wording of validators. All other errors are reported by their name,
 * which is as informative.
 */
const TRANSACTION_SENTENCES: Readonly<Record<string, string>> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
};

const INSTRUCTION_SENTENCES: Readonly<Record<string, string>> = {
  InvalidArgument: 'invalid program argument',
  InvalidInstructionData: 'invalid instruction data',
  InvalidAccountData: 'invalid account data for instruction',
  InsufficientFunds: 'insufficient funds for instruction',
  IncorrectProgramId: 'incorrect program id for instruction',
  MissingRequiredSignature: 'missing required signature for instruction',
  ComputationalBudgetExceeded: 'Computational budget exceeded',
  ProgramFailedToComplete: 'Program failed to complete',
};

/** Returns a message for people, and for clients that look for a custom program error in it. */
export function formatTransactionError(error: TransactionError): string {
  if (typeof error === 'string') return TRANSACTION_SENTENCES[error] ?? words(error);
  if ('InstructionError' in error) {
    const [index, cause] = error.InstructionError;
    return `Error processing Instruction ${index}: ${instructionErrorText(cause)}`;
  }
  if ('DuplicateInstruction' in error) return `Instruction ${error.DuplicateInstruction} is a duplicate`;
  if ('InsufficientFundsForRent' in error) {
    const index = error.InsufficientFundsForRent.account_index;
    return `Transaction results in an account (${index}) with insufficient funds for rent`;
  }
  const index = error.ProgramExecutionTemporarilyRestricted.account_index;
  return `Execution of the program referenced by account at index ${index} is temporarily restricted.`;
}

function instructionErrorText(error: InstructionError): string {
  if (typeof error === 'string') return INSTRUCTION_SENTENCES[error] ?? words(error);
  if ('Custom' in error) return `custom program error: 0x${error.Custom.toString(16)}`;
  return `Failed to serialize or deserialize account data: ${error.BorshIoError}`;
}

/** Converts `TooManyAccountLocks` to `Too many account locks`. */
function words(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
