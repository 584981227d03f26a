import { expect, it } from 'vitest';
import { DbcCollectFeeMode, DbcTokenType } from '../../../src/protocols/meteora-dbc/program/program.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { namedAddress } from '../../raydium-cpmm/tests/fixture.ts';
import { LEFTOVER_RECEIVER, SUPPLY } from './fixture.ts';
import { baseAccountOf, callsAfterSale, withAccount } from './migration-fixture.ts';
import { MigrationRig } from './migration-rig.ts';

const rig = openForEach(() => new MigrationRig());

it.each([
  ['nothing of it is to be burned', 0n],
  ['a part of it is to be burned', 100_000_000_000n],
])('the leftover of a fixed supply is paid when %s', (_, burned) => {
  const before = SUPPLY.preMigrationTokenSupply;
  const graduate = rig.migrated({
    ...TERMS,
    tokenSupply: { preMigrationTokenSupply: before, postMigrationTokenSupply: before - burned },
  });
  expect(rig.supplyOf(graduate)).toBe(before - burned);
  const { baseVault } = graduate.keys;
  const held = rig.held(baseVault);
  rig.done(callsAfterSale(graduate).withdraw_leftover);
  const owed = rig.owedBase(graduate);
  expect(owed).toBeGreaterThan(0n);
  expect(rig.held(baseVault)).toBe(owed);
  expect(rig.held(baseAccountOf(graduate, LEFTOVER_RECEIVER))).toBe(held - owed);
});

it('anybody may ask for it, once', () => {
  const { withdraw_leftover: call } = callsAfterSale(rig.migrated(TERMS));
  expect(call.accounts.some(({ role }) => role >= 2)).toBe(false);
  rig.done(call);
  expect(rig.errorOf(call)).toBe(6026);
});

it('there is none before the migration, and none of a supply that follows the curve', () => {
  const launched = callsAfterSale(rig.launch(TERMS, 'launched'));
  expect(rig.errorOf(launched.withdraw_leftover)).toBe(6022);
  const soldOut = callsAfterSale(rig.soldOut(TERMS, 'sold out'));
  expect(rig.errorOf(soldOut.withdraw_leftover)).toBe(6022);
  const free = callsAfterSale(rig.migrated({ ...TERMS, tokenSupply: null }, 'free'));
  expect(rig.errorOf(free.withdraw_leftover)).toBe(6022);
});

it('it goes to the associated token account of the receiver alone', () => {
  const graduate = rig.migrated(TERMS);
  const { withdraw_leftover: call } = callsAfterSale(graduate);
  const second = namedAddress('dbc second account of the receiver');
  rig.openBaseAccount(graduate, baseAccountOf(graduate, STRANGER), STRANGER);
  rig.openBaseAccount(graduate, second, LEFTOVER_RECEIVER);
  expect(rig.errorWith(call, 3, baseAccountOf(graduate, STRANGER))).toBe(2015);
  expect(rig.errorWith(call, 3, second)).toBe(2009);
  expect(rig.errorWith(call, 6, STRANGER)).toBe(2001);
});

it('wrong accounts are refused', () => {
  const { withdraw_leftover: call } = callsAfterSale(rig.migrated(TERMS));
  const other = rig.launch(TERMS, 'other');
  for (const [at, account, error] of [
    [0, STRANGER, 2012],
    [1, other.keys.config, 2001],
    [2, other.keys.pool, 2001],
    [4, other.keys.baseVault, 2001],
    [5, other.keys.baseMint, 2001],
    [7, STRANGER, 3008],
    [8, STRANGER, 2006],
  ] as const) {
    expect([at, rig.errorWith(call, at, account)]).toEqual([at, error]);
  }
  // Nothing checks the account of the program, without which the event cannot be emitted.
  const { error } = rig.network.send([withAccount(call, 9, STRANGER)]);
  expect(error?.kind).toBe('MissingAccount');
});

const STRANGER = namedAddress('dbc stranger');
/** A fixed supply, and fees in both tokens. */
const TERMS = {
  tokenSupply: SUPPLY,
  tokenType: DbcTokenType.TOKEN_2022,
  collectFeeMode: DbcCollectFeeMode.OUTPUT_TOKEN,
};
