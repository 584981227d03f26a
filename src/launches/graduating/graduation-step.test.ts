import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DBC_MIGRATION_CONFIGS, DbcMigrationOption } from '../../protocols/meteora-dbc/program/program.ts';
import { assertProperty } from '../../testing/random.ts';
import {
  findGraduationStep,
  type GraduationStep,
  type GraduationTerms,
  type LaunchStage,
} from './graduation-step.ts';

describe('findGraduationStep', () => {
  it('waits for the curve, locks what vests, creates the pool, and ends', () => {
    expect(stepOf(0)).toEqual({ kind: 'trades' });
    expect(stepOf(1)).toEqual({ kind: 'lock-vesting' });
    expect(stepOf(2)).toEqual({ kind: 'create-pool', dammConfig: DBC_MIGRATION_CONFIGS[3] });
    expect(stepOf(3)).toEqual({ kind: 'done' });
    expect(stepOf(2, { isMigrated: 1 })).toEqual({ kind: 'done' });
  });

  it('takes no step for a launch that goes to another program, or by rules that it does not know', () => {
    for (const progress of [1, 2]) {
      expect(stepOf(progress, { migrationOption: DbcMigrationOption.DAMM_V1 })).toEqual(UNSUPPORTED);
      expect(stepOf(progress, { migrationFeeOption: DBC_MIGRATION_CONFIGS.length })).toEqual(UNSUPPORTED);
    }
    expect(stepOf(9)).toEqual(UNSUPPORTED);
  });

  it('has ended also where the launch went to another program', () => {
    expect(stepOf(3, { migrationOption: DbcMigrationOption.DAMM_V1 })).toEqual({ kind: 'done' });
  });

  it('reaches the pool with each step once, wherever a process ends, and whoever takes a step meanwhile', () => {
    assertProperty(
      fc.property(fc.boolean(), fc.array(EVENT, { maxLength: 40 }), (vests, events) => {
        const chain = new Chain(vests);
        for (const event of events) chain.happen(event);
        // However often it was interrupted, two undisturbed turns are left at most.
        for (let turn = 0; turn < 2; turn++) chain.happen('step lands');
        expect(stepOf(chain.progress)).toEqual({ kind: 'done' });
        expect(chain.taken).toEqual(vests ? ['lock-vesting', 'create-pool'] : ['create-pool']);
      }),
      { cases: 20_000, seed: 4_001 },
    );
  });
});

const UNSUPPORTED: GraduationStep = { kind: 'unsupported' };
const TERMS: GraduationTerms & Pick<LaunchStage, 'isMigrated'> = {
  migrationOption: DbcMigrationOption.DAMM_V2,
  migrationFeeOption: 3,
  isMigrated: 0,
};

function stepOf(migrationProgress: number, changes: Partial<typeof TERMS> = {}): GraduationStep {
  const terms = { ...TERMS, ...changes };
  return findGraduationStep({ migrationProgress, isMigrated: terms.isMigrated }, terms);
}

/** What may happen to a transaction, and between two. */
const EVENT = fc.constantFrom(
  'step lands',
  'step is lost',
  'step lands and the process is killed before it knows',
  'process plans, is held up, and lands it late',
  'somebody else takes the step',
);
type Event = typeof EVENT extends fc.Arbitrary<infer T> ? T : never;

/** The rules of the program: each step at its time, and once. */
class Chain {
  progress: number;
  readonly taken: string[] = [];
  #late: GraduationStep | null = null;

  constructor(vests: boolean) {
    this.progress = vests ? 1 : 2;
  }

  happen(event: Event): void {
    const stage: LaunchStage = { migrationProgress: this.progress, isMigrated: this.progress === 3 ? 1 : 0 };
    const step = findGraduationStep(stage, TERMS);
    if (event === 'step is lost') return;
    if (event === 'process plans, is held up, and lands it late') {
      const late = this.#late;
      this.#late = step;
      if (late !== null) this.#execute(late);
      return;
    }
    this.#execute(step);
  }

  #execute({ kind }: GraduationStep): void {
    const atItsTime = { 'lock-vesting': 1, 'create-pool': 2 } as Readonly<Record<string, number>>;
    if (atItsTime[kind] !== this.progress) return;
    this.progress++;
    this.taken.push(kind);
  }
}
