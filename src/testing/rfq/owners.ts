import { ManualTimers } from '../timers.ts';
import { openPeerRequests } from '../../common/ports/peer-requests.ts';
import type { Leases } from '../../common/ports/leases.ts';
import type { Broadcast, MessageTransport } from '../../common/ports/message-transport.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { LeasedOwners } from '../../rfq/cluster/leased-owners.ts';

const LEASE_MS = 6_000;

/** What instances share, in one process, by the clock of the test. */
export class TestCluster {
  readonly timers = new ManualTimers();
  readonly #leases = new Map<string, { readonly holder: string; readonly until: number }>();
  readonly #inboxes = new Map<string, (message: string) => void>();
  readonly #listeners = new Map<string, (message: string) => void>();
  readonly #cutOff = new Set<string>();
  readonly #delayed = new Map<string, string[]>();
  readonly defects: unknown[] = [];
  /** How often the server was asked for a lease that an instance would have only if nobody else has it. */
  claims = 0;
  /** Everything that was broadcast. */
  readonly published: string[] = [];
  #lastId = 0;

  /** The connection of one instance to the others. */
  async peers(self: string) {
    const requests = await openPeerRequests({
      transport: this.#transport(self),
      timers: this.timers,
      newId: () => String(++this.#lastId),
      onDefect: (error) => this.defects.push(error),
    });
    const owners = new LeasedOwners({
      leases: this.#of(self),
      requests,
      timers: this.timers,
      onDefect: (error) => this.defects.push(error),
    });
    return { owners, requests, broadcast: this.broadcast(self) };
  }

  /** What all instances hear of one. */
  broadcast(self: string): Broadcast {
    return {
      send: async (message) => {
        this.#reach(self);
        this.published.push(message);
        for (const [name, listener] of this.#listeners) if (!this.#cutOff.has(name)) listener(message);
      },
      receive: async (handler) => void this.#listeners.set(self, handler),
    };
  }

  /** Nothing comes from the instance or to it any more, as when it was killed, until `restore`. */
  cutOff(self: string): void {
    this.#cutOff.add(self);
  }

  restore(self: string): void {
    this.#cutOff.delete(self);
  }

  /** Messages to the instance are on their way until `deliver`. */
  delay(self: string): void {
    this.#delayed.set(self, []);
  }

  deliver(self: string): void {
    const messages = this.#delayed.get(self) ?? [];
    this.#delayed.delete(self);
    for (const message of messages) this.#inboxes.get(self)?.(message);
  }

  #transport(self: string): MessageTransport {
    return {
      self,
      send: async (to, message) => {
        this.#reach(self);
        const delayed = this.#delayed.get(to);
        if (delayed !== undefined) {
          delayed.push(message);
          return true;
        }
        const inbox = this.#cutOff.has(to) ? undefined : this.#inboxes.get(to);
        if (inbox !== undefined) setImmediate(() => inbox(message));
        return inbox !== undefined;
      },
      receive: async (handler) => void this.#inboxes.set(self, handler),
    };
  }

  #of(self: string): Leases {
    const holder = (name: string) => {
      this.#reach(self);
      const lease = this.#leases.get(name);
      return lease === undefined || lease.until <= this.timers.now() ? null : lease.holder;
    };
    const give = (name: string) =>
      void this.#leases.set(name, { holder: self, until: this.timers.now() + LEASE_MS });
    const other = (name: string) => (holder(name) === self ? null : holder(name));
    const claim = (name: string) => {
      const before = other(name);
      if (before === null) give(name);
      return before;
    };
    return {
      leaseMs: LEASE_MS,
      take: async (name) => {
        const before = other(name);
        give(name);
        return before;
      },
      claim: async (name) => {
        this.claims++;
        return claim(name);
      },
      keep: async (names) => {
        this.#reach(self);
        for (const name of names) claim(name);
        return new Map(
          [...this.#leases.keys()].flatMap((name) => {
            const found = holder(name);
            return found === null ? [] : [[name, found] as const];
          }),
        );
      },
      holder: async (name) => holder(name),
      release: async (name) => {
        if (holder(name) === self) this.#leases.delete(name);
      },
    };
  }

  /** @throws Unavailable when the instance is cut off */
  #reach(self: string): void {
    if (this.#cutOff.has(self)) throw new Unavailable('the server does not answer');
  }
}
