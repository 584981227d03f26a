import { describe, expect, it } from 'vitest';
import { writeDammConfig } from '../../../programs/meteora-dbc/tests/damm-config.ts';
import {
  BUYER,
  baseAccountOf,
  callsAfterSale,
  done,
  type Graduate,
  type GraduateOptions,
  openEscrow,
  quoteAccountOf,
} from '../../../programs/meteora-dbc/tests/migration-fixture.ts';
import type { Leases } from '../../common/ports/leases.ts';
import { swap } from '../../protocols/meteora-damm-v2/instructions.ts';
import { DBC_MIGRATION_CONFIGS, DbcMigrationProgress } from '../../protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { GraduationRig } from '../../testing/launches/graduation-rig.ts';
import { openForEach } from '../../testing/opened.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { InterruptedCalls } from '../../testing/waiting-orders/interrupted.ts';
import { MAX_STEP_LAMPORTS } from './graduation-plan.ts';

const GRADUATED = 'sluice_launches_graduated_total';
const NOT_GRADUATED = 'sluice_launches_not_graduated_total';
const { CREATED_POOL, LOCKED_VESTING, PRE_BONDING_CURVE } = DbcMigrationProgress;
const opened = openForEach(() => openTestStore('sqlite'), 'cleanUp');

