import type { MakerNews } from './maker-news.ts';
import type { StoredMaker } from './maker.ts';

/** A maker as the instance that has it knows it. Plain data. */
export interface OwnedMaker {
  /** Without the outcomes that its fill rate is taken over. */
  readonly stored: StoredMaker;
  /** Whether its swap stream is live. */
  readonly connected: boolean;
  /** Of the last accepted snapshot, of which the store knows an upper bound only. */
  readonly lastSequence: bigint;
}

/**
 * Which of several instances has which maker: the one with its streams, which alone writes down what becomes of it.
 * While what the instances share does not answer, each instance has the makers that come to it.
 */
export interface MakerOwners {
  /** The name of this instance; null when there are no others. */
  readonly self: string | null;
  /** Has the maker from now on; whoever had it has written down what there was, or does not answer. */
  readonly take: (makerId: string) => Promise<void>;
  /** Has the maker unless another instance does; resolves to that one, null when the maker is here. */
  readonly claim: (makerId: string) => Promise<string | null>;
  /** Others may have it. */
  readonly leave: (makerId: string) => Promise<void>;
  /** Whether another instance has the maker, as was known some seconds ago. */
  readonly isElsewhere: (makerId: string) => boolean;
  /** The other instance that has the maker. @throws Unavailable */
  readonly find: (makerId: string) => Promise<string | null>;
  /** Who has the makers that other instances have. @throws Unavailable */
  readonly elsewhere: () => Promise<ReadonlyMap<string, string>>;
  /** Resolves when the other instance has written it down. @throws Unavailable */
  readonly tell: (instance: string, makerId: string, news: MakerNews) => Promise<void>;
  /** Those of the makers that the other instance still has. @throws Unavailable */
  readonly ask: (instance: string, makerIds: readonly string[]) => Promise<readonly OwnedMaker[]>;
  /** From now on this does what other instances ask for. */
  readonly serve: (duties: OwnerDuties) => void;
  readonly close: () => Promise<void>;
}

/** What an instance owes the others. */
export interface OwnerDuties {
  /** The maker has come to another instance: its streams here end. Resolves when what there was is written down. */
  readonly giveUp: (makerId: string) => Promise<void>;
  /** Another instance has the maker already, and writes it down: its streams here end. */
  readonly lose: (makerId: string) => void;
  /** The maker has come to another instance. */
  readonly moved: (makerId: string, instance: string) => void;
  /** No other instance has the makers any more: what that one wrote is newer than what is known here. */
  readonly freed: (makerIds: readonly string[]) => void;
  /** @throws Error when the maker is not here */
  readonly told: (makerId: string, news: MakerNews) => Promise<void>;
  readonly asked: (makerIds: readonly string[]) => readonly OwnedMaker[];
}

/** Where there is one instance, every maker is at home. */
export const SOLE_OWNER: MakerOwners = {
  self: null,
  take: async () => {},
  claim: async () => null,
  leave: async () => {},
  isElsewhere: () => false,
  find: async () => null,
  elsewhere: async () => new Map(),
  tell: async () => {},
  ask: async () => [],
  serve: () => {},
  close: async () => {},
};
