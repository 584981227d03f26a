import type { Address } from '../../../../solana/address.ts';
import type { Commitment } from '../../../chain.ts';
import type { AccountFormat } from '../calls/account.ts';
import type { DataFilter } from '../calls/filters.ts';
import type { BlockFormat } from '../wire/block.ts';

export interface AccountTopic {
  readonly kind: 'account';
  readonly address: Address;
  readonly commitment: Commitment;
  readonly format: AccountFormat;
}

export interface ProgramTopic {
  readonly kind: 'program';
  readonly program: Address;
  readonly commitment: Commitment;
  readonly format: AccountFormat;
  readonly filters: readonly DataFilter[];
}

export interface LogsTopic {
  readonly kind: 'logs';
  readonly commitment: Commitment;
  /** Null: every transaction. */
  readonly mentions: Address | null;
  /** Whether to include simple votes. */
  readonly votes: boolean;
}

export interface SignatureTopic {
  readonly kind: 'signature';
  readonly signature: string;
  readonly commitment: Commitment;
  /** Whether to notify when the network has received the transaction. */
  readonly received: boolean;
}

/** Whole blocks, with all transactions or with those that mention an address. */
export interface BlockTopic {
  readonly kind: 'block';
  readonly commitment: 'confirmed' | 'finalized';
  /** Null: every transaction. */
  readonly mentions: Address | null;
  readonly format: BlockFormat;
}

/** The start of slots, or the slots that become final. */
export interface SlotTopic {
  readonly kind: 'slot' | 'root';
}

/** The subject of a subscription. */
export type Topic = AccountTopic | ProgramTopic | LogsTopic | SignatureTopic | BlockTopic | SlotTopic;
