import type { Labels } from '../../common/ports/metrics.ts';

/**
 * Keeps one value for each combination of labels, of which there are few. prom-client sorts and hashes the labels at every
 * single count.
 */
export class ByLabels<T> {
  readonly #labelNames: readonly string[];
  readonly #create: (labels: Labels) => T;
  readonly #values = new Map<string, T>();

  /** @param create - Called with each new combination of labels; returns its value. */
  constructor(labelNames: readonly string[], create: (labels: Labels) => T) {
    this.#labelNames = labelNames;
    this.#create = create;
  }

  /** Returns the value of a combination of labels, and creates it the first time. */
  of(labels: Labels): T {
    let name = '';
    for (const labelName of this.#labelNames) name += `${labels[labelName]}\n`;
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const value = this.#create(labels);
    this.#values.set(name, value);
    return value;
  }

  values(): Iterable<T> {
    return this.#values.values();
  }
}
