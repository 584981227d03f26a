import { ChainUnavailable } from '../../chain/chain.ts';

/**
 * What happens at a call: the process is killed, it is held up until the test lets it go on, the connection is lost, or
 * something else happens first.
 */
export type Interruption =
  | { readonly kind: 'killed'; readonly when: 'before' | 'after' }
  | { readonly kind: 'held up'; readonly when: 'before' | 'after' }
  | { readonly kind: 'cut off'; readonly when: 'before' | 'after' }
  | { readonly kind: 'told'; readonly when: 'before'; readonly tell: () => Promise<void> };

const NEVER = new Promise<never>(() => undefined);

/**
 * Counts all calls of one process that leave it, and interrupts it at one of them. A process that was killed gets no answer any
 * more, and calls nothing.
 */
export class InterruptedCalls {
  readonly #at: number;
  readonly #interruption: Interruption | null;
  #calls = 0;
  #isKilled = false;
  #isCutOff = false;
  #goOn: () => void = () => undefined;
  #held = Promise.resolve();
  /** Calls that have been made and not been answered. */
  pending = 0;

  /** @param at - The number of the call that is interrupted, from 1. */
  constructor(at = 0, interruption: Interruption | null = null) {
    this.#at = at;
    this.#interruption = interruption;
  }

  get count(): number {
    return this.#calls;
  }

  get wasReached(): boolean {
    return this.#at > 0 && this.#calls >= this.#at;
  }

  /** Cuts every connection, or restores them. */
  cutOff(isCutOff: boolean): void {
    this.#isCutOff = isCutOff;
  }

  kill(): void {
    this.#isKilled = true;
  }

  /** Lets a process go on that was held up. */
  goOn(): void {
    this.#goOn();
  }

  /** Returns the same object, whose methods that return promises are counted. */
  wrap<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: readonly unknown[]) =>
          this.#call(() => Reflect.apply(member, target, args), COUNTED.has(name));
      },
    });
  }

  #call(call: () => unknown, isCounted: boolean): unknown {
    if (!isCounted) return call();
    if (this.#isKilled) return NEVER;
    this.#calls++;
    if (this.#isCutOff) return Promise.reject(new ChainUnavailable('the connection is lost'));
    const interruption = this.#calls === this.#at ? this.#interruption : null;
    const answer = interruption === null ? Promise.resolve().then(call) : this.#interrupt(interruption, call);
    this.pending++;
    return answer
      .finally(() => {
        this.pending--;
      })
      .then(
        (value) => (this.#isKilled ? NEVER : value),
        (error) => (this.#isKilled ? NEVER : Promise.reject(error)),
      );
  }

  async #interrupt(interruption: Interruption, call: () => unknown): Promise<unknown> {
    if (interruption.kind === 'told') await interruption.tell();
    if (interruption.when === 'before') await this.#stop(interruption);
    const answer = this.#isKilled ? undefined : await call();
    if (interruption.when === 'after') await this.#stop(interruption);
    return answer;
  }

  async #stop({ kind }: Interruption): Promise<void> {
    if (kind === 'killed') this.#isKilled = true;
    if (kind === 'cut off') throw new ChainUnavailable('the connection was lost');
    if (kind !== 'held up') return;
    this.#held = new Promise((resolve) => {
      this.#goOn = resolve;
    });
    // Nobody waits for it but itself.
    this.pending--;
    await this.#held;
    this.pending++;
  }
}

/** The calls of stores, chains and signers that leave the process. */
const COUNTED: ReadonlySet<string | symbol> = new Set([
  'now',
  'get',
  'update',
  'transactionsOf',
  'changedSince',
  'listOpen',
  'listUnfinished',
  'listExpired',
  'moveWatermarks',
  'send',
  'signatureStatuses',
  'searchSignature',
  'signaturesOf',
  'transaction',
  'plan',
  'spend',
  'sign',
]);
