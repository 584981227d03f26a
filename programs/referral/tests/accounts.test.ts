import { describe, expect, it } from 'vitest';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import {
  deriveProjectAddress,
  deriveProjectAuthority,
  REFERRAL_PROGRAM,
} from '../../../src/solana/programs/referral/program.ts';
import { encodeReferralProject } from '../../../src/solana/programs/referral/project.ts';
import {
  closeReferralTokenAccount,
  closeReferralTokenAccountV2,
  createAdminTokenAccount,
  initializeProject,
  initializeReferralAccount,
  initializeReferralAccountWithName,
  initializeReferralTokenAccount,
  nameReferral,
  transferProject,
  transferReferralAccount,
  updateProject,
  updateReferralAccount,
  withdrawFromProject,
} from './instructions.ts';
import { ReferralWorld } from './world.ts';

describe('a project', () => {
  it('is written as the public program writes it, at the address that its base derives', () => {
    const { network, project, admin } = new ReferralWorld();
    const account = network.account(project.address);
    expect(account?.owner).toBe(REFERRAL_PROGRAM);
    const fields = { base: project.base, admin, name: 'Test', defaultShareBps: 8_000 };
    expect(Buffer.from(account?.data ?? [])).toEqual(Buffer.from(encodeReferralProject(fields)));
  });

  it('is made once, with a share of at most the whole and a name of fewer than 50 characters', () => {
    const world = new ReferralWorld();
    const [base, admin] = [world.wallet(), world.wallet()];
    const make = (name: string, defaultShareBps: number) =>
      initializeProject(world.payer, base, admin, { name, defaultShareBps });
    expect(world.refusal(make('x', 10_001))).toBe(6_001);
    expect(world.refusal(make('é'.repeat(50), 1))).toBe(6_002);
    world.must(make('🪙'.repeat(49), 10_000));
    // The system program's error for an address that is in use.
    expect(world.refusal(make('x', 1))).toBe(0);
  });

  it('changes its name, its share and its admin as its admin says', () => {
    const world = new ReferralWorld();
    const { network, project, admin } = world;
    world.must(updateProject(project, { name: 'Longer', defaultShareBps: 20_000 }));
    world.must(updateProject(project, { name: 'Name' }), updateProject(project, { defaultShareBps: 5 }));
    const fields = { base: project.base, admin, name: 'Name', defaultShareBps: 5 };
    const written = encodeReferralProject(fields).subarray(0, 82);
    expect(Buffer.from(network.account(project.address)?.data.subarray(0, 82) ?? [])).toEqual(
      Buffer.from(written),
    );
    expect(world.refusal(updateProject(project, { name: 'x'.repeat(207) }))).toBe(3_004);
    world.must(updateProject(project, { name: 'x'.repeat(206) }));

    const heir = world.wallet();
    world.must(transferProject(project, heir));
    expect(world.refusal(updateProject(project, { name: 'Mine' }))).toBe(HAS_ONE);
    world.must(updateProject({ ...project, admin: heir }, { name: 'Mine' }));
  });

  it('pays its lamports to its admin alone', () => {
    const world = new ReferralWorld();
    const { project, admin, network } = world;
    const thief = world.wallet();
    expect(world.refusal(withdrawFromProject({ ...project, admin: thief }, 5n))).toBe(HAS_ONE);
    const authority = deriveProjectAuthority(project.base);
    const lamports = () => [admin, authority].map((each) => network.account(each)?.lamports ?? 0n);
    const [before = 0n, held = 0n] = lamports();
    // The system program's error for more lamports than there are.
    expect(world.refusal(withdrawFromProject(project, held + 1n))).toBe(1);
    world.must(withdrawFromProject(project, 40_000_000n));
    expect(lamports()).toEqual([before + 40_000_000n, held - 40_000_000n]);
  });

  it('pays for the token accounts of its admin when anybody asks', () => {
    const world = new ReferralWorld();
    const { project, token, admin, network } = world;
    const open = createAdminTokenAccount(project, token);
    world.must(open, open);
    const account = network.account(deriveAssociatedTokenAddress(admin, token.mint, token.tokenProgram));
    const authority = network.account(deriveProjectAuthority(project.base));
    expect(authority?.lamports).toBe(1_000_000_000n - (account?.lamports ?? 0n));
    expect(world.refusal(createAdminTokenAccount({ ...project, admin: world.partner }, token))).toBe(HAS_ONE);
  });
});

describe('data that is no instruction', () => {
  it('is refused with the codes of Anchor 0.29', () => {
    const world = new ReferralWorld();
    const { data, ...rest } = transferProject(world.project, world.partner);
    expect(world.refusal({ ...rest, data: data.subarray(0, 7) })).toBe(100);
    expect(world.refusal({ ...rest, data: new Uint8Array(8) })).toBe(101);
  });
});

