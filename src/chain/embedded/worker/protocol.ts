import type { Address } from '../../../solana/address.ts';
import type { AccountFilter, AccountUpdate, AddressField } from '../../accounts.ts';
import type { ChainClock, Commitment } from '../../chain.ts';
import type { NetworkOptions } from '../bank/bank-options.ts';
import type { SlotPrices } from '../blocks/priority-fees.ts';
import type { NetworkRefusalKind } from '../ledger/bank.ts';
import type { TransactionError } from '../../records/transaction-error.ts';

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

/** A call of the main thread, which is answered with its result or an error. */
export interface NetworkRequest {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** An error between threads. Its class is lost in transfer, so its name is included. */
export interface ErrorMessage {
  readonly name: string;
  readonly message: string;
  /** Whether it is an `OperatorError`. */
  readonly operator: boolean;
  /** The kind of a `NetworkRefused`; null for other errors. */
  readonly refusal: NetworkRefusalKind | null;
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
      /** The names of the controls that the main thread can call. */
      readonly controls: readonly string[];
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
