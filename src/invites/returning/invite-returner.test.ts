import { describe, expect, it } from 'vitest';
import { DEPOSIT, EXPIRY, KINDS, START } from '../../../programs/invite/tests/world.ts';
import type { Leases } from '../../common/ports/leases.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { createNewInvite, type NewInvite } from '../../protocols/jupiter-send/invite-instructions.ts';
import { INVITE_PROGRAM, INVITE_REWARD } from '../../protocols/jupiter-send/invite-program.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { RETURN_FEE, ReturnRig } from '../../testing/invites/return-rig.ts';
import { openForEach } from '../../testing/opened.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { InterruptedCalls } from '../../testing/waiting-orders/interrupted.ts';

const RETURNED = 'sluice_invites_returned_total';
const NOT_RETURNED = 'sluice_invites_not_returned_total';
const opened = openForEach(() => openTestStore('sqlite'), 'cleanUp');

describe.each(KINDS)('InviteReturner, for invites of %s', (kind) => {
  it('returns them when they have expired by the clock of the network, and gains what the fee leaves of the reward', async () => {
    const rig = new ReturnRig(opened.store, kind);
    const [first, second] = [rig.create(), rig.create({ expiresAt: EXPIRY + 5n })];
    const { gas } = rig;
    await rig.start();
    rig.passSeconds(EXPIRY - START - 1n);
    await rig.pass(3);
    expect([rig.chain.sent, rig.isOpen(first)]).toEqual([0, true]);
    const changes = rig.world.watch(rig.world.sender);
    rig.passSeconds(1n);
    await rig.pass(3);
    expect([rig.isOpen(first), rig.isOpen(second), rig.chain.sent]).toEqual([false, true, 1]);
    const [[lamports = 0n, atoms = 0n] = []] = changes();
    expect(lamports).toBeGreaterThanOrEqual(DEPOSIT - INVITE_REWARD);
    if (kind !== 'SOL') expect(atoms).toBeGreaterThan(4_900_000n);
    expect(rig.gas).toBe(gas + INVITE_REWARD - RETURN_FEE);
    rig.passSeconds(5n);
    await rig.pass(3);
    expect(rig.isOpen(second)).toBe(false);
    expect(rig.metrics.countsOf(RETURNED)).toEqual({ '': 2 });
    expect(rig.metrics.countsOf(NOT_RETURNED)).toEqual({});
    // What was charged is given back, because the reward has paid for it.
    await expect.poll(async () => (await rig.gasOf(rig.world.sender)).inAll).toBe(0n);
    rig.killAll();
  });

  it('bids no more than the reward leaves, however much others pay', async () => {
    const rig = new ReturnRig(opened.store, kind);
    const invite = rig.create();
    rig.chain.fees.push({ slot: 1n, microLamports: 10_000_000_000n });
    const { gas } = rig;
    rig.passSeconds(EXPIRY - START);
    await rig.start();
    await rig.pass(2);
    expect(rig.isOpen(invite)).toBe(false);
    expect(rig.gas).toBeGreaterThanOrEqual(gas);
    expect(rig.gas).toBeLessThan(gas + INVITE_REWARD - RETURN_FEE);
    rig.killAll();
  });

  it('leaves alone what has ended, and a key that is used again, while the record calls them open', async () => {
    const rig = new ReturnRig(opened.store, kind);
    rig.isRecordLate = true;
    const [ended, again] = [rig.create(), rig.world.terms()];
    rig.world.must(createNewInvite(again));
    rig.record(rig.world.invite(again));
    rig.world.must(rig.world.claim(ended), rig.world.clawback(rig.world.invite(again)));
    rig.world.must(createNewInvite({ ...again, expiresAt: EXPIRY + 1_000n }));
    const { gas } = rig;
    rig.passSeconds(EXPIRY - START);
    await rig.start();
    for (let second = 0; second < 20; second++) {
      rig.passSeconds(1n);
      await rig.pass();
    }
    expect([rig.chain.sent, rig.chain.simulated, rig.gas]).toEqual([0, 0, gas]);
    expect(rig.isOpen(rig.world.invite(again))).toBe(true);
    rig.killAll();
  });
});

