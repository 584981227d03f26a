import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import {
  ORACLE_ADMIN,
  deriveLendOracleAddress,
} from '../../../src/protocols/jupiter-lend/oracle/addresses.ts';
import { ORACLE_ERRORS } from '../../../src/protocols/jupiter-lend/errors/oracle.ts';
import {
  getExchangeRate,
  initOracle,
  initOracleAdmin,
  updateOracleAuths,
} from '../../../src/protocols/jupiter-lend/oracle/instructions.ts';
import {
  decodeOracle,
  decodeOracleAdmin,
  encodeOracle,
  encodeOracleAdmin,
  type OracleSource,
} from '../../../src/protocols/jupiter-lend/oracle/layouts.ts';
import { computeOracleRate } from '../../../src/protocols/jupiter-lend/oracle/rate.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { TestOutcome } from '../../../src/testing/svm/network.ts';
import { feed, hop, msolPool, NOW, OracleWorld, source, stakePool } from './world.ts';

const CLOCK = { unixTimestamp: NOW, epoch: 10n, epochStartTimestamp: NOW - 3_600n };
const world = new OracleWorld();
world.setClock(CLOCK);

describe('get_exchange_rate', () => {
  it('multiplies the price of the collateral by the reciprocal of the price of the debt', () => {
    const sources = [
      source(world.write(stakePool()), 'stakePool'),
      source(world.write(feed()), 'pyth'),
      source(world.write(feed({ price: 100_000_000n, confidence: 1n })), 'pyth', true),
    ];
    expect(rateOf('operate', sources)).toBe((ONE * 2456n) / 10n);
    const nonce = world.oracle(sources) as number;
    const both = world.network.simulate([getExchangeRate('both', nonce, sources)]);
    expect(Buffer.from(both.returnData).toString('hex')).toHaveLength(64);
  });

  it('reads the rate of mSOL', () => {
    const none = { coolingDown: 0n, active: 0n, tickets: 0n, emergency: 0n };
    const pool = world.write(msolPool({ ...none, reserve: 1_326n, supply: 1_000n }));
    expect(rateOf('operate', [source(pool, 'msolPool')])).toBe((ONE * 1326n) / 1000n);
  });

  it.each([
    ['operate', 600n, null],
    ['operate', 601n, 'PriceTooOld'],
    ['liquidate', 7_200n, null],
    ['liquidate', 7_201n, 'PriceTooOld'],
  ] as const)('with %s and a price of %i seconds: %s', (which, age, error) => {
    const sources = [source(world.write(feed({ publishTime: NOW - age })), 'pyth')];
    expect(rateOf(which, sources)).toBe(error ?? 200n * ONE);
  });

  it.each([
    ['operate', 2n, null],
    ['operate', 3n, 'PriceConfidenceNotSufficient'],
    ['liquidate', 4n, null],
    ['liquidate', 5n, 'PriceConfidenceNotSufficient'],
  ] as const)('with %s and a price that is certain to %i percent: %s', (which, percent, error) => {
    const sources = [source(world.write(feed({ confidence: 200_000_000n * percent })), 'pyth')];
    expect(rateOf(which, sources)).toBe(error ?? 200n * ONE);
  });

  it('gives the rate that the TypeScript model computes, and refuses when it does', () => {
    const property = fc.property(fc.array(hop, { maxLength: 4 }), (hops) => {
      const sources = hops.map(({ kind, invert, data }) => source(world.write(data), kind, invert));
      for (const which of ['operate', 'liquidate'] as const) {
        const model = computeOracleRate(sources, (address) => world.data(address), CLOCK, which);
        const error = model.ok ? null : model.error;
        // The library's errors have the same numbers as errors of the program.
        const overflow = error === 'LibraryU256NumberDownCastError';
        const expected = overflow ? 'OracleAdminMaxAuthCountReached' : error;
        expect(rateOf(which, sources)).toBe(model.ok ? model.rate : expected);
      }
    });
    assertProperty(property, { cases: 300, short: 100, seed: SEED, against: 'the program' });
  });

  it('refuses other accounts than the sources, and another number', () => {
    const sources = [source(world.write(feed()), 'pyth')];
    const nonce = world.oracle(sources) as number;
    const other = [{ source: world.write(feed()) }];
    const run = (which: number, given: readonly Pick<OracleSource, 'source'>[]) =>
      read(world.network.simulate([getExchangeRate('operate', which, given)]));
    expect(run(nonce, other)).toBe('InvalidSource');
    expect(run(nonce, [])).toBe('InvalidParams');
    expect(run(nonce, [...sources, ...other])).toBe('InvalidParams');
    const wrongNumber = getExchangeRate('operate', nonce, sources);
    wrongNumber.data.set([99, 99], 8);
    expect(read(world.network.simulate([wrongNumber]))).toBe('OracleNonceMismatch');
  });

  it('refuses bytes that are no feed, and one of which some signatures only were verified', () => {
    const whole = feed();
    // The last fields of a feed are not used, but the public program decodes all of them.
    for (const length of [60, 101, 132]) {
      const short = source(world.write(whole.subarray(0, length)), 'pyth');
      expect(rateOf('operate', [short])).toBe('BorshIoError');
    }
    expect(rateOf('operate', [source(world.write(whole), 'pyth')])).toBe(200n * ONE);
    const partial = feed();
    partial[40] = 0;
    expect(rateOf('operate', [source(world.write(partial), 'pyth')])).toBe('PriceNotValid');
  });
});

