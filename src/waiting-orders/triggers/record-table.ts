const PIECE_BITS = 12;
/** Records are allocated in pieces of this many, so that growing copies nothing. */
const PIECE = 1 << PIECE_BITS;
const OFFSET = PIECE - 1;

/** The shape of the records of a table, in words of 32 bits. */
export interface RecordShape {
  /** How long a record is: an even number. The table itself uses the word after the key. */
  readonly words: number;
  /** How many words at the beginning are the key, by which a record is found. */
  readonly keyWords: number;
}

/**
 * Records of a fixed size outside the heap of objects, found by a key. A record is named by its number, which another
 * record gets after it was removed. Number 0 names none; its words are free for the owner of the table to use.
 *
 * Both the records and the table of hashes grow in small steps (linear hashing splits one bucket for each record), so that
 * no insertion takes long. Neither shrinks.
 */
export class RecordTable {
  readonly #shape: RecordShape;
  readonly #seed: number;
  readonly #words: Int32Array[] = [];
  readonly #doubles: Float64Array[] = [];
  /** The first record of each bucket. */
  readonly #heads: Int32Array[] = [];
  #buckets = 0;
  /** The first of the removed records, which are a chain. */
  #free = 0;
  /** Records from this number on were never used. */
  #unused = 1;
  #size = 0;

  /** @param seed - A random number of 32 bits, so that nobody can choose keys of one bucket. */
  constructor(shape: RecordShape, seed: number) {
    this.#shape = shape;
    this.#seed = seed | 0;
    this.#addPiece();
    this.#addBucket();
  }

  get size(): number {
    return this.#size;
  }

  /** The bytes that are allocated. */
  get bytes(): number {
    const records = this.#words.length * PIECE * this.#shape.words * 4;
    return records + this.#heads.length * PIECE * 4;
  }

  word(record: number, at: number): number {
    return this.#piece(record)[(record & OFFSET) * this.#shape.words + at] as number;
  }

  setWord(record: number, at: number, value: number): void {
    this.#piece(record)[(record & OFFSET) * this.#shape.words + at] = value;
  }

  /** @param at - The word at which the double begins: an even number. */
  double(record: number, at: number): number {
    const doubles = this.#doubles[record >>> PIECE_BITS] as Float64Array;
    return doubles[((record & OFFSET) * this.#shape.words + at) >> 1] as number;
  }

  setDouble(record: number, at: number, value: number): void {
    const doubles = this.#doubles[record >>> PIECE_BITS] as Float64Array;
    doubles[((record & OFFSET) * this.#shape.words + at) >> 1] = value;
  }

  /** Returns the record with the key; 0 if there is none. */
  find(key: Int32Array): number {
    let record = this.#head(this.#bucketOf(this.#hash(key)));
    while (record !== 0 && !this.#hasKey(record, key)) record = this.#next(record);
    return record;
  }

  /** Adds a record with a key that no other has. Its other words are zero. */
  add(key: Int32Array): number {
    const record = this.#allocate();
    const { words, keyWords } = this.#shape;
    const start = (record & OFFSET) * words;
    this.#piece(record).fill(0, start, start + words);
    for (let at = 0; at < keyWords; at++) this.setWord(record, at, key[at] as number);
    this.#link(record, this.#bucketOf(this.#hash(key)));
    this.#size++;
    if (this.#size > this.#buckets) this.#split();
    return record;
  }

  remove(record: number): void {
    const bucket = this.#bucketOf(this.#hashOf(record));
    const next = this.#next(record);
    let before = this.#head(bucket);
    if (before === record) this.#setHead(bucket, next);
    else {
      while (this.#next(before) !== record) {
        if (before === 0) throw new Error(`record ${record} is not in its bucket`);
        before = this.#next(before);
      }
      this.setWord(before, this.#shape.keyWords, next);
    }
    this.setWord(record, this.#shape.keyWords, this.#free);
    this.#free = record;
    this.#size--;
  }

  /** Copies the key of a record. */
  readKey(record: number, into: Int32Array): void {
    for (let at = 0; at < this.#shape.keyWords; at++) into[at] = this.word(record, at);
  }

  #allocate(): number {
    const free = this.#free;
    if (free !== 0) {
      this.#free = this.#next(free);
      return free;
    }
    if (this.#unused >>> PIECE_BITS === this.#words.length) this.#addPiece();
    return this.#unused++;
  }

  #addPiece(): void {
    const words = new Int32Array(PIECE * this.#shape.words);
    this.#words.push(words);
    this.#doubles.push(new Float64Array(words.buffer));
  }

  #addBucket(): void {
    if (this.#buckets >>> PIECE_BITS === this.#heads.length) this.#heads.push(new Int32Array(PIECE));
    this.#buckets++;
  }

  /** Divides the next bucket: those of its records whose hash has one bit more go to a new bucket. */
  #split(): void {
    const created = this.#buckets;
    const bit = 1 << (31 - Math.clz32(created));
    const divided = created - bit;
    this.#addBucket();
    let record = this.#head(divided);
    this.#setHead(divided, 0);
    while (record !== 0) {
      const next = this.#next(record);
      this.#link(record, (this.#hashOf(record) & bit) === 0 ? divided : created);
      record = next;
    }
  }

  #bucketOf(hash: number): number {
    const bit = 1 << (31 - Math.clz32(this.#buckets));
    const bucket = hash & (2 * bit - 1);
    return bucket < this.#buckets ? bucket : bucket - bit;
  }

  #link(record: number, bucket: number): void {
    this.setWord(record, this.#shape.keyWords, this.#head(bucket));
    this.#setHead(bucket, record);
  }

  #next(record: number): number {
    return this.word(record, this.#shape.keyWords);
  }

  #head(bucket: number): number {
    return (this.#heads[bucket >>> PIECE_BITS] as Int32Array)[bucket & OFFSET] as number;
  }

  #setHead(bucket: number, record: number): void {
    (this.#heads[bucket >>> PIECE_BITS] as Int32Array)[bucket & OFFSET] = record;
  }

  #hasKey(record: number, key: Int32Array): boolean {
    for (let at = 0; at < this.#shape.keyWords; at++) {
      if (this.word(record, at) !== key[at]) return false;
    }
    return true;
  }

  #hash(key: Int32Array): number {
    let hash = this.#seed;
    for (let at = 0; at < this.#shape.keyWords; at++) hash = hashWord(hash, key[at] as number);
    return hash & 0x3fffffff;
  }

  #hashOf(record: number): number {
    let hash = this.#seed;
    for (let at = 0; at < this.#shape.keyWords; at++) hash = hashWord(hash, this.word(record, at));
    return hash & 0x3fffffff;
  }

  #piece(record: number): Int32Array {
    return this.#words[record >>> PIECE_BITS] as Int32Array;
  }
}

/** Mixes a word into a hash, as the finalizer of MurmurHash3 does. */
export function hashWord(hash: number, word: number): number {
  let mixed = Math.imul(hash ^ word, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
