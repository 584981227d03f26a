import { type Address, ADDRESS_BYTES, toAddress, toAddressBytes } from '../../solana/address.ts';
import type { TriggerCondition } from '../order-plan.ts';
import { RecordTable } from './record-table.ts';

const MINT_WORDS = ADDRESS_BYTES / 4;
/** The words of a mint's record: 48 bytes. The first eight are its address. */
const MINT = { above: 9, below: 10, named: 11 } as const;
const MINT_SHAPE = { words: 12, keyWords: MINT_WORDS };

/** The mints that orders name, each with the roots of its trees. A mint takes some 60 bytes outside the heap of objects. */
export class NamedMints {
  readonly #onMint: (mint: Address, isNamed: boolean) => void;
  readonly #mints: RecordTable;
  readonly #key = new Int32Array(MINT_WORDS);
  readonly #bytes = new Uint8Array(this.#key.buffer);

  /** @param onMint - Called when the first order names a mint, and when the last one that did is gone. */
  constructor(seed: number, onMint: (mint: Address, isNamed: boolean) => void) {
    this.#mints = new RecordTable(MINT_SHAPE, seed);
    this.#onMint = onMint;
  }

  get size(): number {
    return this.#mints.size;
  }

  get bytes(): number {
    return this.#mints.bytes;
  }

  /** Returns the number of a mint's record; 0 if no order names it. */
  find(mint: Address): number {
    this.#bytes.set(toAddressBytes(mint));
    return this.#mints.find(this.#key);
  }

  /** Counts an order that names the mint, and returns the mint's record. */
  name(mint: Address): number {
    const known = this.find(mint);
    if (known !== 0) {
      this.#mints.setWord(known, MINT.named, this.#mints.word(known, MINT.named) + 1);
      return known;
    }
    const record = this.#mints.add(this.#key);
    this.#mints.setWord(record, MINT.named, 1);
    this.#onMint(mint, true);
    return record;
  }

  /** @param mint - A record that `name` returned; nothing happens for 0. */
  unname(mint: number): void {
    if (mint === 0) return;
    const named = this.#mints.word(mint, MINT.named) - 1;
    this.#mints.setWord(mint, MINT.named, named);
    if (named > 0) return;
    const address = this.address(mint);
    this.#mints.remove(mint);
    this.#onMint(address, false);
  }

  address(mint: number): Address {
    this.#mints.readKey(mint, this.#key);
    return toAddress(this.#bytes);
  }

  root(mint: number, condition: TriggerCondition): number {
    return this.#mints.word(mint, MINT[condition]);
  }

  setRoot(mint: number, condition: TriggerCondition, root: number): void {
    this.#mints.setWord(mint, MINT[condition], root);
  }
}