describe('update_auths', () => {
  it('accepts ten auths in the end, even if there are more while the list is processed', () => {
    const own = new OracleWorld();
    const wallets = Array.from({ length: 12 }, () => own.network.newWallet());
    const send = (auths: readonly (readonly [Address, boolean])[]) =>
      own.network.send([updateOracleAuths(own.admin, auths)]).error?.custom;
    const [first = own.admin] = wallets;
    expect(send(wallets.slice(0, 9).map((wallet) => [wallet, true]))).toBeUndefined();
    expect(send([[wallets[9] ?? first, true]])).toBe(6009);
    // The instruction is refused for the authority that would leave, although its entry follows the eleventh auth.
    expect(
      send([
        [wallets[9] ?? first, true],
        [own.admin, false],
      ]),
    ).toBe(6010);
    expect(
      send([
        [wallets[9] ?? first, true],
        [wallets[10] ?? first, true],
        [first, false],
        [wallets[1] ?? first, false],
      ]),
    ).toBeUndefined();
    const { auths } = decodeOracleAdmin(own.data(ORACLE_ADMIN.address) ?? new Uint8Array(0));
    expect([...auths].sort()).toEqual([own.admin, ...wallets.slice(2, 11)].sort());
  });
});

describe('init_oracle_config', () => {
  const good = source(world.write(feed()), 'pyth');

  it('writes the account that the codec writes', () => {
    const sources = [good, { ...good, invert: true }];
    const nonce = world.oracle(sources) as number;
    const { address, bump } = deriveLendOracleAddress(nonce);
    const data = world.data(address) ?? new Uint8Array(0);
    expect(decodeOracle(data)).toEqual({ nonce, sources, bump });
    expect(Buffer.from(data)).toEqual(Buffer.from(encodeOracle({ nonce, sources, bump })));
  });

  it.each([
    ['five sources', Array.from({ length: 5 }, () => good), 'InvalidSourcesLength'],
    ['no address', [{ ...good, source: '11111111111111111111111111111111' as never }], 'InvalidParams'],
    ['a divisor of zero', [{ ...good, divisor: 0n }], 'InvalidParams'],
    ['a multiplier beyond 10^10', [{ ...good, multiplier: 10n ** 10n + 1n }], 'InvalidParams'],
    ['a multiplier of a feed', [{ ...good, multiplier: 2n }], 'InvalidSourceMultiplierAndDivisor'],
    [
      'a source that the stand-in does not read',
      [{ ...good, sourceType: 'redstone' as const }],
      'InvalidSource',
    ],
  ])('refuses %s', (_, sources, error) => {
    expect(rateOf('operate', sources)).toBe(error);
  });

  it('refuses a signer that is not an auth, and a number that is taken', () => {
    const stranger = world.network.newWallet();
    const taken = world.oracle([good]) as number;
    expect(world.network.send([initOracle(stranger, 9_000, [good])]).error?.custom).toBe(6008);
    expect(world.network.send([initOracle(world.admin, taken, [good])]).error?.custom).toBe(0);
    const admit = updateOracleAuths(world.admin, [[stranger, true]]);
    expect(world.network.send([admit]).error).toBeNull();
    expect(world.network.send([initOracle(stranger, 9_000, [good])]).error).toBeNull();
    const admin = { authority: world.admin, auths: [world.admin, stranger] };
    const data = world.data(ORACLE_ADMIN.address) ?? new Uint8Array(0);
    expect(decodeOracleAdmin(data)).toEqual(admin);
    expect(Buffer.from(data)).toEqual(Buffer.from(encodeOracleAdmin(admin)));
  });

  it('refuses another program than the system program before it makes an account', () => {
    const other = world.network.newAddress();
    const init = initOracle(world.admin, 9_001, [good]);
    const accounts = init.accounts.map((meta, at) => (at === 3 ? { ...meta, address: other } : meta));
    expect(world.network.send([{ ...init, accounts }]).error?.custom).toBe(3008);
  });

  it('lets the admin be set up once, and the authority stay an auth', () => {
    expect(
      world.network.send([initOracleAdmin(world.network.payer, world.network.payer)]).error?.custom,
    ).toBe(0);
    const drop = updateOracleAuths(world.admin, [[world.admin, false]]);
    expect(world.network.send([drop]).error?.custom).toBe(6010);
    const stranger = world.network.newWallet();
    expect(world.network.send([updateOracleAuths(stranger, [])]).error?.custom).toBe(6007);
  });
});

const SEED = 20_261_124;
const ONE = 10n ** 15n;

function rateOf(which: 'operate' | 'liquidate', sources: readonly OracleSource[]): bigint | string {
  const nonce = world.oracle(sources);
  if (typeof nonce !== 'number') return nameOf(nonce.custom);
  return read(world.network.simulate([getExchangeRate(which, nonce, sources)]));
}

function read({ error, returnData }: TestOutcome): bigint | string {
  if (error !== null) return error.custom === undefined ? error.kind : nameOf(error.custom);
  const data = Buffer.from(returnData);
  return data.readBigUInt64LE(0) + (data.readBigUInt64LE(8) << 64n);
}

function nameOf(code: number | undefined): string {
  return ORACLE_ERRORS[(code ?? 0) - 6000] ?? `${code}`;
}
