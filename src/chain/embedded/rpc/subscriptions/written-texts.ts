/** The maximum length of the texts that are kept while one change is notified. Further ones are written for each subscriber. */
const MAX_KEPT = 16 * 1024 * 1024;

/** The texts of one change by their format, so that subscribers with the same format share one. */
export class WrittenTexts<T extends string | null> {
  readonly #texts = new Map<string, T>();
  #length = 0;

  of(format: string, write: () => T): T {
    const known = this.#texts.get(format);
    if (known !== undefined) return known;
    const text = write();
    this.#length += text?.length ?? 0;
    if (this.#length <= MAX_KEPT) this.#texts.set(format, text);
    return text;
  }
}
