import { describe, expect, it } from 'vitest';
import { initializeDbcPool } from '../../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import { DbcTokenType } from '../../../src/protocols/meteora-dbc/program/program.ts';
import { deriveMetadataAddress } from '../../../src/solana/programs/token-metadata/program.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { CREATOR, describeLaunch, NAMES, PAYER, QUOTE } from './fixture.ts';
import { LaunchNetwork, withAccount } from './launch-network.ts';

const network = openForEach(() => new LaunchNetwork());

describe('the texts of a token', () => {
  it('are refused by the metadata program if they are too long', () => {
    const { keys, instructions } = describeLaunch();
    network.done(instructions[0]);
    const named = (names: Partial<typeof NAMES>) =>
      network.refusalOf(initializeDbcPool(keys, LAUNCHERS, { ...NAMES, ...names }));
    expect(named({ name: 'x'.repeat(33) })).toBe(11);
    expect(named({ symbol: 'x'.repeat(11) })).toBe(12);
    expect(named({ uri: 'x'.repeat(201) })).toBe(13);
  });

  it('may be long and empty in a mint of Token-2022, which pays for its room', () => {
    const { keys, instructions } = describeLaunch({ changes: { tokenType: DbcTokenType.TOKEN_2022 } });
    network.done(instructions[0]);
    network.done(
      initializeDbcPool(keys, LAUNCHERS, { name: 'ä'.repeat(20), symbol: '', uri: 'x'.repeat(300) }),
    );
    const { data, lamports } = network.account(keys.baseMint) ?? { data: new Uint8Array(0), lamports: 0n };
    expect(lamports).toBe(network.svm.minimumBalanceForRentExemption(BigInt(data.length)));
  });

  it('are not written to the metadata of another mint', () => {
    const { instructions } = describeLaunch();
    network.done(instructions[0]);
    const wrong = deriveMetadataAddress(QUOTE.mint);
    expect(network.refusalOf(withAccount(instructions[1], 8, { address: wrong }))).not.toBeNull();
  });
});

const LAUNCHERS = { creator: CREATOR, payer: PAYER };
