import { beforeEach, describe, expect, it } from 'vitest';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import {
  type DbcWithdrawalParties,
  withdrawDbcCreatorSurplus,
  withdrawDbcMigrationFee,
  withdrawDbcPartnerSurplus,
} from '../../../src/protocols/meteora-dbc/program/instructions-claim.ts';
import { transferDbcPoolCreator } from '../../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  namedAddress,
  token,
  writeMint,
  writeTokenAccount,
  writeWallet,
} from '../../raydium-cpmm/tests/fixture.ts';
import { CREATOR, PARTNER, QUOTE } from './fixture.ts';
import {
  addAmount,
  baseAccountOf,
  BUYER,
  buyOut,
  callsAfterSale,
  done,
  errorOf,
  type Graduate,
  launchGraduate,
  prepareMigrations,
  PROGRAMS,
  quoteAccountOf,
  readVirtualPool,
  withAccount,
} from './migration-fixture.ts';

const network = openForEach(() => new TestNetwork(PROGRAMS));
beforeEach(() => prepareMigrations(network));

const UNIT = 1_000_000n;
const STRANGER = namedAddress('dbc stranger');
/** The offset of the quote reserve in the pool's account. */
const QUOTE_RESERVE_AT = 8 + 64 + 5 * 32 + 8;

describe('a surplus', () => {
  it.each([
    [0, 1_000_003n, 0n, 800_002n],
    [37, 1_000_003n, 296_000n, 504_002n],
    [100, 1_000_003n, 800_002n, 0n],
    [50, 1n, 0n, 0n],
  ])('is shared with a creator of %i %%: %i atoms', (percentage, surplus, creators, partners) => {
    const graduate = withSurplus(surplus, { creatorTradingFeePercentage: percentage });
    const calls = callsAfterSale(graduate);
    const { quoteVault } = graduate.keys;
    const before = network.tokenBalance(quoteVault);
    done(network, calls.partner_withdraw_surplus);
    done(network, calls.creator_withdraw_surplus);
    expect(network.tokenBalance(quoteAccountOf(CREATOR))).toBe(creators);
    expect(network.tokenBalance(quoteAccountOf(PARTNER))).toBe(partners);
    expect(before - network.tokenBalance(quoteVault)).toBe(creators + partners);
  });

  it('is paid once to either, before the migration as well as after it', () => {
    const calls = callsAfterSale(withSurplus(UNIT, { creatorTradingFeePercentage: 50 }));
    done(network, calls.partner_withdraw_surplus);
    expect(errorOf(network, calls.partner_withdraw_surplus)).toBe(6025);
    done(network, calls.migration_damm_v2);
    expect(errorOf(network, calls.partner_withdraw_surplus)).toBe(6025);
    done(network, calls.creator_withdraw_surplus);
    expect(errorOf(network, calls.creator_withdraw_surplus)).toBe(6025);
  });

  it('is paid to nobody else', () => {
    const { keys } = withSurplus(UNIT);
    openQuoteAccount();
    expect(errorOf(network, withdrawDbcPartnerSurplus(keys, ofStranger()))).toBe(6053);
    expect(errorOf(network, withdrawDbcCreatorSurplus(keys, ofStranger()))).toBe(6053);
    // The partner is not the creator.
    const partner = { owner: PARTNER, tokenQuoteAccount: quoteAccountOf(PARTNER) };
    expect(errorOf(network, withdrawDbcCreatorSurplus(keys, partner))).toBe(6053);
  });

  it('follows the creator to the next one', () => {
    const graduate = withSurplus(UNIT, { creatorTradingFeePercentage: 100 });
    writeWallet(network, STRANGER);
    openQuoteAccount();
    done(network, callsAfterSale(graduate).migration_damm_v2);
    done(network, transferDbcPoolCreator(graduate.keys, { creator: CREATOR, newCreator: STRANGER }));
    expect(errorOf(network, callsAfterSale(graduate).creator_withdraw_surplus)).toBe(6053);
    done(network, withdrawDbcCreatorSurplus(graduate.keys, ofStranger()));
    expect(network.tokenBalance(ofStranger().tokenQuoteAccount)).toBe((UNIT * 80n) / 100n);
  });

  it('goes to any account of the quote token, and to none of another token', () => {
    const { partner_withdraw_surplus: call } = callsAfterSale(withSurplus(UNIT));
    openQuoteAccount();
    done(network, withAccount(call, 3, ofStranger().tokenQuoteAccount));
    expect(network.tokenBalance(ofStranger().tokenQuoteAccount)).toBe((UNIT * 80n) / 100n);
    const graduate = withSurplus(UNIT, {}, 'other');
    const { partner_withdraw_surplus: other } = callsAfterSale(graduate);
    // The token program's error for another mint.
    expect(errorOf(network, withAccount(other, 3, baseAccountOf(graduate, BUYER)))).toBe(3);
  });
});

