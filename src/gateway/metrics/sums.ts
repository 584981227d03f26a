import type { Labels } from '../../metrics.ts';

/** What was added up for one combination of labels. */
export interface Sum {
  readonly labels: Labels;
  value: number;
}

/** Adds up by the values of labels, which are few: prom-client sorts and hashes the labels anew for every single one. */
export class Sums {
  readonly #labelNames: readonly string[];
  readonly #sums = new Map<string, Sum>();

  constructor(labelNames: readonly string[]) {
    this.#labelNames = labelNames;
  }

  /** The one for these labels, at 0 when it is new. */
  of(labels: Labels): Sum {
    let name = '';
    for (const labelName of this.#labelNames) name += `${labels[labelName]}\n`;
    const known = this.#sums.get(name);
    if (known !== undefined) return known;
    const sum = { labels, value: 0 };
    this.#sums.set(name, sum);
    return sum;
  }

  values(): Iterable<Sum> {
    return this.#sums.values();
  }
}
