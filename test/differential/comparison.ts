import { expect } from 'vitest';
import { reportDifferences } from '../../src/testing/random.ts';
import type { Address } from '../../src/solana/address.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import { mutations } from './mutations.ts';
import { PUBLIC_PROGRAM, type Twin } from './twin.ts';
import { yieldToOtherWork } from '../../src/testing/waits.ts';

/** An instruction that both programs take, and accounts that do not belong into it. */
export type ValidInstruction = readonly [name: string, Instruction, strangers: readonly Address[]];

/** Cases after which other work has its turn: what runs in a network does not let go by itself. */
const AT_ONCE = 200;
const SHOWN = 10;

/** What two programs did otherwise, of all that was tried in both. */
export class Comparison {
  readonly networks: Twin;
  readonly #name: string;
  readonly #differences: string[] = [];
  #compared = 0;

  constructor(name: string, networks: Twin) {
    this.#name = name;
    this.networks = networks;
  }

  /**
   * @param different what `networks` found; null when nothing is
   * @param tried what it was found in, shown as JSON
   */
  add(different: string | null, tried: unknown): void {
    this.#compared++;
    this.addPreparation(different, tried);
  }

  /** For what both must do before a case, which is no case itself. */
  addPreparation(different: string | null, tried: unknown): void {
    if (different !== null) this.#differences.push(`${different} in ${textOf(tried)}`);
  }

  /** Prints how much was compared, and fails on the first differences. */
  finish(): void {
    process.stdout.write(
      `${this.#name}: ${this.#compared} compared, ${this.#differences.length} different, ` +
        `${this.networks.expectedDifferences} different as expected\n`,
    );
    reportDifferences(this.#differences.length, this.#compared, PUBLIC_PROGRAM);
    expect(this.#differences.slice(0, SHOWN)).toEqual([]);
  }
}

export async function compareCases<Case>(
  comparison: Comparison,
  cases: readonly Case[],
  differenceIn: (each: Case, index: number) => string | null,
): Promise<void> {
  for (const [index, each] of cases.entries()) {
    if (index % AT_ONCE === 0) await yieldToOtherWork();
    comparison.add(differenceIn(each, index), each);
  }
  comparison.finish();
}

/** Holds that the instructions fail alike with wrong accounts, by `differenceIn` each that is wrong. */
export async function compareWrongAccounts(
  comparison: Comparison,
  instructions: Iterable<ValidInstruction>,
  differenceIn: (changed: Instruction, name: string) => string | null = (changed) =>
    comparison.networks.endDifference(changed),
): Promise<void> {
  for (const [name, instruction, strangers] of instructions) {
    expect(comparison.networks.endDifference(instruction), name).toBeNull();
    await yieldToOtherWork();
    for (const { change, changed } of mutations(instruction, strangers)) {
      comparison.add(differenceIn(changed, name), `${name} with ${change}`);
    }
  }
  comparison.finish();
}

function textOf(tried: unknown): string {
  return JSON.stringify(tried, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
}
