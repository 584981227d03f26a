/** A failed wait shows 50 lines: these, and one above them that says which instance wrote them. */
const KEPT_LINES = 49;

/** The last lines of a text that comes in pieces. */
export class LastLines {
  #text = '';
  readonly #listeners = new Set<(piece: string) => void>();

  write(piece: string): void {
    const lines = (this.#text + piece).split('\n');
    // The last one is not whole yet, or empty.
    this.#text = lines.slice(-KEPT_LINES - 1).join('\n');
    for (const listener of this.#listeners) listener(piece);
  }

  text(): string {
    return this.#text;
  }

  /** Returns a function that ends the calls. */
  onWrite(listener: (piece: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
