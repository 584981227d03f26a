import type { Instruction } from '../../../solana/messages/instruction.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import type { AddressedAccount } from '../../records/records.ts';
import type { KeptFeed } from '../ledger/network-prices.ts';
import type { SnapshotPolicy } from '../storage/storage.ts';

/** The options of an embedded network, wherever it runs. */
export interface NetworkOptions {
  /** The folder that stores the network, for this process alone. With null, the network is only in memory. */
  readonly folder: string | null;
  /** It must equal the seed of the network in the folder, if there is one. */
  readonly seed: string;
  /** The accounts and programs of a new network. */
  readonly genesis: readonly AddressedAccount[];
  /** Accounts that are written at every start: current programs, and accounts that the operator loads. */
  readonly overlay: readonly AddressedAccount[];
  /** Pays airdrops and the faucet's transactions. */
  readonly faucet: Keypair;
  /** Keys with which the faucet mints. For other mints it replaces the authority during one transaction. */
  readonly mintAuthorities: readonly Keypair[];
  /** Instructions that the faucet's key sends when an epoch begins, each in its own transaction. Default none. */
  readonly epochInstructions?: readonly Instruction[];
  /** Price feeds that the network keeps current; the faucet's key may write them. Default none. */
  readonly priceFeeds?: readonly KeptFeed[];
  /** The duration of a slot in milliseconds, by which the clock advances for each skipped slot. */
  readonly slotMs: number;
  /** The number of blocks after its own in which a blockhash can be used. Default 150, as on Solana's networks. */
  readonly blockhashSlots?: number;
  /** Whether to refuse the faucet and all operations of `BankAdmin`. */
  readonly production: boolean;
}

export interface BankOptions extends NetworkOptions {
  /** Returns Unix milliseconds. */
  readonly now: () => number;
  /** The number of transactions in the history. Default 20,000. */
  readonly historyCapacity?: number;
  readonly snapshotPolicy?: SnapshotPolicy;
  /** Called when something failed that does not stop the network, such as writing a snapshot. */
  readonly onDefect?: (where: string, error: unknown) => void;
}
