import type { Address } from '../../../solana/address.ts';
import type { Account, AccountUpdate } from '../../chain.ts';

export type OnChange = (updates: readonly AccountUpdate[]) => void;

/** A watched account and who is to be told of it. */
export interface Watched {
  readonly address: Address;
  /** Null until it was read or told of. */
  known: { readonly slot: bigint; readonly account: Account | null; readonly wasTold: boolean } | null;
  readonly listeners: Set<OnChange>;
  /** How many subscriptions that are up now tell of it, its own or those of programs. */
  followedBy: number;
  /**
   * Since when it may have changed unseen, before a subscription was up: it must be read by a call that begins later
   * and answers as of that slot or a newer one. Null when there is no such doubt.
   */
  doubt: Doubt | null;
  /** What is known of it is of a slot that was taken back: whoever watches it is told of the next state, whatever that is. */
  isTakenBack: boolean;
}

export interface Doubt {
  /** Doubts are numbered as they arise. */
  readonly number: number;
  readonly slot: bigint;
}

/**
 * The watched accounts as last known. Each is only ever replaced by a newer state, whatever way that came; whoever
 * watches it is told once per turn of the event loop, in slot order.
 */
export class AccountBook {
  readonly #watched = new Map<Address, Watched>();
  #changed = new Map<Address, AccountUpdate>();
  #isTelling = false;

  get size(): number {
    return this.#watched.size;
  }

  all(): IterableIterator<Watched> {
    return this.#watched.values();
  }

  get(address: Address): Watched | undefined {
    return this.#watched.get(address);
  }

  watch(address: Address, listener: OnChange): Watched {
    let watched = this.#watched.get(address);
    if (watched === undefined) {
      watched = {
        address,
        known: null,
        listeners: new Set(),
        followedBy: 0,
        doubt: null,
        isTakenBack: false,
      };
      this.#watched.set(address, watched);
    }
    watched.listeners.add(listener);
    return watched;
  }

  /** Whether nobody watches the account any more: then it is forgotten. */
  unwatch(address: Address, listener: OnChange): boolean {
    const watched = this.#watched.get(address);
    if (watched === undefined || !watched.listeners.delete(listener) || watched.listeners.size > 0)
      return false;
    this.#watched.delete(address);
    this.#changed.delete(address);
    return true;
  }

  /** Changes within a slot are told in their order, so the later one counts. */
  told(update: AccountUpdate): void {
    const watched = this.#watched.get(update.address);
    if (watched === undefined || (watched.known !== null && watched.known.slot > update.slot)) return;
    this.#put(watched, update, true);
  }

  /**
   * What was read at some moment of a slot may be older than what was told of the same slot. Returns the newest state
   * that is known.
   */
  read(update: AccountUpdate): AccountUpdate {
    const watched = this.#watched.get(update.address);
    if (watched === undefined) return update;
    const { known } = watched;
    const isOlder =
      known !== null && (known.slot > update.slot || (known.slot === update.slot && known.wasTold));
    if (isOlder) return { address: update.address, slot: known.slot, account: known.account };
    return this.#put(watched, update, false);
  }

  /** The update, or what is known of the account instead. */
  newest(update: AccountUpdate): AccountUpdate {
    const { address } = update;
    const known = this.#watched.get(address)?.known;
    return known == null ? update : { address, slot: known.slot, account: known.account };
  }

  /** States of slots beyond `slot` give way to any other from now on. */
  takeBack(slot: bigint): void {
    for (const watched of this.#watched.values()) {
      if (watched.known === null || watched.known.slot <= slot) continue;
      watched.known = { slot: 0n, account: watched.known.account, wasTold: false };
      watched.isTakenBack = true;
    }
  }

  #put(watched: Watched, { address, slot, account }: AccountUpdate, wasTold: boolean): AccountUpdate {
    const { known, isTakenBack } = watched;
    const isSame = known !== null && isSameAccount(known.account, account);
    const update = { address, slot, account: isSame ? known.account : account };
    watched.known = { slot, account: update.account, wasTold };
    watched.isTakenBack = false;
    if (isTakenBack) this.#tellLater({ address, slot, account: update.account, takesBack: true });
    else if (!isSame) this.#tellLater(update);
    return update;
  }

  #tellLater({ address, slot, account, takesBack }: AccountUpdate): void {
    const isFirst = (takesBack ?? this.#changed.get(address)?.takesBack) === true;
    this.#changed.delete(address);
    this.#changed.set(
      address,
      isFirst ? { address, slot, account, takesBack: true } : { address, slot, account },
    );
    if (this.#isTelling) return;
    this.#isTelling = true;
    setImmediate(() => this.#tell());
  }

  #tell(): void {
    this.#isTelling = false;
    const updates = [...this.#changed.values()].sort((one, other) => Number(one.slot - other.slot));
    this.#changed = new Map();
    const batches = new Map<OnChange, AccountUpdate[]>();
    for (const update of updates) {
      for (const listener of this.#watched.get(update.address)?.listeners ?? []) {
        const batch = batches.get(listener);
        if (batch === undefined) batches.set(listener, [update]);
        else batch.push(update);
      }
    }
    for (const [listener, batch] of batches) listener(batch);
  }
}

function isSameAccount(one: Account | null, other: Account | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.lamports === other.lamports &&
    one.owner === other.owner &&
    one.executable === other.executable &&
    Buffer.compare(one.data, other.data) === 0
  );
}
