import { describe, expect, it } from 'vitest';
import { createNetworkLead } from './network-lead.ts';

describe('createNetworkLead', () => {
  it('is what a user has put the clock of the network forward by, and does not follow its steps', () => {
    const world = new TwoClocks();
    for (let step = 0; step < 50; step++) expect(world.lead(step * 137)).toBe(0);
    world.forward += 3_600_000;
    for (let step = 0; step < 50; step++) expect(world.lead(step * 137)).toBe(3_600_000);
    world.forward += 60_000;
    expect(world.lead(10)).toBe(3_660_000);
    // The network was reset.
    world.forward = 0;
    for (let step = 0; step < 50; step++) expect(world.lead(step * 137)).toBe(0);
  });

  it('is never behind, and no further ahead than dates can be written', () => {
    const world = new TwoClocks();
    world.forward = -86_400_000;
    expect(world.lead(0)).toBe(0);
    world.forward = Number.MAX_SAFE_INTEGER / 2;
    expect(new Date(world.lead(0) + world.now).getUTCFullYear()).toBeGreaterThan(2100);
  });
});

/** The clock of a machine, and that of a network whose slots take 400 ms. */
class TwoClocks {
  now = 1_800_000_000_000;
  forward = 0;
  readonly #lead = createNetworkLead(
    { clock: () => ({ slot: 1n, epoch: 0n, unixTimestamp: this.#networkSeconds() }) },
    400,
    () => this.now,
  );

  lead(passed: number): number {
    this.now += passed;
    return this.#lead();
  }

  #networkSeconds(): bigint {
    const slotBegan = Math.floor(this.now / 400) * 400;
    return BigInt(Math.floor((slotBegan + this.forward) / 1_000));
  }
}
