/** The highest ranked of what was inserted, up to a fixed number. */
export class Ranking<Ranked> {
  readonly items: Ranked[] = [];
  /** The rank of each item. */
  readonly #ranks: number[] = [];
  readonly #most: number;
  /** The rank that an item must exceed to be kept; 0 while there is room. */
  least = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Inserts the item behind those of equal rank. If there is no room, the last item is dropped. */
  insert(item: Ranked, rank: number): void {
    const { items } = this;
    const ranks = this.#ranks;
    let place = items.length;
    if (place < this.#most) {
      items.push(item);
      ranks.push(rank);
    } else place--;
    for (; place > 0; place--) {
      const before = ranks[place - 1] as number;
      if (before >= rank) break;
      ranks[place] = before;
      items[place] = items[place - 1] as Ranked;
    }
    ranks[place] = rank;
    items[place] = item;
    if (items.length === this.#most) this.least = ranks[this.#most - 1] as number;
  }
}
