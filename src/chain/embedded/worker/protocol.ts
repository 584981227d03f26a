import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import type {
  AccountFilter,
  AccountUpdate,
  ChainClock,
  Commitment,
  LandedTransaction,
  SignatureSearch,
  SignatureStatus,
  Simulation,
} from '../../chain.ts';
import type { BankAdmin } from '../ledger/bank.ts';
import type { SlotPrices } from '../blocks/priority-fees.ts';
import type { AddressedAccount } from '../records/records.ts';
import type { TransactionError } from '../records/transaction-error.ts';

/** What the network's thread is started with. */
export interface WorkerData {
  readonly folder: string | null;
  readonly seed: string;
  readonly genesis: readonly AddressedAccount[];
  readonly overlay: readonly AddressedAccount[];
  readonly faucet: Keypair;
  readonly mintAuthorities: readonly Keypair[];
  readonly epochInstructions?: readonly Instruction[];
  readonly slotMs: number;
  readonly production: boolean;
  readonly host: string;
  readonly rpcPort: number;
  readonly wsPort: number;
}

/** What the main thread keeps of a slot's blockhash, to answer from memory. */
export interface PushedBlockhash {
  readonly blockhash: Address;
  readonly bytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  readonly slot: bigint;
}

/** Where the network stands. Sent whenever a slot begins or reaches a commitment. */
export interface NetworkStatus {
  readonly slots: Readonly<Record<Commitment, bigint>>;
  readonly heights: Readonly<Record<Commitment, bigint>>;
  readonly clock: ChainClock;
  /** Null when all is well. */
  readonly unhealthy: string | null;
}

/** What the main thread can ask. Each is answered by its result, or by an error that keeps its kind. */
export interface Calls {
  getAccounts(addresses: readonly Address[], commitment: Commitment): readonly AccountUpdate[];
  getProgramAccounts(
    program: Address,
    commitment: Commitment,
    filter: AccountFilter,
  ): readonly AccountUpdate[];
  watchAccounts(addresses: readonly Address[]): void;
  unwatchAccounts(addresses: readonly Address[]): void;
  watchProgram(program: Address): void;
  unwatchProgram(program: Address): void;
  simulate(transaction: Uint8Array, verifySignatures: boolean, accounts: readonly Address[]): Simulation;
  send(transaction: Uint8Array, skipPreflight: boolean): string;
  signatureStatuses(signatures: readonly string[]): readonly (SignatureStatus | null)[];
  searchSignature(signature: string): SignatureSearch;
  transaction(signature: string): LandedTransaction | null;
  faucet(wallet: Address, mint: Address, amount: bigint): { signature: string; account: Address };
  requestAirdrop(wallet: Address, lamports: bigint): string;
  warp: BankAdmin['warp'];
  setAccounts: BankAdmin['setAccounts'];
  saveSnapshot: BankAdmin['saveSnapshot'];
  restoreSnapshot: BankAdmin['restoreSnapshot'];
  deleteSnapshot: BankAdmin['deleteSnapshot'];
  snapshots: BankAdmin['snapshots'];
  setFaults: BankAdmin['setFaults'];
  faults: BankAdmin['faults'];
  close(): void;
}

export type Method = keyof Calls;

export interface Request {
  readonly id: number;
  readonly method: Method;
  readonly args: readonly unknown[];
}

/** The class of an error does not survive the way between threads, so its name goes along. */
export interface ErrorMessage {
  readonly name: string;
  readonly message: string;
  /** Whoever runs the program can mend it. */
  readonly operator: boolean;
  readonly transactionError: TransactionError | null;
  readonly logs: readonly string[];
}

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
  /** Accounts that a watch is for, each once, in the order of their last change. */
  | { readonly kind: 'accounts'; readonly updates: readonly AccountUpdate[] }
  /** Accounts of a watched program: gone or of another owner ones are null. */
  | { readonly kind: 'program'; readonly program: Address; readonly updates: readonly AccountUpdate[] }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: ErrorMessage }
  /** Something went wrong inside the network that is a defect; it goes on. */
  | { readonly kind: 'defect'; readonly where: string; readonly message: string };
