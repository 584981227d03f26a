import type { Instances } from '../../common/ports/instances.ts';
import { plainOf, plainText } from '../../common/plain-data.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { unlessUnavailable } from '../../common/unavailable.ts';
import { LAST_LOOK_MS } from '../fills/fill-results.ts';
import type { MakerOwners } from '../makers/maker-owners.ts';
import type {
  LastLook,
  LastLookAnywhere,
  MakerLink,
  OfferedSwap,
  SubmittedSwap,
} from '../streams/maker-link.ts';
import type { SwapEnd, SwapStreams } from '../streams/swap-streams.ts';

export interface MigratedFillsOptions {
  readonly streams: SwapStreams;
  readonly homes: Pick<MakerOwners, 'find'>;
  readonly instances: Instances;
  readonly timers: Timers;
  readonly onDefect: (error: unknown) => void;
}

interface Foreign {
  /** The instance that settles it. */
  readonly from: string;
  readonly swap: OfferedSwap;
  /** Unix milliseconds; the swap is pushed to new streams for as long as a last look lasts. */
  readonly since: number;
  /** Whether what the maker returned is on its way to that instance. */
  isHandedOn: boolean;
}

const OFFER = 'swap.offer';
const SUBMITTED = 'swap.submitted';
const END = 'swap.end';

/** Of other instances, at a time; more are not pushed here. */
const MAX_FOREIGN = 10_000;
/** A signature that was in the socket while this process stood still is handed on: its instance knows whether it is late. */
const KEPT_MS = 6 * LAST_LOOK_MS;

/**
 * Swaps whose maker has gone to another instance while they waited for it, or before it knew their end. The instance that
 * offered a swap settles it wherever its maker is: the one with the maker's stream pushes it again and hands on what
 * comes back.
 */
export class MigratedFills implements MakerLink, LastLookAnywhere {
  readonly #options: MigratedFillsOptions;
  readonly #foreign = new Map<string, Foreign>();
  #lastLook: LastLook | null = null;

  constructor(options: MigratedFillsOptions) {
    this.#options = options;
    const { streams, instances } = options;
    instances.answer(OFFER, async (body, from) => {
      this.#take(plainOf(body) as OfferedSwap, from);
      return '';
    });
    instances.answer(SUBMITTED, async (body) =>
      plainText(this.#lastLook?.submitted(plainOf(body) as SubmittedSwap) ?? null),
    );
    instances.answer(END, async (body) => {
      const { makerId, end } = plainOf(body) as { readonly makerId: string; readonly end: SwapEnd };
      this.#foreign.delete(end.swapUuid);
      streams.tell(makerId, end);
      return '';
    });
  }

  /** From now on this settles what makers return of the swaps of this instance. */
  settleBy(lastLook: LastLook): void {
    this.#lastLook = lastLook;
    this.#options.streams.settleBy(this);
  }

  offer(swap: OfferedSwap): boolean {
    const { streams } = this.#options;
    // This instance has taken over a swap that the maker has before it already: what comes back is settled here.
    const isPushed = this.#foreign.delete(swap.swapUuid);
    return isPushed ? streams.isLive(swap.makerId) : streams.offer(swap);
  }

  confirmed(makerId: string, swapUuid: string, signature: string): void {
    this.#end(makerId, { kind: 'confirmed', swapUuid, signature });
  }

  failed(makerId: string, swapUuid: string, message: string): void {
    this.#end(makerId, { kind: 'error', swapUuid, text: message });
  }

  submitted(swap: SubmittedSwap): string | null | Promise<string | null> {
    const foreign = this.#foreign.get(swap.swapUuid);
    if (foreign === undefined || foreign.swap.makerId !== swap.makerId) {
      return this.#lastLook?.submitted(swap) ?? null;
    }
    // One at a time: a maker that submits without end must not use up the questions that this instance may ask.
    if (foreign.isHandedOn) return `the swap ${swap.swapUuid} was submitted before`;
    foreign.isHandedOn = true;
    return this.#handOn(foreign.from, swap).finally(() => {
      foreign.isHandedOn = false;
    });
  }

  pending(makerId: string): readonly OfferedSwap[] {
    const since = this.#options.timers.now() - LAST_LOOK_MS;
    const foreign = [...this.#foreign.values()].filter(
      (one) => one.swap.makerId === makerId && one.since > since,
    );
    return [...(this.#lastLook?.pending(makerId) ?? []), ...foreign.map(({ swap }) => swap)];
  }

  /** The maker has come to another instance, which is handed what this one still has for it. */
  follow(makerId: string, instance: string): void {
    const { instances, streams, onDefect } = this.#options;
    const ask = (subject: string, body: unknown) =>
      unlessUnavailable(instances.ask(instance, subject, plainText(body)));
    // What does not arrive runs out by itself.
    for (const swap of this.#lastLook?.pending(makerId) ?? []) ask(OFFER, swap).catch(onDefect);
    for (const end of streams.untold(makerId)) this.#deliver(instance, makerId, end).catch(onDefect);
  }

  #take(swap: OfferedSwap, from: string): void {
    const { streams, timers } = this.#options;
    const { swapUuid, makerId } = swap;
    // An instance that stood still may still offer what this one has taken over from it.
    if (this.#lastLook?.knows(swapUuid) === true || this.#foreign.has(swapUuid)) return;
    if (this.#foreign.size >= MAX_FOREIGN || !streams.isLive(makerId)) return;
    this.#foreign.set(swapUuid, { from, swap, since: timers.now(), isHandedOn: false });
    timers.after(KEPT_MS, () => this.#foreign.delete(swapUuid));
    streams.offer(swap);
  }

  async #handOn(from: string, swap: SubmittedSwap): Promise<string | null> {
    const answer = await unlessUnavailable(this.#options.instances.ask(from, SUBMITTED, plainText(swap)));
    if (answer === null) return `the instance that offered the swap ${swap.swapUuid} does not answer`;
    return plainOf(answer) as string | null;
  }

  #end(makerId: string, end: SwapEnd): void {
    const { streams, homes, onDefect } = this.#options;
    if (streams.isLive(makerId)) {
      streams.tell(makerId, end);
      return;
    }
    const told = async () => {
      const instance = await unlessUnavailable(homes.find(makerId));
      if (instance === null) streams.tell(makerId, end);
      else await this.#deliver(instance, makerId, end);
    };
    told().catch(onDefect);
  }

  async #deliver(instance: string, makerId: string, end: SwapEnd): Promise<void> {
    const { instances, streams } = this.#options;
    const told = await unlessUnavailable(instances.ask(instance, END, plainText({ makerId, end })));
    // It is told when the maker comes back, or where it comes to.
    if (told === null) streams.tell(makerId, end);
  }
}
