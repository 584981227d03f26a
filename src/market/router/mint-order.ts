import type { Address } from '../../solana/address.ts';
import type { CandidatePath } from './candidate-paths.ts';

/** Which mints feed which. Routes are run step by step, so no mint may feed itself, over however many pools. */
export class MintOrder {
  readonly #next = new Map<Address, Set<Address>>();
  #version = 0;

  /** Another number whenever `admits` may answer differently from before. */
  get version(): number {
    return this.#version;
  }

  /** Whether no mint of the path feeds one that stands before it on the path already. */
  admits(path: CandidatePath): boolean {
    for (let at = 0; at < path.length; at++) {
      for (let before = 0; before <= at; before++) {
        if (this.#reaches(path[at]?.outputMint, path[before]?.inputMint)) return false;
      }
    }
    return true;
  }

  add(from: Address, to: Address): void {
    let next = this.#next.get(from);
    if (next === undefined) {
      next = new Set();
      this.#next.set(from, next);
    }
    if (next.has(to)) return;
    next.add(to);
    this.#version++;
  }

  /** A number for each mint, above those of all mints that feed it. */
  ranks(): ReadonlyMap<Address, number> {
    const ranks = new Map<Address, number>();
    const raise = (mint: Address, rank: number): void => {
      if ((ranks.get(mint) ?? -1) >= rank) return;
      ranks.set(mint, rank);
      for (const next of this.#next.get(mint) ?? []) raise(next, rank + 1);
    };
    for (const mint of this.#next.keys()) raise(mint, 0);
    return ranks;
  }

  #reaches(from: Address | undefined, to: Address | undefined): boolean {
    if (from === undefined || to === undefined) return false;
    if (from === to) return true;
    const onward = this.#next.get(from);
    if (onward === undefined) return false;
    for (const next of onward) if (this.#reaches(next, to)) return true;
    return false;
  }
}
