import { beforeEach, describe, expect, it } from 'vitest';
import { claimVestingEscrowV2 } from '../../../src/protocols/jupiter-lock/instructions.ts';
import { swap } from '../../../src/protocols/meteora-damm-v2/instructions.ts';
import { readChanges } from '../../../src/protocols/meteora-damm-v2/program/layout.ts';
import type { DbcLiquidityVesting } from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import { deriveDbcLockerBaseAddress } from '../../../src/protocols/meteora-dbc/program/addresses.ts';
import { DbcTokenType } from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  claimPositionFee,
  closePosition,
  type PositionParties,
  removeAllLiquidity,
  removeLiquidity,
} from '../../meteora-damm-v2/tests/instructions.ts';
import { CREATOR, NOW, PARTNER, SLOT, setClock } from './fixture.ts';
import {
  baseAccountOf,
  BUYER,
  buyOut,
  callsAfterSale,
  dataOf,
  done,
  errorOf,
  type Graduate,
  launchGraduate,
  openEscrow,
  prepareMigrations,
  PROGRAMS,
  quoteAccountOf,
  readPosition,
} from './migration-fixture.ts';

const network = openForEach(() => new TestNetwork(PROGRAMS));
beforeEach(() => prepareMigrations(network));

const UNIT = 1_000_000n;
const DAY = 86_400n;
const HOUR = 3_600n;
/** A tenth of the vested part at a cliff of a day, and the rest in nine hours. */
const VESTED: DbcLiquidityVesting = {
  vestingPercentage: 20,
  bpsPerPeriod: 1_000,
  numberOfPeriods: 9,
  cliffDurationFromMigrationTime: Number(DAY),
  frequency: Number(HOUR),
};
const ALL_OF_IT = [0n, 0n] as const;

describe('the positions of a migrated pool', () => {
  let graduate: Graduate;
  let partner: PositionParties;
  let creator: PositionParties;

  beforeEach(() => {
    graduate = launchGraduate(network, {
      changes: {
        partnerLiquidityPercentage: 15,
        partnerPermanentLockedLiquidityPercentage: 20,
        partnerLiquidityVestingInfo: VESTED,
        creatorPermanentLockedLiquidityPercentage: 45,
      },
    });
    buyOut(network, graduate);
    done(network, callsAfterSale(graduate).migration_damm_v2);
    partner = partiesOf(PARTNER, graduate.migration.firstPositionMint);
    creator = partiesOf(CREATOR, graduate.migration.secondPositionMint as Address);
  });

  it('give what is free at once, and what vests as its time comes', () => {
    const whole = partsOf(partner);
    expect(whole.permanent).toBeGreaterThan(0n);
    expect(errorOf(network, removeLiquidity(graduate.damm, partner, whole.unlocked + 1n, ALL_OF_IT))).toBe(
      6023,
    );
    done(network, removeAllLiquidity(graduate.damm, partner, ALL_OF_IT));
    at(DAY - 1n);
    expect(errorOf(network, removeLiquidity(graduate.damm, partner, 1n, ALL_OF_IT))).toBe(6023);
    at(DAY);
    expectReleased(whole.cliffLiquidity);
    at(DAY + 4n * HOUR);
    expectReleased(whole.liquidityPerPeriod * 4n);
    at(DAY + 30n * HOUR);
    expectReleased(whole.liquidityPerPeriod * 5n);
    expect(partsOf(partner)).toMatchObject({ unlocked: 0n, vested: 0n, permanent: whole.permanent });
    expect(errorOf(network, closePosition(graduate.damm, partner))).toBe(6039);
  });

  it('never give what is locked for ever, but earn with it', () => {
    at(100n * 365n * DAY);
    // What rounding the shares leaves over is free.
    const { unlocked, vested } = partsOf(creator);
    expect(unlocked).toBeLessThan(6n);
    expect(vested).toBe(0n);
    expect(errorOf(network, removeLiquidity(graduate.damm, creator, unlocked + 1n, ALL_OF_IT))).toBe(6023);
    const [base, quote] = [baseAccountOf(graduate, BUYER), quoteAccountOf(BUYER)];
    done(
      network,
      swap(graduate.damm, { authority: BUYER, source: quote, destination: base }, 100n * UNIT, 1n),
    );
    const before = network.tokenBalance(quoteAccountOf(CREATOR));
    done(network, claimPositionFee(graduate.damm, creator));
    // The protocol of DAMM v2 keeps a fifth of 0.25 %, and the creator has nearly half of the liquidity.
    const earned = network.tokenBalance(quoteAccountOf(CREATOR)) - before;
    expect(earned).toBeGreaterThan(89_000n);
    expect(earned).toBeLessThan(90_000n);
  });

  it('belong to their owners alone', () => {
    const stolen = { ...creator, owner: PARTNER, tokens: partner.tokens };
    expect(errorOf(network, claimPositionFee(graduate.damm, stolen))).toBe(6053);
    expect(
      errorOf(network, removeAllLiquidity(graduate.damm, { ...partner, owner: CREATOR }, ALL_OF_IT)),
    ).toBe(6053);
  });

  function expectReleased(liquidity: bigint): void {
    const before = readChanges(dataOf(network, graduate.damm.address)).liquidity;
    expect(errorOf(network, removeLiquidity(graduate.damm, partner, liquidity + 1n, ALL_OF_IT))).toBe(6023);
    done(network, removeLiquidity(graduate.damm, partner, liquidity, ALL_OF_IT));
    expect(before - readChanges(dataOf(network, graduate.damm.address)).liquidity).toBe(liquidity);
  }

  function partiesOf(owner: Address, positionMint: Address): PositionParties {
    return { owner, positionMint, tokens: [baseAccountOf(graduate, owner), quoteAccountOf(owner)] };
  }

  function partsOf({ positionMint }: PositionParties) {
    const position = readPosition(network, positionMint);
    if (position === null) throw new Error('there is no position');
    return position;
  }
});

