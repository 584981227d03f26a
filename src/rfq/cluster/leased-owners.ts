import type { Instances } from '../../common/ports/instances.ts';
import type { Leases } from '../../common/ports/leases.ts';
import { plainOf, plainText } from '../../common/plain-data.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { unlessUnavailable } from '../../common/unavailable.ts';
import type { OwnerDuties, OwnedMaker, MakerOwners } from '../makers/maker-owners.ts';
import type { MakerNews } from '../makers/maker-news.ts';

export interface LeasedOwnersOptions {
  /** Of makers, by their ids. */
  readonly leases: Leases;
  readonly instances: Instances;
  readonly timers: Timers;
  /** Told of a defect that does not keep makers from being served. */
  readonly onDefect: (error: unknown) => void;
}

/** A lease survives two attempts to keep it that fail. */
const KEEPS_PER_LEASE = 3;

const GIVE_UP = 'maker.give-up';
const TELL = 'maker.tell';
const ASK = 'makers.ask';

/**
 * Makers among several instances: each is leased to the one with its streams. A newer connection takes the lease from
 * an older one, whose instance is told, and finds out by itself at the latest when it keeps its leases the next time.
 */
export class LeasedOwners implements MakerOwners {
  readonly #options: LeasedOwnersOptions;
  /** Makers that are here, each with a mark of when it came, whether or not its lease could be had yet. */
  readonly #here = new Map<string, symbol>();
  /** Makers that other instances have, as the last keeping found them. */
  #elsewhere: ReadonlyMap<string, string> = new Map();
  #knownAt = Number.NEGATIVE_INFINITY;
  #duties: OwnerDuties | null = null;
  #cancel: () => void = () => {};
  #isClosed = false;

  constructor(options: LeasedOwnersOptions) {
    this.#options = options;
    const { instances } = options;
    instances.answer(GIVE_UP, (makerId, to) => this.#giveUp(makerId, to));
    instances.answer(TELL, async (body) => {
      const { makerId, news } = plainOf(body) as { makerId: string; news: MakerNews };
      await this.#duties?.told(makerId, news);
      return '';
    });
    instances.answer(ASK, async (body) => plainText(this.#duties?.asked(plainOf(body) as string[]) ?? []));
  }

  get self(): string {
    return this.#options.instances.self;
  }

  async take(makerId: string): Promise<void> {
    const { leases, instances } = this.#options;
    this.#here.set(makerId, Symbol(makerId));
    const before = await unlessUnavailable(leases.take(makerId));
    if (before !== null) await unlessUnavailable(instances.ask(before, GIVE_UP, makerId));
  }

  async claim(makerId: string): Promise<string | null> {
    const other = await unlessUnavailable(this.#options.leases.claim(makerId));
    if (other === null && !this.#here.has(makerId)) this.#here.set(makerId, Symbol(makerId));
    return other;
  }

  async leave(makerId: string): Promise<void> {
    this.#here.delete(makerId);
    await unlessUnavailable(this.#options.leases.release(makerId));
  }

  isElsewhere(makerId: string): boolean {
    const { timers, leases } = this.#options;
    return timers.now() - this.#knownAt <= leases.leaseMs && this.#elsewhere.has(makerId);
  }

  async find(makerId: string): Promise<string | null> {
    const holder = await this.#options.leases.holder(makerId);
    return holder === this.self ? null : holder;
  }

  async elsewhere(): Promise<ReadonlyMap<string, string>> {
    await this.#keep();
    return this.#elsewhere;
  }

  async tell(instance: string, makerId: string, news: MakerNews): Promise<void> {
    await this.#options.instances.ask(instance, TELL, plainText({ makerId, news }));
  }

  async ask(instance: string, makerIds: readonly string[]): Promise<readonly OwnedMaker[]> {
    return plainOf(await this.#options.instances.ask(instance, ASK, plainText(makerIds))) as OwnedMaker[];
  }

  serve(duties: OwnerDuties): void {
    this.#duties = duties;
    this.#keepOn();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await Promise.all([...this.#here.keys()].map((makerId) => this.leave(makerId)));
  }

  #keepOn(): void {
    const { timers, leases, onDefect } = this.#options;
    const again = () => {
      if (!this.#isClosed)
        this.#cancel = timers.after(leases.leaseMs / KEEPS_PER_LEASE, () => this.#keepOn());
    };
    // Without a server nobody can take a lease either, and what is here stays here.
    unlessUnavailable(this.#keep()).catch(onDefect).finally(again);
  }

  /** @throws Unavailable */
  async #keep(): Promise<void> {
    const { leases, timers } = this.#options;
    const here = [...this.#here];
    const holders = await leases.keep(here.map(([makerId]) => makerId));
    const before = this.#elsewhere;
    this.#elsewhere = new Map([...holders].filter(([, holder]) => holder !== this.self));
    this.#knownAt = timers.now();
    for (const [makerId, mark] of here) {
      // What came or went meanwhile is not in the answer.
      if (this.#here.get(makerId) !== mark || !this.#elsewhere.has(makerId)) continue;
      this.#here.delete(makerId);
      this.#duties?.lose(makerId);
    }
    for (const [makerId, instance] of this.#elsewhere) {
      if (before.get(makerId) !== instance) this.#duties?.moved(makerId, instance);
    }
    const freed = [...before.keys()].filter((makerId) => !holders.has(makerId));
    if (freed.length > 0) this.#duties?.freed(freed);
  }

  async #giveUp(makerId: string, to: string): Promise<string> {
    // An older question that comes late is about what was here before.
    if ((await this.#options.leases.holder(makerId)) !== to) return '';
    await this.#duties?.giveUp(makerId);
    this.#duties?.moved(makerId, to);
    return '';
  }
}
