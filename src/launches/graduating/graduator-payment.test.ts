import { describe, expect, it } from 'vitest';
import { callsAfterSale, done } from '../../../programs/meteora-dbc/tests/migration-fixture.ts';
import { DbcMigrationOption, DbcMigrationProgress } from '../../protocols/meteora-dbc/program/program.ts';
import { GraduationRig } from '../../testing/launches/graduation-rig.ts';
import { openForEach } from '../../testing/opened.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { LARGE_RAISE_DOLLARS } from './graduation-gas.ts';
import { MAX_STEP_LAMPORTS } from './graduation-plan.ts';

const COMPLETE = 'sluice_launches_complete';
const NOT_GRADUATED = 'sluice_launches_not_graduated_total';
const { CREATED_POOL, LOCKED_VESTING } = DbcMigrationProgress;
const opened = openForEach(() => openTestStore('sqlite'), 'cleanUp');

describe('what the Graduator pays for', () => {
  it('spends no more in a day than its budget, and leaves the budget of fills alone', async () => {
    const rig = new GraduationRig(opened.store);
    rig.lamportsPerDay = 50_000_000n;
    const graduates = [rig.launchComplete('first'), rig.launchComplete('second')];
    const { gas } = rig;
    await rig.start();
    await rig.pass(200);
    expect(graduates.map((each) => rig.progressOf(each)).sort()).toEqual([LOCKED_VESTING, CREATED_POOL]);
    expect(gas - rig.gas).toBeLessThan(50_000_000n);
    expect(Object.keys(rig.metrics.countsOf(NOT_GRADUATED))).toEqual(['gas']);
    rig.killAll();
  });

  it('leaves half of its budget to launches that have raised much', async () => {
    const rig = new GraduationRig(opened.store);
    rig.lamportsPerDay = 100_000_000n;
    rig.worth = null;
    const small = ['a', 'b', 'c', 'd'].map((name) => rig.launchComplete(name));
    await rig.start();
    await rig.pass(200);
    const migrated = small.filter((each) => rig.progressOf(each) === CREATED_POOL);
    expect(migrated).toHaveLength(1);
    rig.worth = LARGE_RAISE_DOLLARS;
    const large = rig.launchComplete('large');
    await rig.pass(3);
    expect(rig.progressOf(large)).toBe(CREATED_POOL);
    expect(await rig.countedGas()).toBeLessThan(100_000_000n);
    rig.killAll();
  });

  it('waits for a wallet that holds too little for the rents, and goes on when it holds enough', async () => {
    const rig = new GraduationRig(opened.store);
    const graduate = rig.launchComplete('poor');
    rig.fund(5_000_000n);
    await rig.start();
    await rig.pass(3);
    expect([rig.progressOf(graduate), rig.chain.sent, rig.gas]).toEqual([LOCKED_VESTING, 0, 5_000_000n]);
    expect(rig.metrics.countsOf(NOT_GRADUATED)).toEqual({ gas: 1 });
    rig.fund(1_000_000_000n);
    await rig.pass(10);
    expect(rig.progressOf(graduate)).toBe(CREATED_POOL);
    rig.killAll();
  });

  it('is healthy only while it can pay', async () => {
    const rig = new GraduationRig(opened.store);
    rig.lamportsPerDay = 50_000_000n;
    const { graduator } = await rig.start();
    await rig.pass();
    expect(graduator.unhealthy()).toBeNull();
    rig.fund(MAX_STEP_LAMPORTS - 1n);
    expect(graduator.unhealthy()).toMatch(/the gas wallet holds 59999999 lamports/);
    rig.fund(10_000_000_000n);
    expect(graduator.unhealthy()).toBeNull();
    const [first, second] = [rig.launchComplete('first paid'), rig.launchComplete('second paid')];
    await rig.pass(3);
    expect(graduator.unhealthy()).toMatch(/graduation-lamports-per-day are spent/);
    for (const each of [first, second].filter((one) => rig.progressOf(one) === LOCKED_VESTING)) {
      done(rig.network, callsAfterSale(each).migration_damm_v2);
      rig.chain.publish([each.keys.pool]);
    }
    await rig.pass();
    expect(graduator.unhealthy()).toBeNull();
    rig.killAll();
  });

  it('pays only for the launches that it is told to pay for, by their configuration or their token', async () => {
    const rig = new GraduationRig(opened.store);
    const [one, two, other] = ['one', 'two', 'other'].map((name) => rig.launchComplete(name));
    rig.paysFor = ({ config, mint }) => config === one?.keys.config || mint === two?.keys.baseMint;
    await rig.start();
    await rig.pass(10);
    expect([one, two, other].map((each) => each && rig.progressOf(each))).toEqual([
      CREATED_POOL,
      CREATED_POOL,
      LOCKED_VESTING,
    ]);
    rig.killAll();
  });

  it('counts the launches that wait and that it pays for, and no others', async () => {
    const rig = new GraduationRig(opened.store);
    const mine = rig.launch('counted');
    rig.paysFor = ({ mint }) => mint === mine.keys.baseMint;
    await rig.start();
    rig.launchComplete('not counted');
    expect(rig.metrics.read(COMPLETE)).toEqual({ '': 0 });
    rig.buyOut(mine);
    expect(rig.metrics.read(COMPLETE)).toEqual({ '': 1 });
    await rig.pass(3);
    expect(rig.metrics.read(COMPLETE)).toEqual({ '': 0 });
    rig.killAll();
  });

  it('leaves a launch alone that goes to DAMM v1', async () => {
    const rig = new GraduationRig(opened.store);
    const graduate = rig.launch('older');
    rig.changeConfig(graduate, { migrationOption: DbcMigrationOption.DAMM_V1 });
    rig.buyOut(graduate);
    await rig.start();
    await rig.pass(10);
    expect([rig.chain.simulated, rig.metrics.read(COMPLETE)]).toEqual([0, { '': 0 }]);
    expect(rig.progressOf(graduate)).toBe(LOCKED_VESTING);
    expect(rig.metrics.countsOf(NOT_GRADUATED)).toEqual({ unsupported: 1 });
    rig.killAll();
  });
});
