import { describe, expect, it } from 'vitest';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { createAssociatedToken } from '../../../src/solana/programs/associated-token.ts';
import {
  deriveProjectAddress,
  deriveProjectAuthority,
} from '../../../src/solana/programs/referral/program.ts';
import { substituteAccounts } from '../../../src/testing/svm/substitution.ts';
import {
  claim,
  claimV2,
  closeReferralTokenAccount,
  closeReferralTokenAccountV2,
  createAdminTokenAccount,
  initializeProject,
  nameReferral,
  type Project,
  type Referral,
  transferProject,
  transferReferralAccount,
  updateReferralAccount,
  withdrawFromProject,
} from './instructions.ts';
import { ReferralWorld, type TokenKind } from './world.ts';

describe.each([false, true])(
  'an instruction with another account in any place (genesis: %s)',
  (isOfGenesis) => {
    it.each([
      ['claim', 'project', claim],
      ['claim_v2', 'associated', claimV2],
    ] as const)('is refused, or does the same: %s', (_, kind, build) => {
      const { world, others } = attacked(kind, isOfGenesis);
      const found = substituteAccounts(
        world.network,
        [build(world.payer, world.referral, world.token)],
        others,
      );
      expect(found.surprises.filter(({ index }) => index !== PAYER)).toEqual([]);
      expect(found.refused).toBeGreaterThan(50);
    });

    it.each([
      ['close_referral_token_account', 'project', closeReferralTokenAccount],
      ['close_referral_token_account_v2', 'associated', closeReferralTokenAccountV2],
    ] as const)('is refused, or does the same: %s', (_, kind, build) => {
      const { world, others } = attacked(kind, isOfGenesis, 0n);
      const found = substituteAccounts(world.network, [build(world.referral, world.token)], others);
      expect(found.surprises).toEqual([]);
      expect(found.refused).toBeGreaterThan(30);
    });

    it('is refused, or does the same: the instructions of the admin and the partner', () => {
      const { world, others, thief } = attacked('associated', isOfGenesis);
      const { project, referral, token, network } = world;
      for (const [instruction, free] of [
        [withdrawFromProject(project, 1_000_000n), []],
        [createAdminTokenAccount(project, { ...token, mint: world.newToken().mint }), []],
        // Which of their referral accounts they mean, and whom they hand it to, is for them to say.
        [updateReferralAccount(referral, 10_000), [2]],
        [transferReferralAccount(referral, thief), [1, 2]],
        [transferProject(project, thief), [1]],
      ] as const) {
        const { surprises, refused } = substituteAccounts(network, [instruction], others);
        expect(surprises.filter(({ index }) => !(free as readonly number[]).includes(index))).toEqual([]);
        expect(refused).toBeGreaterThan(4);
      }
    });
  },
);

describe.each([
  ['claim', 'project', claim],
  ['claim_v2', 'associated', claimV2],
] as const)('%s', (_, kind, build) => {
  it('pays partner and admin also when a stranger asks, and the stranger nothing', () => {
    const { world, thief } = attacked(kind, false);
    world.must(build(thief, world.referral, world.token));
    expect(world.holdings(kind)).toEqual([80_000n, 20_000n, 0n]);
  });

  it.each(['partner', 'admin', 'project', 'mint', 'token account', 'owner'] as const)(
    'refuses another %s',
    (what) => {
      const { world, thief, own } = attacked(kind, false);
      const { referral, token, payer } = world;
      const other = world.newToken();
      const attempts: Record<typeof what, readonly [Instruction, number]> = {
        partner: [build(payer, { ...referral, partner: thief }, token), HAS_ONE],
        admin: [
          build(payer, { ...referral, project: { ...referral.project, admin: thief } }, token),
          HAS_ONE,
        ],
        project: [
          build(payer, { ...referral, project: own.project }, token),
          kind === 'project' ? HAS_ONE : SEEDS,
        ],
        mint: [replace(build(payer, referral, token), MINT, other.mint), TOKEN_MINT],
        'token account': [
          replace(build(payer, referral, token), SOURCE, world.feeAccount(kind, own)),
          kind === 'project' ? SEEDS : TOKEN_OWNER,
        ],
        owner: [replace(build(payer, referral, token), PARTNER_TOKENS, tokensOf(world, thief)), TOKEN_OWNER],
      };
      const [attempt, code] = attempts[what];
      expect(world.refusal(attempt)).toBe(code);
      expect(world.network.tokenBalance(world.feeAccount(kind))).toBe(COLLECTED);
    },
  );
});

describe('claim_v2', () => {
  it('refuses a referral account without a name', () => {
    const { world } = attacked('associated', false);
    const referral = world.newNamelessReferral();
    world.collect('associated', 7n, referral);
    expect(world.refusal(claimV2(world.payer, referral, world.token))).toBe(RAW);
  });
});

const COLLECTED = 100_000n;
/** Anchor's codes. */
const [HAS_ONE, RAW, SEEDS, TOKEN_MINT, TOKEN_OWNER] = [2_001, 2_003, 2_006, 2_014, 2_015];
/** Places of accounts in both claims. Any wallet that signs may be the payer. */
const [PAYER, SOURCE, PARTNER_TOKENS, MINT] = [0, 5, 7, 8];

/** Returns a world with collected fees, and a thief who has a project, a partner and token accounts of its own. */
function attacked(
  kind: TokenKind,
  isOfGenesis: boolean,
  collected = COLLECTED,
): {
  readonly world: ReferralWorld;
  readonly thief: Address;
  readonly own: Referral;
  readonly others: Address[];
} {
  const world = new ReferralWorld({ isOfGenesis });
  world.collect(kind, collected);
  world.openReceivers();
  const [thief, base] = [world.wallet(), world.wallet()];
  const project: Project = { address: deriveProjectAddress(base), base, admin: thief };
  world.must(initializeProject(world.payer, base, thief, { name: 'Own', defaultShareBps: 10_000 }));
  world.fund(deriveProjectAuthority(base));
  const own = nameReferral(project, thief, 'partner');
  world.newReferral('partner', thief, project);
  for (const each of ['project', 'associated'] as const) world.collect(each, 5n, own);
  const { mint, tokenProgram } = world.token;
  world.must(createAssociatedToken({ payer: world.payer, owner: thief, mint, tokenProgram }));
  const second = world.newReferral('second');
  const other = world.newToken();
  const others = [
    thief,
    project.address,
    deriveProjectAuthority(base),
    own.address,
    second.address,
    world.feeAccount('project', own),
    world.feeAccount('associated', own),
    world.collect(kind, 9n, second),
    world.collect(kind, 11n, world.referral, other),
    tokensOf(world, thief),
    other.mint,
  ];
  return { world, thief, own, others };
}

function tokensOf({ token }: ReferralWorld, wallet: Address): Address {
  return deriveAssociatedTokenAddress(wallet, token.mint, token.tokenProgram);
}

function replace(instruction: Instruction, place: number, address: Address): Instruction {
  const accounts = instruction.accounts.map((meta, index) => (index === place ? { ...meta, address } : meta));
  return { ...instruction, accounts };
}
