import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeTransferFeeConfigExtension } from '../../../src/solana/programs/token/transfer-fee.ts';
import { assertProperty } from '../../../src/testing/random.ts';
import { claim, claimV2, updateReferralAccount } from './instructions.ts';
import { ReferralWorld, type TokenKind } from './world.ts';

describe.each(['project', 'associated'] as const)('a claim from the token account of the kind %s', (kind) => {
  it.each([
    [1_000_000n, 8_000, 800_000n],
    // The partner's part is rounded down.
    [10_003n, 8_000, 8_002n],
    [1n, 9_999, 0n],
    [7n, 0, 0n],
    [7n, 10_000, 7n],
    [(1n << 64n) - 1n, 9_750, 17_985_575_471_866_812_824n],
  ])('divides %s atoms at %s basis points: %s are the partner’s', (collected, shareBps, partners) => {
    const world = new ReferralWorld({ shareBps });
    collectAndClaim(world, kind, collected);
    expect(world.holdings(kind)).toEqual([partners, collected - partners, 0n]);
  });

  it('divides any amount without a remainder', () => {
    const world = new ReferralWorld();
    collectAndClaim(world, kind, 0n);
    const amount = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
    assertProperty(
      fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (collected, shareBps) => {
        const [partner, admin] = receiversOf(world);
        for (const account of [partner, admin]) world.setAmount(account, 0n);
        world.setAmount(world.feeAccount(kind), collected);
        world.must(updateReferralAccount(world.referral, shareBps), claimFrom(world, kind));
        const partners = (collected * BigInt(shareBps)) / 10_000n;
        expect(world.holdings(kind)).toEqual([partners, collected - partners, 0n]);
      }),
      { cases: 1_000, seed: 20_261_127 },
    );
  });

  it('logs the event of the public program', () => {
    const world = new ReferralWorld();
    const logs = collectAndClaim(world, kind, 10_003n);
    const [event] = logs.flatMap((line) => /^Program data: (.+)$/.exec(line)?.[1] ?? []);
    const bytes = Buffer.from(event ?? '', 'base64');
    expect(bytes.subarray(0, 8).toString('hex')).toBe(CLAIM_EVENT);
    expect([bytes.length, bytes.readBigUInt64LE(200), bytes.readBigUInt64LE(208)]).toEqual([
      216,
      8_002n,
      2_001n,
    ]);
  });

  it('claims under a project of the genesis, whose base is not known', () => {
    const world = new ReferralWorld({ isOfGenesis: true });
    collectAndClaim(world, kind, 10_003n);
    expect(world.holdings(kind)).toEqual([8_002n, 2_001n, 0n]);
  });

  it.each([false, true])(
    'claims a token with a transfer fee, of which each part pays its own (genesis: %s)',
    (isOfGenesis) => {
      const world = new ReferralWorld({ extensions: [TRANSFER_FEE], isOfGenesis });
      collectAndClaim(world, kind, 10_003n);
      // 100 basis points of each part, rounded up.
      expect(world.holdings(kind)).toEqual([8_002n - 81n, 2_001n - 21n, 0n]);
    },
  );

  it('fails when the share is above the whole', () => {
    const world = new ReferralWorld();
    collectAndClaim(world, kind, 0n);
    world.setAmount(world.feeAccount(kind), 1_000_000n);
    world.must(updateReferralAccount(world.referral, 10_001));
    expect(world.refusal(claimFrom(world, kind))).toBe(INVALID_CALCULATION);
    expect(world.holdings(kind)).toEqual([0n, 0n, 1_000_000n]);
  });
});

const INVALID_CALCULATION = 6_000;
/** The first 8 bytes of SHA-256("event:ClaimEvent"). */
const CLAIM_EVENT = '5d0f46aa308cd4db';

const FEE = { epoch: 0n, maximumFee: 1n << 60n, basisPoints: 100 };
const TRANSFER_FEE = encodeTransferFeeConfigExtension({
  configAuthority: null,
  withdrawWithheldAuthority: null,
  withheldAmount: 0n,
  older: FEE,
  newer: FEE,
});

function claimFrom(world: ReferralWorld, kind: TokenKind) {
  return (kind === 'project' ? claim : claimV2)(world.payer, world.referral, world.token);
}

function collectAndClaim(world: ReferralWorld, kind: TokenKind, amount: bigint): readonly string[] {
  world.collect(kind, amount);
  if (kind === 'project') world.openReceivers();
  return world.must(claimFrom(world, kind));
}

/** Returns the token accounts that a claim pays into: the partner's and the admin's. */
function receiversOf(world: ReferralWorld) {
  const { accounts } = claimV2(world.payer, world.referral, world.token);
  return [7, 3].map((index) => accounts[index]?.address ?? world.payer) as [
    typeof world.payer,
    typeof world.payer,
  ];
}