describe('Graduator', () => {
  it('migrates a launch once its curve is complete, to a pool that trades, and pays the rents', async () => {
    const rig = new GraduationRig(opened.store);
    const graduate = rig.launch('one');
    const { gas } = rig;
    await rig.start();
    await rig.pass(3);
    expect([rig.progressOf(graduate), rig.chain.simulated]).toEqual([PRE_BONDING_CURVE, 0]);
    rig.buyOut(graduate);
    await rig.pass(3);
    expect([rig.progressOf(graduate), rig.chain.sent]).toEqual([CREATED_POOL, 1]);
    done(rig.network, sellToPool(graduate, 1_000_000n));
    const cost = gas - rig.gas;
    expect(cost).toBeGreaterThan(20_000_000n);
    expect(cost).toBeLessThan(MAX_STEP_LAMPORTS);
    expect(rig.metrics.countsOf(GRADUATED)).toEqual({ '': 1 });
    expect(rig.metrics.countsOf(NOT_GRADUATED)).toEqual({});
    await expect.poll(() => rig.countedGas()).toBe(cost);
    expect([rig.outages, rig.defects]).toEqual([[], []]);
    rig.killAll();
  });

  it('locks what vests for the creator first, in a transaction of its own', async () => {
    const rig = new GraduationRig(opened.store);
    const graduate = rig.launchComplete('vesting', LOCKED);
    await rig.start();
    await rig.pass();
    expect([rig.progressOf(graduate), rig.chain.sent]).toEqual([LOCKED_VESTING, 1]);
    expect(rig.network.account(graduate.escrow)).not.toBeNull();
    await rig.pass(2);
    expect([rig.progressOf(graduate), rig.chain.sent]).toEqual([CREATED_POOL, 2]);
    expect(rig.metrics.countsOf(GRADUATED)).toEqual({ '': 1 });
    rig.killAll();
  });

  it('is not stopped by what strangers send to the addresses of the new accounts, or open before', async () => {
    const rig = new GraduationRig(opened.store);
    const graduate = rig.launchComplete('disturbed', LOCKED);
    const { damm, escrow } = graduate;
    for (const address of [damm.address, ...damm.vaults, escrow]) send(rig, address, 1_000n);
    openEscrow(rig.network, graduate);
    await rig.start();
    await rig.pass(3);
    expect([rig.progressOf(graduate), rig.metrics.countsOf(NOT_GRADUATED)]).toEqual([CREATED_POOL, {}]);
    rig.killAll();
  });

  it('takes it for a success when somebody else was faster, at either step', async () => {
    const rig = new GraduationRig(opened.store);
    const graduate = rig.launchComplete('raced', LOCKED);
    await rig.start();
    const { create_locker: lock, migration_damm_v2: migrate } = callsAfterSale(graduate);
    rig.chain.beforeSend = () => {
      if (rig.progressOf(graduate) === LOCKED_VESTING) done(rig.network, migrate);
      else {
        openEscrow(rig.network, graduate);
        done(rig.network, lock);
      }
    };
    await rig.pass(1);
    rig.chain.publish([graduate.keys.pool]);
    await rig.pass(3);
    expect([rig.progressOf(graduate), rig.chain.sent]).toEqual([CREATED_POOL, 2]);
    expect(rig.metrics.countsOf(NOT_GRADUATED)).toEqual({});
    expect([rig.outages, rig.defects]).toEqual([[], []]);
    // Only the fees of two transactions that failed.
    await expect.poll(() => rig.countedGas()).toBe(5_000n + 3n * 5_000n);
    rig.killAll();
  });

  it('tries launches that cannot migrate after growing pauses, at no cost, while others pass them', async () => {
    const rig = new GraduationRig(opened.store);
    const stuck = Array.from({ length: 12 }, (_, index) => rig.launchComplete(`stuck ${index}`, STUCK));
    closeConfig(rig);
    const { gas } = rig;
    await rig.start();
    await rig.pass(2);
    const good = rig.launchComplete('good');
    await rig.pass(1);
    expect(rig.progressOf(good)).toBe(CREATED_POOL);
    const { simulated } = rig.chain;
    await rig.pass(60);
    expect(rig.chain.simulated - simulated).toBeLessThan(12 * 5);
    expect([rig.chain.sent, Object.keys(rig.metrics.countsOf(NOT_GRADUATED))]).toEqual([1, ['refused']]);
    expect(gas - rig.gas).toBeLessThan(MAX_STEP_LAMPORTS);
    writeDammConfig(rig.network, stuckConfig, { option: STUCK.migrationFeeOption });
    await rig.pass(130);
    expect(stuck.map((each) => rig.progressOf(each))).toEqual(stuck.map(() => CREATED_POOL));
    rig.killAll();
  });

  it('works only while it leads, and the next one goes on', async () => {
    const rig = new GraduationRig(opened.store);
    let leader = 'one';
    const leasesOf = (name: string) =>
      ({
        claim: async () => (leader === name ? null : leader),
        release: async () => undefined,
      }) as Partial<Leases>;
    const graduate = rig.launchComplete('led', LOCKED);
    const one = await rig.start({ leases: leasesOf('one') as Leases });
    await rig.start({ leases: leasesOf('two') as Leases });
    await rig.pass(1);
    expect([rig.progressOf(graduate), rig.chain.sent]).toEqual([LOCKED_VESTING, 1]);
    rig.kill(one);
    leader = 'two';
    await rig.pass(3);
    expect([rig.progressOf(graduate), rig.chain.sent]).toEqual([CREATED_POOL, 2]);
    rig.killAll();
  });

  it('pays rents once when two that both think they lead take the same steps', async () => {
    const rig = new GraduationRig(opened.store);
    const graduate = rig.launchComplete('twice', LOCKED);
    const { gas } = rig;
    await rig.start();
    await rig.start();
    await rig.pass(6);
    expect(rig.progressOf(graduate)).toBe(CREATED_POOL);
    expect(gas - rig.gas).toBeLessThan(MAX_STEP_LAMPORTS);
    expect(rig.metrics.countsOf(GRADUATED)).toEqual({ '': 1 });
    expect(rig.defects).toEqual([]);
    rig.killAll();
  });

  it.each(['before', 'after'] as const)(
    'goes on where a process was killed %s any of its calls',
    async (when) => {
      for (let at = 1; ; at++) {
        const rig = new GraduationRig(opened.store);
        const graduate = rig.launchComplete(`killed ${when} ${at}`, LOCKED);
        const { gas } = rig;
        const calls = new InterruptedCalls(at, { kind: 'killed', when });
        const first = await rig.start({ calls });
        await rig.pass(6);
        rig.kill(first);
        await rig.start();
        await rig.pass(6);
        expect([at, rig.progressOf(graduate)]).toEqual([at, CREATED_POOL]);
        expect(gas - rig.gas).toBeLessThan(MAX_STEP_LAMPORTS);
        expect(rig.network.account(graduate.escrow)).not.toBeNull();
        rig.killAll();
        if (!calls.wasReached) {
          expect(at).toBeGreaterThan(6);
          break;
        }
      }
    },
  );
});

const UNIT = 1_000_000n;
const LOCKED: NonNullable<GraduateOptions['changes']> = {
  lockedVesting: {
    amountPerPeriod: 1_000n * UNIT,
    cliffDurationFromMigrationTime: 60n,
    frequency: 60n,
    numberOfPeriod: 12n,
    cliffUnlockAmount: 500n * UNIT,
  },
};
/** Launches that go to a configuration of DAMM v2 that a test closes. */
const STUCK = { migrationFeeOption: 3 };
const stuckConfig = DBC_MIGRATION_CONFIGS[STUCK.migrationFeeOption] as Address;

function closeConfig(rig: GraduationRig): void {
  send(rig, stuckConfig, 0n);
}

/** Leaves nothing but lamports at an address. */
function send({ network }: GraduationRig, address: Address, lamports: bigint): void {
  const data = new Uint8Array(0);
  network.setAccount(address, { lamports, owner: SYSTEM_PROGRAM, data, executable: false, rentEpoch: 0n });
}

function sellToPool(graduate: Graduate, amountIn: bigint) {
  const [source, destination] = [baseAccountOf(graduate, BUYER), quoteAccountOf(BUYER)];
  return swap(graduate.damm, { authority: BUYER, source, destination }, amountIn, 1n);
}
