import type { CallFault, CallFaults } from '../rpc/calls/call-faults.ts';
import type { Address } from '../../../solana/address.ts';
import type { AccountFilter, AccountUpdate, AddressField, HeldToken } from '../../accounts.ts';
import type {
  AddressSignature,
  ChainClock,
  Commitment,
  LamportSupply,
  SignatureRange,
  SignatureSearch,
  SignatureStatus,
  Simulation,
} from '../../chain.ts';
import type { LandedTransaction } from '../../landed-transactions.ts';
import type { NetworkOptions } from '../bank/bank-options.ts';
import type { BankAdmin, ReadAt } from '../ledger/bank.ts';
import type { SlotPrices } from '../blocks/priority-fees.ts';
import type { TransactionError } from '../../records/transaction-error.ts';
import type { TokenPiece } from './token-cursors.ts';
import type { TokenHolders } from './token-holders.ts';

/** The data with which the network's thread starts. */
export interface WorkerData extends NetworkOptions {
  readonly host: string;
  readonly rpcPort: number;
  readonly wsPort: number;
}

/** A blockhash with what the main thread needs to answer from memory. */
export interface PushedBlockhash {
  readonly blockhash: Address;
  readonly bytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  readonly slot: bigint;
}

/** The state of the network, sent whenever a slot begins or reaches a commitment. */
export interface NetworkStatus {
  readonly slots: Readonly<Record<Commitment, bigint>>;
  readonly heights: Readonly<Record<Commitment, bigint>>;
  readonly clock: ChainClock;
  /** What is wrong with the network, or null. */
  readonly unhealthy: string | null;
}

/** A read of an `AccountView`. */
export type ViewRead =
  | { readonly kind: 'accounts'; readonly addresses: readonly Address[] }
  | { readonly kind: 'program'; readonly program: Address; readonly filter: AccountFilter }
  | {
      readonly kind: 'field';
      readonly program: Address;
      readonly field: AddressField;
      readonly addresses: readonly Address[];
    };

/** The calls that the main thread can make. Each is answered with its result or an error. */
export interface NetworkCalls {
  getAccounts(addresses: readonly Address[], at: ReadAt): readonly AccountUpdate[];
  getProgramAccounts(program: Address, at: ReadAt, filter: AccountFilter): readonly AccountUpdate[];
  /** Makes all reads as of one state, and returns what each found. */
  read(reads: readonly ViewRead[], at: ReadAt): readonly (readonly AccountUpdate[])[];
  /** Reads the associated accounts of one owner. */
  associatedAccounts(
    owner: Address,
    tokens: readonly HeldToken[],
    at: ReadAt,
  ): readonly (AccountUpdate | null)[];
  /** Begins to read the token accounts of an owner, and returns the first of them. */
  openTokens(owner: Address, at: ReadAt): TokenPiece;
  moreTokens(cursor: number): TokenPiece;
  closeTokens(cursor: number): void;
  watchAccounts(addresses: readonly Address[]): void;
  unwatchAccounts(addresses: readonly Address[]): void;
  watchProgram(program: Address): void;
  unwatchProgram(program: Address): void;
  watchTransactions(programs: readonly Address[]): void;
  unwatchTransactions(programs: readonly Address[]): void;
  encodedTransactions(slot: bigint, programs: readonly Address[], limit: number): readonly Uint8Array[];
  simulate(transaction: Uint8Array, verifySignatures: boolean, accounts: readonly Address[]): Simulation;
  send(transaction: Uint8Array, skipPreflight: boolean): string;
  signatureStatuses(signatures: readonly string[]): readonly (SignatureStatus | null)[];
  searchSignature(signature: string): SignatureSearch;
  signaturesOf(address: Address, range: SignatureRange): readonly AddressSignature[];
  lamportSupply(): LamportSupply;
  transaction(signature: string): LandedTransaction | null;
  historyFrom(): bigint;
  tokenHolders(mint: Address, owner: Address | null): Promise<TokenHolders>;
  mintCreator(mint: Address): Address | null;
  faucet(wallet: Address, mint: Address, amount: bigint): { signature: string; account: Address };
  requestAirdrop(wallet: Address, lamports: bigint): string;
  warp: BankAdmin['warp'];
  setAccounts: BankAdmin['setAccounts'];
  saveSnapshot: BankAdmin['saveSnapshot'];
  restoreSnapshot: BankAdmin['restoreSnapshot'];
  exportSnapshot: BankAdmin['exportSnapshot'];
  importSnapshot: BankAdmin['importSnapshot'];
  reset: BankAdmin['reset'];
  deleteSnapshot: BankAdmin['deleteSnapshot'];
  snapshots: BankAdmin['snapshots'];
  setFaults: BankAdmin['setFaults'];
  faults: BankAdmin['faults'];
  faultNext: BankAdmin['faultNext'];
  nextFaults: BankAdmin['nextFaults'];
  clearNextFaults: BankAdmin['clearNextFaults'];
  faultCalls(fault: CallFault): void;
  callFaults(): ReturnType<CallFaults['list']>;
  clearCallFaults(): void;
  prices: BankAdmin['prices'];
  setPrice: BankAdmin['setPrice'];
  walkPrice: BankAdmin['walkPrice'];
  close(): void;
}

export type NetworkMethod = keyof NetworkCalls;

export interface NetworkRequest {
  readonly id: number;
  readonly method: NetworkMethod;
  readonly args: readonly unknown[];
}

/** An error between threads. Its class is lost in transfer, so its name is included. */
export interface ErrorMessage {
  readonly name: string;
  readonly message: string;
  /** Whether it is an `OperatorError`. */
  readonly operator: boolean;
  readonly transactionError: TransactionError | null;
  readonly logs: readonly string[];
}

export type ChangeBatch =
  /** Changes of watched accounts, each account once, in the order of their last change. */
  | { readonly kind: 'accounts'; readonly updates: readonly AccountUpdate[] }
  /** Changes of a watched program's accounts. Those that were closed or have another owner are null. */
  | { readonly kind: 'program'; readonly program: Address; readonly updates: readonly AccountUpdate[] };

export type FromWorker =
  | {
      readonly kind: 'ready';
      readonly genesisHash: string;
      readonly rpcUrl: string;
      readonly wsUrl: string;
      readonly status: NetworkStatus;
      /** Oldest first. */
      readonly blockhashes: readonly PushedBlockhash[];
    }
  | { readonly kind: 'refused'; readonly error: ErrorMessage }
  | { readonly kind: 'status'; readonly status: NetworkStatus; readonly prices: SlotPrices | null }
  | { readonly kind: 'blockhash'; readonly blockhash: PushedBlockhash; readonly status: NetworkStatus }
  | {
      readonly kind: 'changes';
      readonly batches: readonly ChangeBatch[];
      /** Successful transactions that name a watched program, in order of execution, as `TransactionWatches` returns them. */
      readonly encoded: Uint8Array | null;
    }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: ErrorMessage }
  /** Something failed in the network that does not stop it. */
  | { readonly kind: 'defect'; readonly where: string; readonly message: string };
