import { describe, expect, it } from 'vitest';
import { partiesOf, prepare, QUOTE } from '../../../../programs/meteora-dbc/tests/fixture.ts';
import { namedAddress } from '../../../../programs/raydium-cpmm/tests/fixture.ts';
import { sampleCases } from '../../../testing/random.ts';
import { openForEach } from '../../../testing/opened.ts';
import { launchTerms } from '../../../testing/protocols/dbc-launch-terms.ts';
import { TestNetwork } from '../../../testing/svm/network.ts';
import { yieldToOtherWork } from '../../../testing/waits.ts';
import { METEORA_DBC_ERRORS } from '../program/errors.ts';
import type { DbcConfigParameters } from '../program/config-parameters.ts';
import { createDbcConfig } from '../program/instructions-launch.ts';
import { encodeDbcConfig } from '../program/layout-config.ts';
import { buildDbcCurveFromMarketCaps } from './build-curve.ts';
import { toDbcPoolConfig } from './config-account.ts';
import { checkDbcParameters } from './config-check.ts';

const network = openForEach(() => new TestNetwork(['meteora-dbc']));

describe('toDbcPoolConfig', () => {
  it('returns the account that the program writes for what was built', async () => {
    prepare(network);
    let created = 0;
    for (const [index, terms] of sampleCases(launchTerms, {
      cases: 300,
      seed: 42,
      against: 'the program',
    }).entries()) {
      if (index % 50 === 0) await yieldToOtherWork();
      const unit = 10n ** BigInt(terms.token.quoteDecimals);
      const built = buildDbcCurveFromMarketCaps(terms, { initial: 20n * unit, migration: 500n * unit });
      if (!built.ok) continue;
      const { error, account } = create(built.parameters, `built ${index}`);
      expect(error).toBeNull();
      expect(account).toEqual(expectAccount(built.parameters));
      created++;
    }
    expect(created).toBeGreaterThan(50);
  });
});

describe('checkDbcParameters', () => {
  it('says what the program says to parameters of which some are wrong', async () => {
    prepare(network);
    let refused = 0;
    for (const [index, terms] of sampleCases(launchTerms, {
      cases: 300,
      seed: 43,
      against: 'the program',
    }).entries()) {
      if (index % 50 === 0) await yieldToOtherWork();
      const unit = 10n ** BigInt(terms.token.quoteDecimals);
      const built = buildDbcCurveFromMarketCaps(terms, { initial: 20n * unit, migration: 500n * unit });
      if (!built.ok) continue;
      const parameters = CHANGES[index % CHANGES.length]?.(built.parameters) ?? built.parameters;
      const checked = checkDbcParameters(parameters);
      const { error } = create(parameters, `changed ${index}`);
      expect(error).toBe(checked.ok ? null : checked.error.code);
      if (!checked.ok) refused++;
    }
    expect(refused).toBeGreaterThan(50);
  });
});

/** Each makes one thing wrong. */
const CHANGES: readonly ((parameters: DbcConfigParameters) => DbcConfigParameters)[] = [
  (each) => ({ ...each, creatorTradingFeePercentage: 101 }),
  (each) => ({ ...each, migrationFee: { feePercentage: 0, creatorFeePercentage: 1 } }),
  (each) => ({ ...each, collectFeeMode: 2 }),
  (each) => ({ ...each, tokenDecimal: 10 }),
  (each) => ({ ...each, tokenUpdateAuthority: 5 }),
  (each) => ({ ...each, migrationQuoteThreshold: 0n }),
  (each) => ({ ...each, migrationQuoteThreshold: each.migrationQuoteThreshold * 3n }),
  (each) => ({ ...each, poolCreationFee: 999_999n }),
  (each) => ({ ...each, sqrtStartPrice: 1n }),
  (each) => ({ ...each, curve: [] }),
  (each) => ({ ...each, curve: [...each.curve].reverse() }),
  (each) => ({ ...each, migrationFeeOption: 7 }),
  (each) => ({ ...each, compoundingFeeBps: each.compoundingFeeBps + 10_001 }),
  (each) => ({ ...each, migratedPoolBaseFeeMode: 2 }),
  (each) => ({ ...each, partnerLiquidityPercentage: each.partnerLiquidityPercentage + 1 }),
  (each) => ({
    ...each,
    tokenSupply: { preMigrationTokenSupply: 1_000n, postMigrationTokenSupply: 1_000n },
  }),
  (each) => ({
    ...each,
    poolFees: { ...each.poolFees, baseFee: { ...each.poolFees.baseFee, cliffFeeNumerator: 2_499_999n } },
  }),
  (each) => ({ ...each, lockedVesting: { ...each.lockedVesting, frequency: 0n, cliffUnlockAmount: 5n } }),
  (each) => ({
    ...each,
    creatorLiquidityVestingInfo: { ...each.creatorLiquidityVestingInfo, frequency: 4_000_000_000 },
  }),
];

function create(parameters: DbcConfigParameters, name: string) {
  const config = namedAddress(`dbc config ${name}`);
  const { error } = network.send([createDbcConfig(partiesOf(config), parameters)]);
  const code =
    error === null ? null : (METEORA_DBC_ERRORS[(error.custom ?? 0) - 6_000] ?? JSON.stringify(error));
  return { error: code, account: Buffer.from(network.account(config)?.data ?? []) };
}

function expectAccount(parameters: DbcConfigParameters): Buffer {
  const checked = checkDbcParameters(parameters);
  if (!checked.ok) throw new Error(checked.error.message);
  const owners = {
    ...partiesOf(namedAddress('dbc config')),
    quoteTokenFlag: QUOTE.tokenProgram.startsWith('TokenkegQ') ? 0 : 1,
  };
  return Buffer.from(encodeDbcConfig(toDbcPoolConfig(parameters, checked.terms, owners)));
}
