import * as litesvm from 'litesvm/dist/internal.js';
import type { InstructionError, TransactionError } from '../../records/transaction-error.ts';

/** Indexed by LiteSVM's number. LiteSVM declares a `const enum`, whose names cannot be read at run time. */
const TRANSACTION_ERRORS: readonly string[] = [
  'AccountInUse',
  'AccountLoadedTwice',
  'AccountNotFound',
  'ProgramAccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'CallChainTooDeep',
  'MissingSignatureForFee',
  'InvalidAccountIndex',
  'SignatureFailure',
  'InvalidProgramForExecution',
  'SanitizeFailure',
  'ClusterMaintenance',
  'AccountBorrowOutstanding',
  'WouldExceedMaxBlockCostLimit',
  'UnsupportedVersion',
  'InvalidWritableAccount',
  'WouldExceedMaxAccountCostLimit',
  'WouldExceedAccountDataBlockLimit',
  'TooManyAccountLocks',
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidRentPayingAccount',
  'WouldExceedMaxVoteCostLimit',
  'WouldExceedAccountDataTotalLimit',
  'MaxLoadedAccountsDataSizeExceeded',
  'ResanitizationNeeded',
  'InvalidLoadedAccountsDataSizeLimit',
  'UnbalancedTransaction',
  'ProgramCacheHitMaxLimit',
  'CommitCancelled',
];

/** Indexed by LiteSVM's number. */
const INSTRUCTION_ERRORS: readonly string[] = [
  'GenericError',
  'InvalidArgument',
  'InvalidInstructionData',
  'InvalidAccountData',
  'AccountDataTooSmall',
  'InsufficientFunds',
  'IncorrectProgramId',
  'MissingRequiredSignature',
  'AccountAlreadyInitialized',
  'UninitializedAccount',
  'UnbalancedInstruction',
  'ModifiedProgramId',
  'ExternalAccountLamportSpend',
  'ExternalAccountDataModified',
  'ReadonlyLamportChange',
  'ReadonlyDataModified',
  'DuplicateAccountIndex',
  'ExecutableModified',
  'RentEpochModified',
  'NotEnoughAccountKeys',
  'AccountDataSizeChanged',
  'AccountNotExecutable',
  'AccountBorrowFailed',
  'AccountBorrowOutstanding',
  'DuplicateAccountOutOfSync',
  'InvalidError',
  'ExecutableDataModified',
  'ExecutableLamportChange',
  'ExecutableAccountNotRentExempt',
  'UnsupportedProgramId',
  'CallDepth',
  'MissingAccount',
  'ReentrancyNotAllowed',
  'MaxSeedLengthExceeded',
  'InvalidSeeds',
  'InvalidRealloc',
  'ComputationalBudgetExceeded',
  'PrivilegeEscalation',
  'ProgramEnvironmentSetupFailure',
  'ProgramFailedToComplete',
  'ProgramFailedToCompile',
  'Immutable',
  'IncorrectAuthority',
  'AccountNotRentExempt',
  'InvalidAccountOwner',
  'ArithmeticOverflow',
  'UnsupportedSysvar',
  'IllegalOwner',
  'MaxAccountsDataAllocationsExceeded',
  'MaxAccountsExceeded',
  'MaxInstructionTraceLengthExceeded',
  'BuiltinProgramsMustConsumeComputeUnits',
  'BorshIoError',
];

type LiteSvmError = ReturnType<litesvm.FailedTransactionMetadata['err']>;

/** Converts an error of LiteSVM to the form of JSON-RPC. */
export function toTransactionError(error: LiteSvmError): TransactionError {
  if (typeof error === 'number') return getLiteSvmErrorName(TRANSACTION_ERRORS, error);
  if (error instanceof litesvm.TransactionErrorInstructionError) {
    return { InstructionError: [error.index, toInstructionError(error.err())] };
  }
  if (error instanceof litesvm.TransactionErrorDuplicateInstruction) {
    return { DuplicateInstruction: error.index };
  }
  if (error instanceof litesvm.TransactionErrorInsufficientFundsForRent) {
    return { InsufficientFundsForRent: { account_index: error.accountIndex } };
  }
  return { ProgramExecutionTemporarilyRestricted: { account_index: error.accountIndex } };
}

function toInstructionError(
  error: ReturnType<litesvm.TransactionErrorInstructionError['err']>,
): InstructionError {
  if (typeof error === 'number') return getLiteSvmErrorName(INSTRUCTION_ERRORS, error);
  if (error instanceof litesvm.InstructionErrorCustom) return { Custom: error.code };
  return { BorshIoError: error.msg };
}

function getLiteSvmErrorName(names: readonly string[], index: number): string {
  const name = names[index];
  if (name === undefined) throw new RangeError(`LiteSVM answered an error that is not known: ${index}`);
  return name;
}
