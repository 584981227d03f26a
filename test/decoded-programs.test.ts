import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AGGREGATOR_PROGRAM_INSTRUCTIONS } from '../src/market/aggregator/interface/aggregator-decoding.ts';
import { SWAP_KINDS } from '../src/market/aggregator/interface/swap-kinds.ts';
import { LAMPORTS, type ProgramInstructions } from '../src/protocol/instructions/program-instructions.ts';
import { AGGREGATOR_PROGRAM } from '../src/protocol/venue/aggregator-program.ts';
import { findStepProgram } from '../src/protocol/venue/aggregator-step.ts';
import { RFQ_FILL_INSTRUCTIONS } from '../src/protocols/rfq-fill/rfq-fill-decoding.ts';
import { PROTOCOLS } from '../src/protocols/index.ts';
import { listPrograms } from '../src/sandbox/genesis/programs.ts';

describe('the instructions that transactions are shown with', () => {
  it.each(STAND_INS)('name each that the program $name accepts', ({ name, address }) => {
    const described = DESCRIBED.find(({ program }) => program === address);
    expect(described?.label).toBeTruthy();
    const names = described?.instructions.map((instruction) => instruction.name) ?? [];
    expect(names.length).toBeGreaterThan(0);
    expect(readAccepted(name).filter((accepted) => !names.includes(accepted))).toEqual([]);
  });

  it('know the programs of the steps that makers and venues fill', () => {
    expect(findStepProgram('JupiterRfqV2')).toBe(RFQ_FILL_INSTRUCTIONS.program);
    const kinds = new Set(SWAP_KINDS.map(([kind]) => kind));
    for (const kind of [
      'RaydiumCP',
      'WhirlpoolSwapV2',
      'MeteoraDammV2',
      'Saber',
      'JupiterLendDeposit',
      'BisonFi',
    ]) {
      expect(kinds).toContain(kind);
      const program = findStepProgram(kind);
      expect(
        DESCRIBED.some((described) => described.program === program),
        kind,
      ).toBe(true);
    }
  });

  it.each(DESCRIBED)('have units that $label has as accounts', ({ instructions }) => {
    for (const { name, args = [], accounts = '' } of instructions) {
      const parties = accounts.split(' ');
      expect(new Set(parties).size, name).toBe(parties.length);
      for (const [argument, , unit] of args) {
        const units = typeof unit === 'function' ? [unit({}), unit({ is_buy: true, swap_mode: 2n })] : [unit];
        for (const each of units) {
          if (each !== undefined && each !== LAMPORTS) expect(parties, `${name} ${argument}`).toContain(each);
        }
      }
    }
  });
});

const DESCRIBED: readonly ProgramInstructions[] = [
  AGGREGATOR_PROGRAM_INSTRUCTIONS,
  ...PROTOCOLS.flatMap(({ instructions = [] }) => instructions),
];

const STAND_INS = [{ name: 'aggregator', address: AGGREGATOR_PROGRAM }, ...listPrograms(PROTOCOLS)];

/** The instructions that only operators of the public programs use, and that our programs refuse with a log line. */
const REFUSED = ['close_token'];

/** Returns the names that the sources of a program declare the discriminators of, apart from those of programs it calls. */
function readAccepted(name: string): readonly string[] {
  const files = ['lib.rs', 'instructions/mod.rs'].map((file) => `programs/${name}/src/${file}`);
  return files
    .filter(existsSync)
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/const \w+: \[u8; 8\] =\s*anchor::instruction\("(\w+)"\)/g)]
        .map(([, accepted = '']) => accepted)
        .filter((accepted) => !REFUSED.includes(accepted)),
    );
}
