import type { PeerRequests } from '../../common/ports/peer-requests.ts';
import type { Leases } from '../../common/ports/leases.ts';
import { parsePlain, serializePlain } from '../../common/plain-data.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { waitUnlessUnavailable } from '../../common/unavailable.ts';
import type { OwnerHandlers, OwnedMaker, MakerOwners } from '../makers/maker-owners.ts';
import type { MakerReport } from '../makers/maker-report.ts';

export interface LeasedOwnersOptions {
  /** The leases of makers, by maker id. */
  readonly leases: Leases;
  readonly requests: PeerRequests;
  readonly timers: Timers;
  /** Called when something failed that makers need not know about; they are still served. */
  readonly onDefect: (error: unknown) => void;
}

/** A lease survives two failed renewals. */
const RENEWALS_PER_LEASE = 3;

const GIVE_UP = 'maker.give-up';
const TELL = 'maker.tell';
const ASK = 'makers.ask';

/**
 * Assigns makers to instances by leases: the instance with a maker's streams holds its lease. A newer connection takes
 * the lease from the older one. The previous owner is notified at once; if that message is lost, it finds
 * out when it renews its leases.
 */
export class LeasedOwners implements MakerOwners {
  readonly #options: LeasedOwnersOptions;
  /**
   * The makers of this instance, whether or not their leases could be taken. Each ownership has a symbol of
   * its own.
   */
  readonly #here = new Map<string, symbol>();
  /** The makers of other instances and their owners, as of the last renewal. */
  #elsewhere: ReadonlyMap<string, string> = new Map();
  #knownAt = Number.NEGATIVE_INFINITY;
  #duties: OwnerHandlers | null = null;
  #cancel: () => void = () => {};
  #isClosed = false;

  constructor(options: LeasedOwnersOptions) {
    this.#options = options;
    const { requests } = options;
    requests.answer(GIVE_UP, (makerId, to) => this.#giveUp(makerId, to));
    requests.answer(TELL, async (body) => {
      const { makerId, news } = parsePlain(body) as { makerId: string; news: MakerReport };
      await this.#duties?.handleReport(makerId, news);
      return '';
    });
    requests.answer(ASK, async (body) =>
      serializePlain(this.#duties?.readMakers(parsePlain(body) as string[]) ?? []),
    );
  }

  get self(): string {
    return this.#options.requests.self;
  }

  async acquire(makerId: string): Promise<void> {
    const { leases, requests } = this.#options;
    this.#here.set(makerId, Symbol(makerId));
    const before = await waitUnlessUnavailable(leases.take(makerId));
    if (before !== null) await waitUnlessUnavailable(requests.ask(before, GIVE_UP, makerId));
  }

  async claim(makerId: string): Promise<string | null> {
    const other = await waitUnlessUnavailable(this.#options.leases.claim(makerId));
    if (other === null && !this.#here.has(makerId)) this.#here.set(makerId, Symbol(makerId));
    return other;
  }

  async release(makerId: string): Promise<void> {
    this.#here.delete(makerId);
    await waitUnlessUnavailable(this.#options.leases.release(makerId));
  }

  isElsewhere(makerId: string): boolean {
    const { timers, leases } = this.#options;
    return timers.now() - this.#knownAt <= leases.leaseMs && this.#elsewhere.has(makerId);
  }

  async findOwner(makerId: string): Promise<string | null> {
    const holder = await this.#options.leases.holder(makerId);
    return holder === this.self ? null : holder;
  }

  async findAllElsewhere(): Promise<ReadonlyMap<string, string>> {
    await this.#renew();
    return this.#elsewhere;
  }

  async sendReport(instance: string, makerId: string, news: MakerReport): Promise<void> {
    await this.#options.requests.ask(instance, TELL, serializePlain({ makerId, news }));
  }

  async readMakers(instance: string, makerIds: readonly string[]): Promise<readonly OwnedMaker[]> {
    return parsePlain(
      await this.#options.requests.ask(instance, ASK, serializePlain(makerIds)),
    ) as OwnedMaker[];
  }

  serve(duties: OwnerHandlers): void {
    this.#duties = duties;
    this.#renewRegularly();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await Promise.all([...this.#here.keys()].map((makerId) => this.release(makerId)));
  }

  #renewRegularly(): void {
    const { timers, leases, onDefect } = this.#options;
    const again = () => {
      if (!this.#isClosed)
        this.#cancel = timers.after(leases.leaseMs / RENEWALS_PER_LEASE, () => this.#renewRegularly());
    };
    // While the shared server does not answer, no other instance can take a lease, so the makers stay here.
    waitUnlessUnavailable(this.#renew()).catch(onDefect).finally(again);
  }

  /** @throws Unavailable if the shared server does not answer */
  async #renew(): Promise<void> {
    const { leases, timers } = this.#options;
    const here = [...this.#here];
    const holders = await leases.keep(here.map(([makerId]) => makerId));
    const before = this.#elsewhere;
    this.#elsewhere = new Map([...holders].filter(([, holder]) => holder !== this.self));
    this.#knownAt = timers.now();
    for (const [makerId, mark] of here) {
      // The result does not cover makers that arrived or left during the renewal.
      if (this.#here.get(makerId) !== mark || !this.#elsewhere.has(makerId)) continue;
      this.#here.delete(makerId);
      this.#duties?.lost(makerId);
    }
    for (const [makerId, instance] of this.#elsewhere) {
      if (before.get(makerId) !== instance) this.#duties?.moved(makerId, instance);
    }
    const freed = [...before.keys()].filter((makerId) => !holders.has(makerId));
    if (freed.length > 0) this.#duties?.released(freed);
  }

  async #giveUp(makerId: string, to: string): Promise<string> {
    // A delayed message may be about an earlier ownership.
    if ((await this.#options.leases.holder(makerId)) !== to) return '';
    await this.#duties?.giveUp(makerId);
    this.#duties?.moved(makerId, to);
    return '';
  }
}
