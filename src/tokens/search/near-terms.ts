/** A node of the tree of a `SearchableMap`: its value under the empty text, and nodes under the texts that go on. */
export type TreeNode<Value> = Map<string, Value | TreeNode<Value>>;

/** The same values by their texts, and by their texts from the last letter to the first. */
export interface BothWays<Value> {
  readonly forwards: TreeNode<Value>;
  readonly backwards: TreeNode<Value>;
}

/** How many nodes may still be looked at. Searches that share a budget are bounded together. */
export interface NodeBudget {
  nodes: number;
}

/**
 * Finds the values whose texts differ from a word by at most `errors` typing errors. An error is a letter too much, a
 * letter too few, or a wrong letter. Stops when the budget is spent.
 *
 * If there are at most two errors, the first half of the word has fewer than that, or the second half has none. So one
 * search goes forwards and allows one error less in the first half, and the other goes backwards and begins without any.
 * Both look at few nodes, while a search that allows all errors from the start looks at most of the upper tree.
 *
 * @param word - At most 30 letters, because the states of a comparison are bits of a number.
 * @param errors - 1 or 2.
 * @returns the numbers of errors
 */
export function findNear<Value>(
  { forwards, backwards }: BothWays<Value>,
  word: string,
  errors: number,
  budget: NodeBudget,
): ReadonlyMap<Value, number> {
  const found = new Map<Value, number>();
  const note = (value: Value, distance: number) => {
    if (!found.has(value)) found.set(value, distance);
  };
  const half = Math.ceil(word.length / 2);
  visitNear(forwards, new Comparison(word, errors, half, errors - 1), budget, note);
  visitNear(backwards, new Comparison(reverseText(word), errors, word.length - half, 0), budget, note);
  return found;
}

/** Returns the text from its last letter to its first, by UTF-16 codes. */
export function reverseText(text: string): string {
  return text.split('').reverse().join('');
}

function visitNear<Value>(
  root: TreeNode<Value>,
  comparison: Comparison,
  budget: NodeBudget,
  visit: (value: Value, distance: number) => void,
): void {
  const walk = (node: TreeNode<Value>, depth: number) => {
    for (const [text, child] of node) {
      if (budget.nodes-- <= 0) return;
      if (text === '') {
        const distance = comparison.distanceAt(depth);
        if (distance !== null) visit(child as Value, distance);
      } else if (comparison.read(text, depth)) {
        walk(child as TreeNode<Value>, depth + text.length);
      }
    }
  };
  walk(root, 0);
}

/**
 * Compares a word with texts, letter by letter, by the algorithm of Wu and Manber. For each number of errors there is a
 * state, whose bit `n` says that the text so far can be the first `n` letters of the word with so many errors. The states
 * are kept for each depth, so that texts with the same beginning share its comparison.
 */
class Comparison {
  readonly #length: number;
  readonly #errors: number;
  /** For each letter of the word, by its UTF-16 code: the bits of its places. */
  readonly #places = new Map<number, number>();
  /** For each number of errors: the bits that a state may have. */
  readonly #permitted: readonly number[];
  readonly #states: Int32Array;

  /** At most `early` of the errors may be in the first `half` letters of the word. */
  constructor(word: string, errors: number, half: number, early: number) {
    this.#length = word.length;
    this.#errors = errors;
    for (let at = 0; at < word.length; at++) {
      const letter = word.charCodeAt(at);
      this.#places.set(letter, (this.#places.get(letter) ?? 0) | (1 << at));
    }
    const all = 2 ** (word.length + 1) - 1;
    const late = all - (2 ** half - 1);
    this.#permitted = Array.from({ length: errors + 1 }, (_, count) => (count > early ? late : all));
    this.#states = new Int32Array((word.length + errors + 2) * (errors + 1));
    for (const [count, permitted] of this.#permitted.entries())
      this.#states[count] = (2 ** (count + 1) - 1) & permitted;
  }

  /**
   * Reads a text that goes on after the first `depth` letters.
   *
   * Whether what was read can be the beginning of a text that is near enough.
   */
  read(text: string, depth: number): boolean {
    for (let at = 0; at < text.length; at++)
      if (!this.#readLetter(text.charCodeAt(at), depth + at)) return false;
    return true;
  }

  /** Returns with how many errors the first `depth` letters are the whole word; null if they are too many. */
  distanceAt(depth: number): number | null {
    const from = depth * (this.#errors + 1);
    for (let count = 0; count <= this.#errors; count++)
      if ((((this.#states[from + count] ?? 0) >> this.#length) & 1) === 1) return count;
    return null;
  }

  #readLetter(letter: number, depth: number): boolean {
    const places = this.#places.get(letter) ?? 0;
    const states = this.#states;
    const from = depth * (this.#errors + 1);
    const to = from + this.#errors + 1;
    let before = states[from] ?? 0;
    let after = (before & places) << 1;
    states[to] = after;
    let some = after;
    for (let count = 1; count <= this.#errors; count++) {
      const fewer = before;
      before = states[from + count] ?? 0;
      // The letter is right. Or, with one error more, it is too much, it is wrong, or one is missing.
      after = ((before & places) << 1) | fewer | (fewer << 1) | (after << 1);
      after &= this.#permitted[count] ?? 0;
      states[to + count] = after;
      some |= after;
    }
    return some !== 0;
  }
}
