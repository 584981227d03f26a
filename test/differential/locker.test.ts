import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildStep,
  type LockStep,
  lockStep,
  makeParties,
  openVault,
} from '../../programs/locker/tests/cases.ts';
import { CODE, KINDS, LockWorld, START, type WorldKind } from '../../programs/locker/tests/world.ts';
import { deriveVestingEscrow, LOCK_PROGRAM } from '../../src/protocols/jupiter-lock/layout.ts';
import type { Address } from '../../src/solana/address.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import { transferLamports } from '../../src/solana/programs/system.ts';
import { sampleCases } from '../../src/testing/random.ts';
import type { TestOutcome } from '../../src/testing/svm/network.ts';
import { yieldToOtherWork } from '../../src/testing/waits.ts';
import { Comparison, compareWrongAccounts } from './comparison.ts';
import { compareMints } from './locker/mints.ts';
import { listValidInstructions } from './locker/valid-instructions.ts';
import { type Allowances, PUBLIC_PROGRAM, readDump, Twin } from './twin.ts';

const dump = readDump(LOCK_PROGRAM);

describe.skipIf(dump === null)('locker and the public program', () => {
  it.each(KINDS)('do the same through the lives of escrows of %s', async (kind) => {
    const networks = new LockTwin();
    const worlds = networks.worlds(kind);
    const comparison = new Comparison(`steps in the lives of escrows of ${kind}`, networks);
    const life = fc.array(lockStep, { minLength: 40, maxLength: 40 });
    const suite = { cases: 60, seed: SEED + KINDS.indexOf(kind), against: PUBLIC_PROGRAM };
    for (const [index, steps] of sampleCases(life, suite).entries()) {
      await yieldToOtherWork();
      const play = new Play(networks, worlds);
      for (const [at, step] of steps.entries()) comparison.add(play.take(step), { life: index, at, step });
    }
    comparison.finish();
    expect(networks.succeeded).toBeGreaterThan(200);
  });

  it('take and refuse the same mints', async () => {
    const networks = new LockTwin();
    await compareMints(networks, new Comparison('escrows of mints with extensions', networks));
  });

  it('refuse the same wrong accounts', async () => {
    const networks = new LockTwin();
    const comparison = new Comparison('instructions with wrong accounts', networks);
    const valid = KINDS.flatMap((kind) => listValidInstructions(kind, networks.worlds(kind)));
    await compareWrongAccounts(comparison, valid);
  });
});

const SEED = 20_261_130;
/** The errors by which the build, unlike the source, demands associated token accounts where an escrow is cancelled. */
const ASSOCIATED = new Set<number | undefined>([CODE.Associated, CODE.TokenProgram]);

/** Two networks that count what succeeds. */
class LockTwin extends Twin {
  succeeded = 0;

  constructor() {
    super('locker', LOCK_PROGRAM, dump as Uint8Array, { comparesCalls: true });
  }

  /** Makes the same world in both. */
  worlds(kind: WorldKind): readonly [standIn: LockWorld, publicBuild: LockWorld] {
    return [new LockWorld(kind, this.standIn), new LockWorld(kind, this.publicBuild)];
  }

  override send(instruction: Instruction): readonly [standIn: TestOutcome, publicBuild: TestOutcome] {
    const sent = super.send(instruction);
    if (sent[1].error === null) this.succeeded++;
    return sent;
  }

  /** Where the public program panics, the stand-in refuses. */
  override endDifference(instruction: Instruction): string | null {
    const different = super.endDifference(instruction);
    if (different === null) return null;
    const [ours, theirs] = [this.standIn, this.publicBuild].map((one) => one.simulate([instruction]).error);
    if (ours === null) return different;
    if (theirs?.kind !== 'ProgramFailedToComplete' && !ASSOCIATED.has(theirs?.custom)) return different;
    this.expectedDifferences++;
    return null;
  }
}

/** One life in both networks. */
class Play {
  readonly #networks: LockTwin;
  readonly #worlds: readonly [LockWorld, LockWorld];
  readonly #parties: ReturnType<typeof makeParties>;
  #now = START;

  constructor(networks: LockTwin, worlds: readonly [LockWorld, LockWorld]) {
    this.#networks = networks;
    this.#worlds = worlds;
    const [parties] = worlds.map(makeParties);
    this.#parties = parties as ReturnType<typeof makeParties>;
    networks.both((network) => network.setUnixTime(START));
  }

  take(step: LockStep): string | null {
    const networks = this.#networks;
    const [world] = this.#worlds;
    if (step.kind === 'create' || step.kind === 'sendTokens') {
      for (const each of this.#worlds) openVault(each, this.#parties, step);
    }
    const escrow = deriveVestingEscrow(this.#parties.bases[step.escrow] as Address).address;
    switch (step.kind) {
      case 'wait':
        this.#now += BigInt(step.seconds);
        networks.both((network) => network.setUnixTime(this.#now));
        return null;
      case 'sendTokens':
        for (const each of this.#worlds) each.add(each.tokens(escrow), step.gift);
        return null;
      case 'sendLamports':
        return networks.difference(transferLamports(world.network.payer, escrow, step.gift));
      default: {
        const instruction = buildStep(world, this.#parties, step);
        if (instruction === null) throw new Error(`no instruction for ${step.kind}`);
        return networks.difference(instruction, ALLOWED);
      }
    }
  }
}

/**
 * The build is older than the source: it demands time between parts of nothing too, takes a wallet that is both creator and
 * recipient for the creator alone, and finds at times one atom more for the sender to pay with a transfer fee.
 */
const ALLOWED: Allowances = {
  expected: ({ data }, ours, theirs) => {
    const [here, there] = [ours.error?.custom, theirs.error?.custom];
    if (there === CODE.FrequencyIsZero) return Buffer.from(data).readBigUInt64LE(FREQUENCY_AT) === 0n;
    if (there === CODE.NotPermitted) return ours.error === null;
    if (there === CODE.TransferFeeCalculationFailure) return here === CODE.MathOverflow;
    const isCreation = Buffer.from(data.subarray(0, 8)).equals(CREATION);
    return isCreation && ours.error === null && theirs.error === null;
  },
};
/** The offset of the frequency in the data of a creation. */
const FREQUENCY_AT = 24;
/** The discriminator of `create_vesting_escrow_v2`. */
const CREATION = Buffer.from('b59b68b7b680232f', 'hex');