describe('a referral account', () => {
  it('has the share that its project had when it was made', () => {
    const world = new ReferralWorld();
    const { partner, project } = world;
    const expected = { discriminator: 'eda2504ec4e95b02', partner, project: project.address };
    expect(world.readReferral()).toEqual({ ...expected, shareBps: 8_000, name: 'partner', rest: 188 });
    world.must(updateProject(project, { defaultShareBps: 100 }));
    const nameless = world.newNamelessReferral();
    expect(world.readReferral(nameless)).toEqual({ ...expected, shareBps: 100, name: null, rest: 199 });
    expect(world.readReferral().shareBps).toBe(8_000);
  });

  it('is made once for a name of fewer than 20 characters and at most 32 bytes', () => {
    const world = new ReferralWorld();
    const make = (name: string) => {
      const referral = nameReferral(world.project, world.partner, name);
      return initializeReferralAccountWithName(world.payer, referral, name);
    };
    expect(world.refusal(make('x'.repeat(20)))).toBe(6_002);
    world.must(make('x'.repeat(19)), make('é'.repeat(16)), make(''));
    expect(world.refusal(make('partner'))).toBe(0);
    const { data, ...rest } = make('partner2');
    const invalid = Uint8Array.from(data);
    invalid[12] = 0xff;
    expect(world.refusal({ ...rest, data: invalid })).toBe(102);
    const long = Buffer.concat([data.subarray(0, 8), Buffer.of(33, 0, 0, 0), Buffer.from('x'.repeat(33))]);
    expect(world.refusal({ ...rest, data: long })).toBe('MaxSeedLengthExceeded');
  });

  it('needs the signature of its own key when it has no name', () => {
    const world = new ReferralWorld();
    const { partner, project, payer } = world;
    const instruction = initializeReferralAccount(payer, { address: world.wallet(), project, partner });
    const accounts = instruction.accounts.map((meta, index) =>
      index === 3 ? { ...meta, role: 1 as const } : meta,
    );
    expect(world.refusal({ ...instruction, accounts })).toBe('PrivilegeEscalation');
  });

  it('does not pay for itself', () => {
    const world = new ReferralWorld();
    const { partner, project } = world;
    const address = world.wallet();
    expect(world.refusal(initializeReferralAccount(address, { address, project, partner }))).toBe(4_101);
  });

  it('is handed on by its partner, and its share is set by the admin of its project', () => {
    const world = new ReferralWorld();
    const { referral, project } = world;
    const thief = world.wallet();
    expect(world.refusal(transferReferralAccount({ ...referral, partner: thief }, thief))).toBe(HAS_ONE);
    const posing = { ...referral, project: { ...project, admin: thief } };
    expect(world.refusal(updateReferralAccount(posing, 10_000))).toBe(HAS_ONE);
    const base = world.wallet();
    world.must(initializeProject(world.payer, base, thief, { name: 'Own', defaultShareBps: 0 }));
    const own = { ...referral, project: { address: deriveProjectAddress(base), base, admin: thief } };
    expect(world.refusal(updateReferralAccount(own, 10_000))).toBe(HAS_ONE);
    world.must(updateReferralAccount(referral, 9_000), transferReferralAccount(referral, thief));
    expect(world.readReferral()).toMatchObject({ shareBps: 9_000, partner: thief });
  });
});

describe.each([false, true])(
  'the token accounts of a referral account (project of the genesis: %s)',
  (isOfGenesis) => {
    it('are opened once', () => {
      const world = new ReferralWorld({ isOfGenesis });
      world.collect('project', 0n);
      const again = initializeReferralTokenAccount(world.payer, world.referral, world.token);
      expect(world.refusal(again)).toBe(0);
    });

    it.each([
      ['project', closeReferralTokenAccount],
      ['associated', closeReferralTokenAccountV2],
    ] as const)(
      'are closed by the admin when they are empty, and the partner has the rent: %s',
      (kind, close) => {
        const world = new ReferralWorld({ isOfGenesis });
        const { referral, token, network, partner } = world;
        const account = world.collect(kind, 3n);
        // The token program's error for an account that holds tokens.
        expect(world.refusal(close(referral, token))).toBe(11);
        world.setAmount(account, 0n);
        const posing = { ...referral, project: { ...referral.project, admin: partner } };
        expect(world.refusal(close(posing, token))).toBe(HAS_ONE);
        const [rent = 0n, before = 0n] = [account, partner].map((each) => network.account(each)?.lamports);
        world.must(close(referral, token));
        expect(network.account(account)).toBeNull();
        expect(network.account(partner)?.lamports).toBe(before + rent);
      },
    );
  },
);

/** Anchor's ConstraintHasOne. */
const HAS_ONE = 2_001;