describe.each(KINDS.slice(1))('InviteReturner, for invites of %s', (kind) => {
  it('opens the missing token account of the sender out of the rents, at no cost', async () => {
    const rig = new ReturnRig(opened.store, kind);
    const { world } = rig;
    const invite = rig.create();
    const own = world.tokens(world.sender, token(rig));
    const none = { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array(0) };
    world.network.setAccount(own, { ...none, executable: false, rentEpoch: 0n });
    const { gas } = rig;
    rig.passSeconds(EXPIRY - START);
    await rig.start();
    await rig.pass(2);
    expect(rig.isOpen(invite)).toBe(false);
    expect(world.balance(world.sender, token(rig))).toBeGreaterThan(4_900_000n);
    expect(rig.gas).toBe(gas + INVITE_REWARD - RETURN_FEE);
    rig.killAll();
  });

  it('waits for a gas wallet that cannot lend the rent of that account, and pays nothing meanwhile', async () => {
    const rig = new ReturnRig(opened.store, kind);
    const { world } = rig;
    const invite = rig.create();
    const none = { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array(0) };
    const own = world.tokens(world.sender, token(rig));
    world.network.setAccount(own, { ...none, executable: false, rentEpoch: 0n });
    rig.fund(1_500_000n);
    rig.passSeconds(EXPIRY - START);
    await rig.start();
    await rig.pass(2);
    expect([rig.isOpen(invite), rig.gas, rig.chain.sent]).toEqual([true, 1_500_000n, 0]);
    expect(rig.metrics.countsOf(NOT_RETURNED)).toEqual({ gas: 1 });
    rig.fund(10_000_000n);
    rig.passSeconds(8n);
    await rig.pass(2);
    expect(rig.isOpen(invite)).toBe(false);
    rig.killAll();
  });

  it('tries a frozen invite after growing delays, for nothing, until it is thawed', async () => {
    const rig = new ReturnRig(opened.store, kind);
    const invite = rig.create();
    rig.setFrozen(invite, true);
    const { gas } = rig;
    rig.passSeconds(EXPIRY - START);
    await rig.start();
    const ages: number[] = [];
    for (let age = 0, before = 0; age < 300; age++) {
      await rig.pass();
      if (rig.chain.simulated > before) ages.push(age);
      before = rig.chain.simulated;
      rig.passSeconds(1n);
    }
    expect(ages).toEqual([0, 8, 16, 32, 64, 128, 256]);
    expect(rig.metrics.countsOf(NOT_RETURNED)).toEqual({ refused: 7 });
    expect([rig.chain.sent, rig.gas]).toEqual([0, gas]);
    rig.setFrozen(invite, false);
    rig.passSeconds(300n);
    await rig.pass(2);
    expect(rig.isOpen(invite)).toBe(false);
    expect(rig.defects).toEqual([]);
    rig.killAll();
  });
});

