import { hashWord, type RecordTable } from './record-table.ts';

/** Where the fields of a node are in its record, in words. */
export interface TreeLayout {
  readonly left: number;
  readonly right: number;
  /** A double. */
  readonly rank: number;
  /** How many words at the beginning of the record order the nodes of one rank. No two nodes have the same. */
  readonly tieWords: number;
}

/** A position in the order of nodes. No node needs to be there. */
export interface TreePosition {
  rank: number;
  readonly tie: Int32Array;
}

/**
 * Ordered trees of records, by rank and then by the first words of the record: treaps, whose priorities are hashes of the
 * records' numbers. Every operation takes time in the logarithm of the tree, whatever ranks the records have. A tree is the
 * number of its root, 0 for an empty one; operations return the new root.
 */
export class TriggerTree {
  readonly #records: RecordTable;
  readonly #layout: TreeLayout;
  readonly #seed: number;

  constructor(records: RecordTable, layout: TreeLayout, seed: number) {
    this.#records = records;
    this.#layout = layout;
    this.#seed = seed | 0;
  }

  /** Adds a record that is in no tree. */
  insert(root: number, node: number): number {
    const { left, right } = this.#layout;
    const records = this.#records;
    const priority = this.#priority(node);
    let parent = 0;
    let side = left;
    let at = root;
    while (at !== 0 && this.#priority(at) >= priority) {
      parent = at;
      side = this.#isBefore(node, at) ? left : right;
      at = records.word(at, side);
    }
    if (parent !== 0) records.setWord(parent, side, node);
    // What was below is divided into what comes before the node and what comes after it.
    let before = node;
    let beforeSide = left;
    let after = node;
    let afterSide = right;
    while (at !== 0) {
      if (this.#isBefore(at, node)) {
        records.setWord(before, beforeSide, at);
        before = at;
        beforeSide = right;
      } else {
        records.setWord(after, afterSide, at);
        after = at;
        afterSide = left;
      }
      at = records.word(at, at === before ? right : left);
    }
    records.setWord(before, beforeSide, 0);
    records.setWord(after, afterSide, 0);
    return parent === 0 ? node : root;
  }

  /** Takes a record out of the tree that it is in. */
  remove(root: number, node: number): number {
    const { left, right } = this.#layout;
    const records = this.#records;
    let parent = 0;
    let side = left;
    let at = root;
    while (at !== node) {
      if (at === 0) throw new Error(`record ${node} is not in the tree of ${root}`);
      parent = at;
      side = this.#isBefore(node, at) ? left : right;
      at = records.word(at, side);
    }
    // What was below on both sides becomes one tree in the node's place.
    const joined = this.#join(records.word(node, left), records.word(node, right));
    if (parent === 0) return joined;
    records.setWord(parent, side, joined);
    return root;
  }

  /** Returns the first node; 0 if the tree is empty. */
  first(root: number): number {
    let found = 0;
    for (let at = root; at !== 0; at = this.#records.word(at, this.#layout.left)) found = at;
    return found;
  }

  /** Returns the first node after a position; 0 if there is none. */
  after(root: number, position: TreePosition): number {
    const { left, right } = this.#layout;
    let found = 0;
    let at = root;
    while (at !== 0) {
      const isAfter = this.#isAfter(at, position);
      if (isAfter) found = at;
      at = this.#records.word(at, isAfter ? left : right);
    }
    return found;
  }

  /** Notes where a node is, so that `after` can go on from there when the node is gone. */
  readPosition(node: number, into: TreePosition): void {
    into.rank = this.#records.double(node, this.#layout.rank);
    for (let at = 0; at < this.#layout.tieWords; at++) into.tie[at] = this.#records.word(node, at);
  }

  /** Joins two trees, all nodes of the first of which come before those of the second. */
  #join(first: number, second: number): number {
    const { left, right } = this.#layout;
    const records = this.#records;
    let [one, other, result, parent, side] = [first, second, 0, 0, left];
    while (one !== 0 || other !== 0) {
      const takesOne = other === 0 || (one !== 0 && this.#priority(one) >= this.#priority(other));
      const taken = takesOne ? one : other;
      if (parent === 0) result = taken;
      else records.setWord(parent, side, taken);
      if (one === 0 || other === 0) break;
      parent = taken;
      side = takesOne ? right : left;
      if (takesOne) one = records.word(one, right);
      else other = records.word(other, left);
    }
    return result;
  }

  #isAfter(node: number, { rank, tie }: TreePosition): boolean {
    const own = this.#records.double(node, this.#layout.rank);
    if (own !== rank) return own > rank;
    for (let at = 0; at < this.#layout.tieWords; at++) {
      const difference = (this.#records.word(node, at) >>> 0) - ((tie[at] as number) >>> 0);
      if (difference !== 0) return difference > 0;
    }
    return false;
  }

  #isBefore(one: number, other: number): boolean {
    const records = this.#records;
    const rank = records.double(one, this.#layout.rank);
    const otherRank = records.double(other, this.#layout.rank);
    if (rank !== otherRank) return rank < otherRank;
    for (let at = 0; at < this.#layout.tieWords; at++) {
      const tie = (records.word(one, at) >>> 0) - (records.word(other, at) >>> 0);
      if (tie !== 0) return tie < 0;
    }
    return false;
  }

  #priority(node: number): number {
    return hashWord(this.#seed, node) >>> 0;
  }
}