describe('base tokens that vest', () => {
  it.each([DbcTokenType.SPL_TOKEN, DbcTokenType.TOKEN_2022])(
    'are claimed by the creator as their time comes (token type %i)',
    (tokenType) => {
      const graduate = launchGraduate(network, {
        changes: {
          tokenType,
          lockedVesting: {
            amountPerPeriod: 1_000n * UNIT,
            cliffDurationFromMigrationTime: DAY,
            frequency: HOUR,
            numberOfPeriod: 12n,
            cliffUnlockAmount: 500n * UNIT,
          },
        },
      });
      buyOut(network, graduate);
      openEscrow(network, graduate);
      done(network, callsAfterSale(graduate).create_locker);
      done(network, callsAfterSale(graduate).migration_damm_v2);
      const { keys } = graduate;
      const escrow = { base: deriveDbcLockerBaseAddress(keys.pool), mint: keys.baseMint, recipient: CREATOR };
      const recipientToken = baseAccountOf(graduate, CREATOR);
      const claim = claimVestingEscrowV2(
        escrow,
        { recipientToken, maxAmount: 1n << 63n },
        { tokenProgram: keys.tokenBaseProgram },
      );
      for (const [time, claimed] of [
        [DAY, 500n],
        [DAY + 3n * HOUR, 3_500n],
        [10n * DAY, 12_500n],
      ] as const) {
        at(time);
        done(network, claim);
        expect(network.tokenBalance(recipientToken)).toBe(claimed * UNIT);
      }
      expect(network.tokenBalance(graduate.escrowTokens)).toBe(0n);
    },
  );
});

/** Sets the time to so many seconds after the launch. */
function at(seconds: bigint): void {
  setClock(network, { slot: SLOT + seconds, time: NOW + seconds });
}
