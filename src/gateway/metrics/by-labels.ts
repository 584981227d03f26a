import type { Labels } from '../../common/ports/metrics.ts';

/**
 * One value for each combination of labels, which are few: prom-client sorts and hashes the labels anew for every
 * single thing that is counted.
 */
export class ByLabels<T> {
  readonly #labelNames: readonly string[];
  readonly #create: (labels: Labels) => T;
  readonly #values = new Map<string, T>();

  /** @param create makes the value of labels that are new */
  constructor(labelNames: readonly string[], create: (labels: Labels) => T) {
    this.#labelNames = labelNames;
    this.#create = create;
  }

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
