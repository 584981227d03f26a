import type { MakerReport } from './maker-report.ts';
import type { StoredMaker } from './maker.ts';

/** A maker as the instance that owns it knows it. Plain data, because it is sent between instances. */
export interface OwnedMaker {
  /** Without the outcomes that the fill rate is computed from. */
  readonly stored: StoredMaker;
  /** Whether its swap stream is live. */
  readonly connected: boolean;
  /** The number of the last accepted snapshot. The store knows only an upper bound of it. */
  readonly lastSequence: bigint;
  /** As in `Maker`. Instances of an earlier version do not send it. */
  readonly quoteProblem?: string | null;
}

/**
 * Knows which of several instances owns which maker. The owner is the instance with the maker's streams, and it alone
 * writes the maker's state. While the shared server does not answer, each instance owns the makers that connect to it.
 */
export interface MakerOwners {
  /** The name of this instance; null if it is the only one. */
  readonly self: string | null;
  /**
   * Makes this instance the owner. Resolves once the previous owner has written the maker's state, or does not answer.
   */
  readonly acquire: (makerId: string) => Promise<void>;
  /**
   * Makes this instance the owner unless another instance is.
   * Returns the name of the other instance; null if this one is the owner now.
   */
  readonly claim: (makerId: string) => Promise<string | null>;
  /** Ends the ownership, so that other instances may become the owner. */
  readonly release: (makerId: string) => Promise<void>;
  /** Whether another instance owns the maker; the answer may be some seconds old. */
  readonly isElsewhere: (makerId: string) => boolean;
  /**
   * Returns the other instance that owns the maker; null if there is none.
   * @throws Unavailable if the shared server does not answer
   */
  readonly findOwner: (makerId: string) => Promise<string | null>;
  /**
   * Returns the owner of each maker that another instance owns.
   * @throws Unavailable if the shared server does not answer
   */
  readonly findAllElsewhere: () => Promise<ReadonlyMap<string, string>>;
  /**
   * Sends a report to the owner. Resolves once the owner has written it.
   * @throws Unavailable if the instance does not answer
   */
  readonly sendReport: (instance: string, makerId: string, news: MakerReport) => Promise<void>;
  /**
   * Returns those of the makers that the other instance still owns.
   * @throws Unavailable if the instance does not answer
   */
  readonly readMakers: (instance: string, makerIds: readonly string[]) => Promise<readonly OwnedMaker[]>;
  /** Registers the handlers of what other instances ask this one. Called once, before makers can connect. */
  readonly serve: (duties: OwnerHandlers) => void;
  readonly close: () => Promise<void>;
}

/** The handlers of what other instances ask this one. */
export interface OwnerHandlers {
  /** The maker has connected to another instance: ends its streams here. Resolves once its state is written. */
  readonly giveUp: (makerId: string) => Promise<void>;
  /**
   * Called when another instance has taken the maker's lease, perhaps before that one's request to give it up arrives:
   * ends its streams here, and writes its state unless the other instance has acquired the maker in the store.
   */
  readonly lost: (makerId: string) => void;
  /** Called when the maker has moved to another instance. */
  readonly moved: (makerId: string, instance: string) => void;
  /** Called when another instance no longer owns the makers. What it wrote is newer than what this one knows. */
  readonly released: (makerIds: readonly string[]) => void;
  /** @throws Error if this instance does not own the maker */
  readonly handleReport: (makerId: string, news: MakerReport) => Promise<void>;
  readonly readMakers: (makerIds: readonly string[]) => readonly OwnedMaker[];
}

/** The owner of all makers if there is only one instance. */
export const SOLE_OWNER: MakerOwners = {
  self: null,
  acquire: async () => {},
  claim: async () => null,
  release: async () => {},
  isElsewhere: () => false,
  findOwner: async () => null,
  findAllElsewhere: async () => new Map(),
  sendReport: async () => {},
  readMakers: async () => [],
  serve: () => {},
  close: async () => {},
};
