import { ChainUnavailable } from '../../src/chain/chain.ts';
import { Unavailable } from '../../src/common/unavailable.ts';

/** What happens to one call that leaves a process. */
export type CallFault =
  /** The process is killed: it gets no answer any more, and calls nothing. */
  | { readonly kind: 'killed'; readonly when: 'before' | 'after' }
  /** The connection is lost, before the call took effect or after it. */
  | { readonly kind: 'cut off'; readonly when: 'before' | 'after' }
  /** The process stands still, for so many rounds. */
  | { readonly kind: 'held up'; readonly rounds: number };

/** The errors of connections that are lost. */
const LOST: Readonly<Record<CallTarget, () => Error>> = {
  network: () => new ChainUnavailable('the connection to the network was lost'),
  database: () => new Unavailable('the connection to the database was lost'),
};

const NEVER = new Promise<never>(() => undefined);

/** What a call goes to. */
export type CallTarget = 'network' | 'database';

/** The calls of one process that leave it, to the network and to the database with the keys. */
export class FaultyCalls {
  readonly #decide: (target: CallTarget) => CallFault | null;
  #isKilled = false;
  #onDeath: (error: Error) => void = () => undefined;
  readonly #held: { rounds: number; readonly goOn: () => void }[] = [];
  /** Rejects when the process is killed, as the connections of its clients do. */
  readonly died: Promise<never>;
  /** Calls that were made and are not answered, without those that are held up. */
  pending = 0;

  /** @param decide - Called for each call. Null lets it pass. */
  constructor(decide: (target: CallTarget) => CallFault | null) {
    this.#decide = decide;
    this.died = new Promise((_, reject) => {
      this.#onDeath = reject;
    });
    this.died.catch(() => undefined);
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  kill(): void {
    this.#isKilled = true;
    this.#onDeath(new Error('the process was killed'));
  }

  /** Lets a round pass for the calls that are held up. */
  passRound(): void {
    for (const each of this.#held) each.rounds--;
    for (const each of this.#held.filter(({ rounds }) => rounds <= 0)) {
      this.#held.splice(this.#held.indexOf(each), 1);
      each.goOn();
    }
  }

  /**
   * Returns the same object, whose methods of these names are called through the connection.
   *
   * @param called - What is called.
   */
  wrap<T extends object>(object: T, names: ReadonlySet<string>, called: CallTarget): T {
    return new Proxy(object, {
      get: (_, name) => {
        const member: unknown = Reflect.get(object, name, object);
        if (typeof member !== 'function') return member;
        const call = (args: readonly unknown[]) => Reflect.apply(member, object, args);
        if (!names.has(String(name))) return (...args: readonly unknown[]) => call(args);
        return (...args: readonly unknown[]) => this.#call(() => call(args), called);
      },
    });
  }

  async #call(call: () => unknown, called: CallTarget): Promise<unknown> {
    if (this.#isKilled) return NEVER;
    this.pending++;
    try {
      const answer = await this.#make(call, called);
      if (!this.#isKilled) return answer;
    } catch (error) {
      if (!this.#isKilled) throw error;
    } finally {
      this.pending--;
    }
    return NEVER;
  }

  async #make(call: () => unknown, called: CallTarget): Promise<unknown> {
    const fault = this.#decide(called);
    if (fault?.kind === 'held up') await this.#hold(fault.rounds);
    if (fault !== null && fault.kind !== 'held up' && fault.when === 'before') this.#interrupt(fault, called);
    const answer = this.#isKilled ? undefined : await call();
    if (fault !== null && fault.kind !== 'held up' && fault.when === 'after') this.#interrupt(fault, called);
    return answer;
  }

  #interrupt({ kind }: CallFault, called: CallTarget): void {
    if (kind === 'cut off') throw LOST[called]();
    this.kill();
  }

  async #hold(rounds: number): Promise<void> {
    // Nobody waits for it but itself.
    this.pending--;
    await new Promise<void>((goOn) => this.#held.push({ rounds, goOn }));
    this.pending++;
  }
}
