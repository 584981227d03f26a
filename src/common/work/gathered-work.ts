import { setImmediate } from 'node:timers/promises';

/** Gathering ends when so many turns of the event loop have brought nothing further. */
const QUIET_TURNS = 2;

/**
 * Waits as long as turns of the event loop bring further items, because what is done for many at once costs little more than
 * for one, and holds up everything else.
 *
 * @param count - Returns how many items wait.
 * @param atMost - With so many, nothing more is waited for.
 */
export async function waitForFurther(count: () => number, atMost: number): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS && count() < atMost; ) {
    const before = count();
    await setImmediate();
    quiet = count() > before ? 0 : quiet + 1;
  }
}

interface GatheredItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Work that is done for several items together: for those that come within a few turns of the event loop, or while the work
 * for earlier ones is done.
 *
 * @example
 * ```ts
 * import { GatheredWork } from './gathered-work.ts';
 *
 * const lengths = new GatheredWork(async (texts: readonly string[]) => texts.map(({ length }) => length), 100);
 * console.log(await Promise.all([lengths.add('a'), lengths.add('bc')]));
 * ```
 */
export class GatheredWork<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #atMost: number;
  readonly #waiting: GatheredItem<Item, Result>[] = [];
  #isRunning = false;

  /**
   * @param work - Returns one result for each item, in their order. If it throws, it has failed for all of them.
   * @param atMost - How many items it is given at once.
   */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, atMost: number) {
    this.#work = work;
    this.#atMost = atMost;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await waitForFurther(() => this.#waiting.length, this.#atMost);
      const gathered = this.#waiting.splice(0, this.#atMost);
      try {
        const results = await this.#work(gathered.map(({ item }) => item));
        for (const [index, { resolve }] of gathered.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of gathered) reject(error);
      }
    }
    this.#isRunning = false;
  }
}
