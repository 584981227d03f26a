/** Parses lines of JSON (NDJSON) from pieces of a stream, wherever it is cut. */
export class JsonLineParser {
  /** A line whose end has not arrived. */
  #rest = '';

  /** Returns the lines that are complete with this piece, without empty ones. */
  read(piece: string): readonly string[] {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    return toContents(lines);
  }

  /** Returns the last line of a stream that ends without a line break. */
  end(): readonly string[] {
    const last = this.#rest;
    this.#rest = '';
    return toContents([last]);
  }
}

function toContents(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}
