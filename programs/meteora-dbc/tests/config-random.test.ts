import { describe, expect, it } from 'vitest';
import { createDbcConfig } from '../../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import { encodeDbcConfig } from '../../../src/protocols/meteora-dbc/program/layout-config.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { countCases, sampleCases } from '../../../src/testing/random.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';
import { namedAddress, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { configCase } from './cases.ts';
import { expectConfig, expectInitialSupply } from './expected-config.ts';
import { describeLaunch, PAYER, partiesOf, QUOTE } from './fixture.ts';
import { LaunchNetwork } from './launch-network.ts';

const network = openForEach(() => new LaunchNetwork());

describe('random terms', () => {
  it('are taken and stored, or refused, as the gateway expects', async () => {
    let stored = 0;
    for (const [index, parameters] of sampleCases(configCase, SUITE).entries()) {
      if (index % 100 === 0) await yieldToOtherWork();
      const parties = partiesOf(namedAddress(`dbc config ${index}`));
      const expected = expectConfig(parameters, parties, QUOTE);
      const { error } = network.send([createDbcConfig(parties, parameters)]);
      expect(error === null, `${JSON.stringify(error)} for ${show(parameters)}`).toBe(expected !== null);
      if (expected === null) continue;
      expect(Buffer.from(network.dataOf(parties.config))).toEqual(Buffer.from(encodeDbcConfig(expected)));
      stored++;
    }
    expect(stored).toBeGreaterThan(countCases(SUITE) / 4);
  });

  it('give new pools the supply that the gateway expects', async () => {
    for (const [index, changes] of sampleCases(configCase, { cases: 300, seed: 20_261_129 }).entries()) {
      if (index % 50 === 0) await yieldToOtherWork();
      const { keys, instructions } = describeLaunch({ name: `random ${index}`, changes });
      const expected = expectConfig(changes, partiesOf(keys.config), QUOTE);
      if (expected === null) continue;
      // The fee for the creation of a pool may be a tenth of what the wallet has.
      writeWallet(network, PAYER);
      network.done(instructions[0]);
      const supply = expectInitialSupply(expected);
      const { error } = network.send([instructions[1]]);
      expect(error === null, JSON.stringify(error)).toBe(supply < 1n << 64n);
      if (error === null) expect(network.tokenBalance(keys.baseVault)).toBe(supply);
    }
  });
});

const SUITE = { cases: 2_000, seed: 20_261_128 };

function show(parameters: object): string {
  return JSON.stringify(parameters, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
}
