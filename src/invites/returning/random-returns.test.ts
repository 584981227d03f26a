import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KINDS, type WorldInvite } from '../../../programs/invite/tests/world.ts';
import { createNewInvite, type NewInvite } from '../../protocols/jupiter-send/invite-instructions.ts';
import { INVITE_REWARD } from '../../protocols/jupiter-send/invite-program.ts';
import type { Address } from '../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { RETURN_FEE, ReturnRig } from '../../testing/invites/return-rig.ts';
import { assertProperty } from '../../testing/random.ts';
import { openTestStore } from '../../testing/store/test-store.ts';

describe.each(KINDS)('a returner among random invites of %s', (kind) => {
  let opened: Awaited<ReturnType<typeof openTestStore>> | undefined;
  beforeAll(async () => {
    opened = await openTestStore('sqlite');
  });
  afterAll(() => opened?.cleanUp());

  it('gains the rest of each reward, loses only the fees of races, and returns in the end all that can be returned', async () => {
    if (opened === undefined) throw new Error('no store');
    const rig = new ReturnRig(opened.store, kind);
    rig.limits = { perWallet: 1_000_000_000n, inAll: 1_000_000_000n };
    await rig.start();
    await assertProperty(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const life = new Life(rig);
        for (const each of steps) {
          await life.take(each);
          life.check();
        }
        await life.end();
      }),
      { cases: 200, short: 15, seed: 20_261_130 },
    );
    // The lives are of use only if invites were returned in them, and if some senders were faster.
    const { '': returned = 0 } = rig.metrics.countsOf('sluice_invites_returned_total');
    expect([returned > 20, rig.chain.sent > returned]).toEqual([true, true]);
    rig.killAll();
  });
});

const step = fc.record({
  kind: fc.constantFrom(
    'create',
    'create',
    'create',
    'claim',
    'clawback',
    'race',
    'freeze',
    'thaw',
    'give',
    'close',
    'wait',
    'wait',
    'turn',
    'turn',
  ),
  key: fc.nat(4),
  sender: fc.nat(1),
  amount: fc.bigInt({ min: 1_000n, max: 1_000_000n }),
  seconds: fc.integer({ min: 1, max: 40 }),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One life on a network that goes on: the keys are its own. */
class Life {
  readonly #rig: ReturnRig;
  readonly #gas: bigint;
  readonly #sent: number;
  readonly #returned: number;
  readonly #senders: readonly Address[];
  readonly #keys: readonly Address[];
  readonly #open = new Map<Address, WorldInvite>();
  #races = 0;

  constructor(rig: ReturnRig) {
    const { world } = rig;
    this.#rig = rig;
    this.#gas = rig.gas;
    this.#sent = rig.chain.sent;
    this.#returned = this.#countReturned();
    const other = world.network.newWallet();
    if (world.token !== null) world.give(other, world.token, 1_000_000_000n);
    this.#senders = [world.sender, other];
    this.#keys = Array.from({ length: 5 }, () => world.network.newAddress());
  }

  async take({ kind, key: at, sender: who, amount, seconds }: Step): Promise<void> {
    const rig = this.#rig;
    const { world } = rig;
    const key = this.#keys[at] as Address;
    const invite = this.#open.get(key);
    if (kind === 'wait') rig.passSeconds(BigInt(seconds));
    if (kind === 'turn') await rig.pass();
    if (kind === 'create') this.#create(who, { inviteKey: key, amount, seconds });
    if (invite === undefined || !rig.isOpen(invite)) return;
    if (kind === 'claim') world.send(world.claim(invite));
    if (kind === 'clawback') world.send(world.clawback(invite));
    if (kind === 'race') await this.#raceFor(invite);
    if (kind === 'give') world.send(transferLamports(world.network.payer, invite.address, amount));
    if (invite.token === null) return;
    if (kind === 'freeze') rig.setFrozen(invite, true);
    if (kind === 'thaw') rig.setFrozen(invite, false);
    if (kind === 'close') this.#close(invite);
  }

  check(): void {
    const rig = this.#rig;
    const returned = BigInt(this.#countReturned() - this.#returned);
    const failed = BigInt(rig.chain.sent - this.#sent) - returned;
    expect(rig.gas).toBe(this.#gas + returned * (INVITE_REWARD - RETURN_FEE) - failed * RETURN_FEE);
    expect(Number(failed)).toBeLessThanOrEqual(this.#races);
  }

  /** What nothing holds up any more is returned at the latest after the longest delay. */
  async end(): Promise<void> {
    const rig = this.#rig;
    rig.chain.beforeSend = () => undefined;
    const left = [...this.#open.values()].filter((invite) => rig.isOpen(invite));
    for (const invite of left) if (invite.token !== null) rig.setFrozen(invite, false);
    for (let hour = 0; hour < 3; hour++) {
      rig.passSeconds(5_000n);
      await rig.pass(2);
    }
    this.check();
    expect(left.filter((invite) => rig.isOpen(invite))).toEqual([]);
    expect([...rig.defects, ...rig.outages]).toEqual([]);
  }

  #countReturned(): number {
    return this.#rig.metrics.countsOf('sluice_invites_returned_total')[''] ?? 0;
  }

  #create(who: number, { seconds, ...changes }: Partial<NewInvite> & { readonly seconds: number }): void {
    const rig = this.#rig;
    const { world } = rig;
    const sender = this.#senders[who] ?? world.sender;
    const terms = world.terms({ ...changes, sender, expiresAt: rig.now() + BigInt(seconds) });
    if (world.send(createNewInvite(terms)).error !== null) return;
    const invite = world.invite(terms);
    rig.record(invite);
    this.#open.set(terms.inviteKey, invite);
  }

  /** Lets an invite expire, whose sender takes it back right before the next transaction of the returner lands. */
  async #raceFor(invite: WorldInvite): Promise<void> {
    const rig = this.#rig;
    const { expiresAt = 0n } = rig.world.read(invite) ?? {};
    if (expiresAt > rig.now()) rig.passSeconds(expiresAt - rig.now());
    rig.chain.beforeSend = () => {
      rig.chain.beforeSend = () => undefined;
      if (rig.isOpen(invite) && rig.world.send(rig.world.clawback(invite)).error === null) this.#races++;
    };
    await rig.pass();
  }

  #close({ sender }: WorldInvite): void {
    const { world } = this.#rig;
    if (world.token === null) return;
    const none = { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array(0) };
    const own = world.tokens(sender, world.token);
    world.network.setAccount(own, { ...none, executable: false, rentEpoch: 0n });
  }
}