describe('InviteReturner', () => {
  it('pays one fee when the sender is faster after the simulation, and counts it', async () => {
    const rig = new ReturnRig(opened.store);
    const { world } = rig;
    const terms = world.terms();
    world.must(createNewInvite(terms));
    const invite = world.invite(terms);
    rig.record(invite);
    rig.passSeconds(EXPIRY - START);
    const { gas } = rig;
    rig.chain.beforeSend = () => {
      rig.chain.beforeSend = () => undefined;
      world.must(world.clawback(invite), createNewInvite({ ...terms, expiresAt: EXPIRY + 1_000n }));
    };
    await rig.start();
    await rig.pass(3);
    // The new invite of the same key has not expired, so the program refuses to return it.
    expect(world.read(invite)?.expiresAt).toBe(EXPIRY + 1_000n);
    expect([rig.gas, rig.chain.sent]).toEqual([gas - RETURN_FEE, 1]);
    expect(rig.metrics.countsOf(NOT_RETURNED)).toEqual({ refused: 1 });
    await expect.poll(async () => (await rig.gasOf(INVITE_PROGRAM)).byWallet).toBe(RETURN_FEE);
    rig.killAll();
  });

  it('pays for what fails on chain from one budget, whoever has sent it', async () => {
    const rig = new ReturnRig(opened.store);
    const { world } = rig;
    rig.limits = { perWallet: RETURN_FEE, inAll: 1_000_000_000n };
    const terms = [world.sender, world.network.newWallet()].map((sender) => world.terms({ sender }));
    const invites = terms.map((each) => {
      world.must(createNewInvite(each));
      return world.invite(each);
    });
    for (const invite of invites) rig.record(invite);
    rig.passSeconds(EXPIRY - START);
    rig.chain.beforeSend = () => {
      rig.chain.beforeSend = () => undefined;
      for (const [at, invite] of invites.entries()) {
        world.must(
          world.clawback(invite),
          createNewInvite({ ...(terms[at] as NewInvite), expiresAt: EXPIRY + 1_000n }),
        );
      }
    };
    const { gas } = rig;
    await rig.start();
    await rig.pass(3);
    expect([rig.gas, rig.chain.sent]).toEqual([gas - RETURN_FEE, 1]);
    expect(rig.metrics.countsOf(NOT_RETURNED)).toEqual({ gas: 1, refused: 1 });
    rig.killAll();
  });

  it('sends nothing when the key is used again between its plan and its signature', async () => {
    const rig = new ReturnRig(opened.store);
    const { world } = rig;
    const terms = world.terms();
    world.must(createNewInvite(terms));
    const invite = world.invite(terms);
    rig.record(invite);
    rig.passSeconds(EXPIRY - START);
    const { gas } = rig;
    const tell = async () => {
      world.must(world.clawback(invite), createNewInvite({ ...terms, expiresAt: EXPIRY + 1_000n }));
    };
    // The second call that leaves the process charges for the transaction, after it was planned.
    await rig.start({ calls: new InterruptedCalls(2, { kind: 'told', when: 'before', tell }) });
    await rig.pass(3);
    expect(world.read(invite)?.expiresAt).toBe(EXPIRY + 1_000n);
    expect([rig.gas, rig.chain.sent]).toEqual([gas, 0]);
    rig.killAll();
  });

  it.each([
    ['three hundred of one sender', 300, false],
    ['a thousand of as many senders', 1_000, true],
  ])('returns a good invite soon behind %s that cannot be returned', async (_, count, areMany) => {
    const rig = new ReturnRig(opened.store, 'a token');
    const { world } = rig;
    for (let at = 0; at < count; at++) {
      const sender = areMany ? world.network.newWallet() : world.sender;
      if (areMany) world.give(sender, token(rig), 1_000n);
      rig.setFrozen(rig.create({ sender, amount: 1n }), true);
    }
    const other = world.network.newWallet();
    world.give(other, token(rig), 1_000n);
    const good = rig.create({ sender: other, amount: 1_000n, expiresAt: EXPIRY + 1n });
    const { gas } = rig;
    rig.passSeconds(EXPIRY - START + 1n);
    await rig.start();
    await rig.pass(5);
    expect([rig.isOpen(good), rig.chain.sent]).toEqual([false, 1]);
    // A sender whose invites are refused is passed over for the rest of a page.
    if (!areMany) expect(rig.chain.simulated).toBeLessThan(100);
    // They cost nothing, and another one comes at once although they are tried again and again.
    const later = rig.create({ sender: other, amount: 500n, expiresAt: EXPIRY + 3_000n });
    for (let at = 0; at < 3; at++) {
      rig.passSeconds(1_000n);
      await rig.pass();
    }
    await rig.pass();
    expect([rig.isOpen(later), rig.chain.sent]).toEqual([false, 2]);
    expect(rig.gas).toBe(gas + 2n * (INVITE_REWARD - RETURN_FEE));
    rig.killAll();
  });

  it('returns all of many invites of one sender', async () => {
    const rig = new ReturnRig(opened.store);
    const invites = Array.from({ length: 300 }, () => rig.create({ amount: 1_000n }));
    rig.passSeconds(EXPIRY - START);
    await rig.start();
    await rig.pass(20);
    expect(invites.filter((invite) => rig.isOpen(invite))).toEqual([]);
    expect(rig.chain.sent).toBe(300);
    rig.killAll();
  });

  it('tries transactions that were lost again', async () => {
    const rig = new ReturnRig(opened.store);
    const invite = rig.create();
    rig.passSeconds(EXPIRY - START);
    rig.chain.losing = 1_000;
    await rig.start();
    await rig.pass(3);
    // It is due again, and not tried while its transaction may still land.
    rig.passSeconds(8n);
    await rig.pass(3);
    rig.chain.pass(200n);
    await rig.pass(20);
    expect(rig.metrics.countsOf(NOT_RETURNED)).toEqual({ 'not-landed': 1 });
    rig.chain.losing = 0;
    rig.passSeconds(8n);
    await rig.pass(3);
    expect(rig.isOpen(invite)).toBe(false);
    rig.killAll();
  });

  it('waits while the budget of all returns is spent, and while the gas wallet is empty', async () => {
    const rig = new ReturnRig(opened.store);
    const invite = rig.create();
    rig.passSeconds(EXPIRY - START);
    rig.limits = { perWallet: 1_000n, inAll: 1_000_000_000n };
    const first = await rig.start();
    await rig.pass(3);
    expect(rig.metrics.countsOf(NOT_RETURNED)).toEqual({ gas: 1 });
    rig.kill(first);
    rig.limits = { perWallet: 1_000_000n, inAll: 1_000_000_000n };
    rig.fund(0n);
    await rig.start();
    await rig.pass(3);
    expect([rig.isOpen(invite), rig.chain.sent]).toEqual([true, 0]);
    rig.fund(10_000_000n);
    await rig.pass(3);
    expect(rig.isOpen(invite)).toBe(false);
    rig.killAll();
  });

  it('says that it returns nothing while the record or the node is behind, and goes on where it was', async () => {
    const rig = new ReturnRig(opened.store);
    const invite = rig.create();
    rig.passSeconds(EXPIRY - START);
    rig.recordError = new Unavailable('the database does not answer');
    const { returner } = await rig.start();
    await rig.pass(2);
    expect(returner.unhealthy()).toContain('does not answer');
    expect(rig.outages.length).toBeGreaterThan(0);
    rig.recordError = null;
    rig.chain.lag = 1n;
    await rig.pass(2);
    expect([returner.unhealthy() === null, rig.chain.sent]).toEqual([false, 0]);
    rig.chain.lag = 0n;
    await rig.pass(2);
    expect([returner.unhealthy(), rig.isOpen(invite)]).toEqual([null, false]);
    rig.killAll();
  });

  it('begins again when the clock of the network is put back', async () => {
    const rig = new ReturnRig(opened.store);
    rig.create({ expiresAt: EXPIRY + 100_000n });
    rig.passSeconds(100_600n);
    await rig.start();
    await rig.pass(2);
    expect(rig.chain.sent).toBe(1);
    rig.world.network.setUnixTime(START);
    const invite = rig.create({ expiresAt: EXPIRY });
    await rig.pass(1);
    rig.passSeconds(EXPIRY - START);
    await rig.pass(2);
    expect(rig.isOpen(invite)).toBe(false);
    rig.killAll();
  });

  it('drains: what is on its way ends, and nothing more is begun', async () => {
    const rig = new ReturnRig(opened.store);
    const invite = rig.create();
    const { returner } = await rig.start();
    await returner.drain();
    rig.passSeconds(EXPIRY - START);
    await rig.pass(5);
    expect([rig.isOpen(invite), rig.timers.waiting]).toEqual([true, 0]);
    rig.killAll();
  });
});

