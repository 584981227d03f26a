import type { Instruction } from '../../../solana/messages/instruction.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import type { AddressedAccount } from '../records/records.ts';
import type { SnapshotPolicy } from '../storage/storage.ts';

export interface BankOptions {
  /** Where the network is kept; null keeps nothing. Nobody else may use the folder. */
  readonly folder: string | null;
  /** Must be that of the network in the folder, if there is one. */
  readonly seed: string;
  /** What a network that is not in the folder yet begins with, programs included. */
  readonly genesis: readonly AddressedAccount[];
  /** Written at every start over what was kept: programs to be up to date, and accounts that the operator loads. */
  readonly overlay: readonly AddressedAccount[];
  /** Pays airdrops and the faucet's transactions. */
  readonly faucet: Keypair;
  /** Keys with which the faucet mints; of other mints it borrows the authority for one transaction. */
  readonly mintAuthorities: readonly Keypair[];
  /** What the faucet's key sends when an epoch begins, each in a transaction of its own; default none. */
  readonly epochInstructions?: readonly Instruction[];
  /** Length of a slot in milliseconds, by which the clock follows when slots are skipped. */
  readonly slotMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Refuses the faucet and all of `BankAdmin`. */
  readonly production: boolean;
  /** Transactions that are kept; default 20,000. */
  readonly historyCapacity?: number;
  readonly snapshotPolicy?: SnapshotPolicy;
  /** Called when something failed that the network goes on without, such as a snapshot; default: nobody is told. */
  readonly onDefect?: (where: string, error: unknown) => void;
}