describe('a migration fee', () => {
  it('is paid once to either, and to nobody else', () => {
    const graduate = soldOut({ migrationFee: { feePercentage: 7, creatorFeePercentage: 33 } });
    const calls = callsAfterSale(graduate);
    openQuoteAccount();
    for (const flag of [0, 1]) {
      expect(errorOf(network, withdrawDbcMigrationFee(graduate.keys, ofStranger(), flag))).toBe(6022);
    }
    expect(errorOf(network, withdrawDbcMigrationFee(graduate.keys, ofStranger(), 2))).toBe(6006);
    done(network, calls.creator_withdraw_migration_fee);
    expect(readVirtualPool(network, graduate).migrationFeeWithdrawStatus).toBe(0b010);
    expect(errorOf(network, calls.creator_withdraw_migration_fee)).toBe(6040);
    done(network, calls.partner_withdraw_migration_fee);
    expect(readVirtualPool(network, graduate).migrationFeeWithdrawStatus).toBe(0b110);
    expect(errorOf(network, calls.partner_withdraw_migration_fee)).toBe(6040);
    expect(errorOf(network, calls.creator_withdraw_migration_fee)).toBe(6040);
    expect(network.tokenBalance(quoteAccountOf(CREATOR))).toBe(18_480_000n);
    expect(network.tokenBalance(quoteAccountOf(PARTNER))).toBe(37_520_000n);
  });

  it('needs its argument', () => {
    const { partner_withdraw_migration_fee: call } = callsAfterSale(soldOut());
    expect(errorOf(network, { ...call, data: call.data.subarray(0, 8) })).toBe(102);
  });
});

it.each(['partner_withdraw_surplus', 'creator_withdraw_surplus', 'partner_withdraw_migration_fee'] as const)(
  'wrong accounts of %s are refused',
  (name) => {
    const graduate = withSurplus(UNIT);
    writeMint(network, OTHER_QUOTE);
    const other = launchGraduate(network, { name: 'other', quote: OTHER_QUOTE });
    const call = callsAfterSale(graduate)[name];
    for (const [at, account, error] of [
      [0, STRANGER, 2012],
      [1, STRANGER, 3007],
      [1, other.keys.config, 2001],
      [2, STRANGER, 3007],
      [2, other.keys.pool, 2001],
      [3, STRANGER, 3012],
      [4, STRANGER, 3012],
      [4, other.keys.quoteVault, 2001],
      [5, other.keys.quoteMint, 2001],
      [7, STRANGER, 3008],
      [8, STRANGER, 2006],
    ] as const) {
      expect([at, account, errorOf(network, withAccount(call, at, account))]).toEqual([at, account, error]);
    }
    // Nothing checks the account of the program, without which the event cannot be emitted.
    const { error } = network.send([withAccount(call, 9, STRANGER)]);
    expect(error?.kind).toBe('MissingAccount');
  },
);

const OTHER_QUOTE = token('dbc other quote');

function soldOut(changes: Partial<DbcConfigParameters> = {}, name = 'launch'): Graduate {
  const graduate = launchGraduate(network, { name, changes });
  buyOut(network, graduate);
  return graduate;
}

/** Sells a curve out, and adds to what it raised. Earlier versions of the program let the last buyer exceed it. */
function withSurplus(surplus: bigint, changes: Partial<DbcConfigParameters> = {}, name = 'launch'): Graduate {
  const graduate = soldOut(changes, name);
  const { quoteReserve } = readVirtualPool(network, graduate);
  const exceeding = quoteReserve - graduate.parameters.migrationQuoteThreshold;
  addAmount(network, graduate.keys.pool, QUOTE_RESERVE_AT, surplus - exceeding);
  addAmount(network, graduate.keys.quoteVault, 64, surplus - exceeding);
  return graduate;
}

function ofStranger(): DbcWithdrawalParties {
  return { owner: STRANGER, tokenQuoteAccount: quoteAccountOf(STRANGER) };
}

function openQuoteAccount(): void {
  writeTokenAccount(network, quoteAccountOf(STRANGER), STRANGER, QUOTE, 0n);
}
