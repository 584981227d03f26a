import { describe, it } from 'vitest';
import { type ConfigCase, configMutation } from '../../programs/meteora-dbc/tests/mutated-config.ts';
import { configCase } from '../../programs/meteora-dbc/tests/cases.ts';
import {
  CREATOR,
  describeLaunch,
  NAMES,
  PARTNER,
  PAYER,
  partiesOf,
  prepare,
} from '../../programs/meteora-dbc/tests/fixture.ts';
import { namedAddress, token, writeMint, writeWallet } from '../../programs/raydium-cpmm/tests/fixture.ts';
import {
  createDbcConfig,
  initializeDbcPool,
  transferDbcPoolCreator,
} from '../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import {
  METEORA_DBC_AUTHORITY,
  METEORA_DBC_PROGRAM,
} from '../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../src/solana/address.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import {
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../src/solana/program-addresses.ts';
import { sampleCases } from '../../src/testing/random.ts';
import { yieldToOtherWork } from '../../src/testing/waits.ts';
import { Comparison, compareCases, compareWrongAccounts, type ValidInstruction } from './comparison.ts';
import { PUBLIC_PROGRAM, readDump, Twin } from './twin.ts';

const dump = readDump(METEORA_DBC_PROGRAM);

describe.skipIf(dump === null)('meteora-dbc and the public program, launches', () => {
  it('store or refuse the same random configurations', async () => {
    const networks = twin();
    const cases = sampleCases(configCase, { cases: 4000, seed: SEED, against: PUBLIC_PROGRAM });
    await compareCases(new Comparison('configurations', networks), cases, (parameters, index) => {
      networks.both((network) => writeWallet(network, PAYER));
      return networks.difference(createDbcConfig(partiesOf(namedAddress(`config ${index}`)), parameters));
    });
  });

  it('refuse the same configurations with one field out of place', async () => {
    const networks = twin();
    const cases = sampleCases(configMutation, { cases: 4000, seed: SEED, against: PUBLIC_PROGRAM });
    const comparison = new Comparison('configurations with one field out of place', networks);
    await compareCases(comparison, cases, (each: ConfigCase, index) =>
      networks.difference(createDbcConfig(partiesOf(namedAddress(`mutated ${index}`)), each.parameters), {
        expected: (_, ours) => ours.logs.some((line) => line.includes('migration to DAMM v1')),
      }),
    );
  });

  it('create the same pools', async () => {
    const networks = twin();
    const comparison = new Comparison('creations of pools', networks);
    const suite = { cases: 600, seed: SEED, against: PUBLIC_PROGRAM };
    for (const [index, changes] of sampleCases(configCase, suite).entries()) {
      if (index % 50 === 0) await yieldToOtherWork();
      networks.both((network) => writeWallet(network, PAYER));
      const { keys, instructions } = describeLaunch({ name: `pool ${index}`, changes });
      comparison.addPreparation(networks.difference(instructions[0]), changes);
      comparison.add(networks.difference(instructions[1]), changes);
      const handOver = transferDbcPoolCreator(keys, { creator: CREATOR, newCreator: PARTNER });
      comparison.add(networks.difference(handOver), changes);
    }
    comparison.finish();
  });

  it('refuse the same wrong accounts', async () => {
    const networks = twin();
    const comparison = new Comparison('launch instructions with wrong accounts', networks);
    await compareWrongAccounts(comparison, validInstructions(networks), (changed) =>
      networks.refusalDifference(changed),
    );
  });
});

const SEED = 20_261_128;

/** Both networks have the stand-in of the metadata program, so that only one program differs. */
function twin(): Twin {
  if (dump === null) throw new Error('no dump');
  const networks = new Twin('meteora-dbc', METEORA_DBC_PROGRAM, dump, { comparesCalls: true });
  networks.both((network) => {
    network.loadShipped('token-metadata');
    prepare(network);
  });
  return networks;
}

function validInstructions(networks: Twin): ValidInstruction[] {
  const other = describeLaunch({ name: 'other' });
  const quote = token('another quote');
  networks.both((network) => writeMint(network, quote));
  for (const instruction of other.instructions) networks.send(instruction);
  const strangers: Address[] = [
    ...[SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM, MEMO_PROGRAM, METEORA_DBC_AUTHORITY],
    ...[other.keys.pool, other.keys.config, other.keys.baseMint, other.keys.baseVault, other.keys.quoteVault],
    ...[quote.mint, PAYER, CREATOR, PARTNER, namedAddress('nobody')],
  ];
  const made: [string, Instruction, Address[]][] = [];
  for (const tokenType of [0, 1]) {
    const { keys, instructions } = describeLaunch({ name: `kind ${tokenType}`, changes: { tokenType } });
    networks.send(instructions[0]);
    const launchers = { creator: CREATOR, payer: PAYER };
    made.push([`initialize ${tokenType}`, initializeDbcPool(keys, launchers, NAMES), strangers]);
  }
  const unmade = describeLaunch({ name: 'unmade' });
  made.push(['create_config', unmade.instructions[0], strangers]);
  const transfer = transferDbcPoolCreator(other.keys, { creator: CREATOR, newCreator: PARTNER });
  made.push(['transfer_pool_creator', transfer, strangers]);
  return made;
}
