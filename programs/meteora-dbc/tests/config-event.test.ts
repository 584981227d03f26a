import { createDbcProgram } from '@meteora-ag/dynamic-bonding-curve-sdk';
import { expect, it } from 'vitest';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import type { DbcPoolConfig } from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import { createDbcConfig } from '../../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import { decodeDbcConfig } from '../../../src/protocols/meteora-dbc/program/layout-config.ts';
import type { Address } from '../../../src/solana/address.ts';
import { sampleCases } from '../../../src/testing/random.ts';
import { NetworkConnection } from '../../../src/testing/svm/network-connection.ts';
import { namedAddress, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { configCase } from './cases.ts';
import { LEFTOVER_RECEIVER, PARTNER, PAYER, partiesOf, QUOTE } from './fixture.ts';
import { LaunchNetwork } from './launch-network.ts';

it('Meteora’s library reads from both events of a new configuration what it was made of', () => {
  const network = new LaunchNetwork();
  const { coder } = createDbcProgram(new NetworkConnection(network)).program;
  let [fixed, vested] = [0, 0];
  for (const [index, terms] of sampleCases(configCase, SUITE).entries()) {
    const { config, ...parties } = partiesOf(namedAddress(`dbc config ${index}`));
    writeWallet(network, PAYER);
    const { error, inner } = network.send([createDbcConfig({ config, ...parties }, terms)]);
    if (error !== null) continue;
    const emitted = inner.flat().flatMap(({ data }) => {
      const event = coder.events.decode(Buffer.from(data.subarray(8)).toString('base64'));
      return event === null ? [] : [{ name: event.name, data: toPlain(event.data) }];
    });
    expect(emitted).toEqual([
      { name: 'evtCreateConfig', data: toFirstEvent(config, terms, decodeDbcConfig(network.dataOf(config))) },
      {
        name: 'evtCreateConfigV2',
        data: {
          config,
          quoteMint: QUOTE.mint,
          feeClaimer: PARTNER,
          leftoverReceiver: LEFTOVER_RECEIVER,
          configParameters: { ...terms, padding: [0, 0] },
        },
      },
    ]);
    if (terms.tokenSupply !== null) fixed++;
    if (terms.lockedVesting.amountPerPeriod > 0n) vested++;
  }
  expect(Math.min(fixed, vested)).toBeGreaterThan(SUITE.cases / 20);
});

const SUITE = { cases: 300, seed: 20_261_201 };

/** Returns the fields of the older event, which has amounts that the program computes. */
function toFirstEvent(config: Address, terms: DbcConfigParameters, stored: DbcPoolConfig) {
  return {
    config,
    quoteMint: QUOTE.mint,
    feeClaimer: PARTNER,
    owner: LEFTOVER_RECEIVER,
    poolFees: terms.poolFees,
    collectFeeMode: terms.collectFeeMode,
    migrationOption: terms.migrationOption,
    activationType: terms.activationType,
    tokenDecimal: terms.tokenDecimal,
    tokenType: terms.tokenType,
    partnerPermanentLockedLiquidityPercentage: terms.partnerPermanentLockedLiquidityPercentage,
    partnerLiquidityPercentage: terms.partnerLiquidityPercentage,
    creatorPermanentLockedLiquidityPercentage: terms.creatorPermanentLockedLiquidityPercentage,
    creatorLiquidityPercentage: terms.creatorLiquidityPercentage,
    swapBaseAmount: stored.swapBaseAmount,
    migrationQuoteThreshold: terms.migrationQuoteThreshold,
    migrationBaseAmount: stored.migrationBaseThreshold,
    sqrtStartPrice: terms.sqrtStartPrice,
    lockedVesting: terms.lockedVesting,
    migrationFeeOption: terms.migrationFeeOption,
    fixedTokenSupplyFlag: terms.tokenSupply === null ? 0 : 1,
    preMigrationTokenSupply: stored.preMigrationTokenSupply,
    postMigrationTokenSupply: stored.postMigrationTokenSupply,
    curve: terms.curve,
  };
}

/** Returns what the library has read: its big numbers as bigints, and its keys as addresses. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain);
  if (value === null || typeof value !== 'object') return value;
  if ('toBase58' in value) return String(value);
  if ('toArrayLike' in value) return BigInt(String(value));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toPlain(each)]));
}