describe('several returners', () => {
  it('work one at a time by their lease', async () => {
    const rig = new ReturnRig(opened.store);
    const invite = rig.create();
    rig.passSeconds(EXPIRY - START);
    let holder: string | null = 'another';
    const leases: Leases = {
      leaseMs: 10_000,
      claim: async () => holder,
      take: async () => null,
      keep: async () => new Map(),
      holder: async () => holder,
      release: async () => undefined,
    };
    const { returner } = await rig.start({ leases });
    await rig.pass(5);
    expect([rig.isOpen(invite), returner.unhealthy()]).toEqual([true, null]);
    holder = null;
    await rig.pass(2);
    expect(rig.isOpen(invite)).toBe(false);
    rig.killAll();
  });

  it('that all think they lead return each invite once, and lose at most the fee of the one that comes second', async () => {
    const rig = new ReturnRig(opened.store, 'a token with a transfer fee');
    const invites = Array.from({ length: 40 }, () => rig.create());
    const { gas } = rig;
    const before = rig.world.balance(rig.world.sender, token(rig));
    rig.passSeconds(EXPIRY - START);
    for (let each = 0; each < 3; each++) await rig.start();
    await rig.pass(20);
    expect(invites.filter((invite) => rig.isOpen(invite))).toEqual([]);
    expect(rig.metrics.countsOf(RETURNED)).toEqual({ '': 40 });
    const returned = rig.world.balance(rig.world.sender, token(rig)) - before;
    expect(returned).toBe(40n * 4_900_500n);
    const lost = BigInt(rig.chain.sent - 40);
    expect(rig.gas).toBe(gas + 40n * (INVITE_REWARD - RETURN_FEE) - lost * RETURN_FEE);
    rig.killAll();
  });

  it.each(['before', 'after'] as const)(
    'return each invite once when one is killed %s any of its calls',
    async (when) => {
      for (let at = 1, isReached = true; isReached; at++) {
        const rig = new ReturnRig(opened.store);
        const invites = [rig.create(), rig.create(), rig.create({ expiresAt: EXPIRY + 2n })];
        const { gas } = rig;
        const charged = (await rig.gasOf(rig.world.sender)).inAll;
        const calls = new InterruptedCalls(at, { kind: 'killed', when });
        rig.passSeconds(EXPIRY - START);
        const first = await rig.start({ calls });
        await rig.pass(2);
        rig.passSeconds(2n);
        await rig.pass(2);
        isReached = calls.wasReached;
        rig.kill(first);
        const second = await rig.start();
        await rig.pass(4);
        expect(invites.filter((invite) => rig.isOpen(invite))).toEqual([]);
        expect(rig.chain.sent).toBe(3);
        expect(rig.gas).toBe(gas + 3n * (INVITE_REWARD - RETURN_FEE));
        // What was charged for a transaction that may have been sent stays charged.
        const left = (await rig.gasOf(rig.world.sender)).inAll - charged;
        expect(left).toBeLessThanOrEqual(3n * INVITE_REWARD);
        rig.kill(second);
      }
    },
  );
});

function token({ world }: ReturnRig) {
  if (world.token === null) throw new Error('a world of SOL');
  return world.token;
}
