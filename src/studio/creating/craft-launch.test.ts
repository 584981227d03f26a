import { describe, expect, it } from 'vitest';
import { decodeDbcConfig } from '../../protocols/meteora-dbc/program/layout-config.ts';
import { decodeDbcPool } from '../../protocols/meteora-dbc/program/layout-pool.ts';
import { deriveDbcPoolAddress } from '../../protocols/meteora-dbc/program/addresses.ts';
import { MAX_TRANSACTION_BYTES, parseTransaction } from '../../solana/messages/transaction.ts';
import { decodeMetadata } from '../../solana/programs/token-metadata/account.ts';
import { deriveMetadataAddress } from '../../solana/programs/token-metadata/program.ts';
import { openForAll } from '../../testing/opened.ts';
import { INDIE_PLAN, MEME_PLAN } from '../../testing/studio/launch-plans.ts';
import { LaunchRig, LONG_ORIGIN } from '../../testing/studio/launch-rig.ts';

const rig = openForAll(() => LaunchRig.open(), 'close');

describe('craftLaunch', () => {
  it.each([
    ['memes', MEME_PLAN],
    ['independent teams', INDIE_PLAN],
  ])('makes a launch that its creator lands with one signature: the preset for %s', async (_, curve) => {
    const launch = rig.craft({ curve });
    const { chain } = rig.market;
    const signature = await chain.send(rig.sign(launch));
    expect((await chain.transaction(signature))?.error).toBeNull();
    const config = rig.keys.deriveConfigAddress(launch.mint);
    const pool = deriveDbcPoolAddress(config, launch.mint, curve.quoteMint);
    expect(read(pool, decodeDbcPool)).toMatchObject({ creator: rig.creator.address, config });
    expect(read(config, decodeDbcConfig)).toMatchObject({
      feeClaimer: rig.partner,
      leftoverReceiver: rig.partner,
      creatorTradingFeePercentage: 50,
    });
  });

  it('fits into a transaction with the longest names, the longest address and a priority fee', async () => {
    expect(LONG_ORIGIN).toHaveLength(56);
    const { chain } = rig.market;
    chain.fees.splice(0, 1, { slot: 1n, microLamports: 1_000n });
    const { wire } = rig.craft({
      curve: INDIE_PLAN,
      names: { name: 'n'.repeat(32), symbol: 's'.repeat(10) },
    });
    expect(wire.length).toBeLessThanOrEqual(MAX_TRANSACTION_BYTES);
    const simulated = await chain.simulate(wire, { verifySignatures: false });
    expect(simulated.error).toBeNull();
  });

  it('names the place of the metadata on the chain', async () => {
    const launch = rig.craft({ names: { name: 'Katze \u{1F408}\u200d\u2b1b', symbol: 'KATZE' } });
    await rig.market.chain.send(rig.sign(launch));
    expect(read(deriveMetadataAddress(launch.mint), decodeMetadata)).toMatchObject({
      name: 'Katze \u{1F408}\u200d\u2b1b',
      symbol: 'KATZE',
      uri: `${LONG_ORIGIN}/metadata/${launch.mint}.json`,
    });
    expect(launch.links.imageUrl).toBe(`${LONG_ORIGIN}/images/${launch.mint}`);
  });

  it.each([
    '\u2764\ufe0f\u200d\u{1F525}',
    '1\ufe0f\u20e3',
    '\u0646\u0645\u06cc\u200c\u062e\u0648',
    'Caf\u00e9',
  ])('takes the name %s', (name) => {
    expect(() => rig.craft({ names: { name, symbol: 'TEST' } })).not.toThrow();
  });

  it('makes another token for each request', () => {
    expect(rig.craft().mint).not.toBe(rig.craft().mint);
  });

  it('lacks only the signature of the creator', () => {
    const { signatures, message } = parseTransaction(rig.craft().wire);
    expect(message.staticAccounts[0]).toBe(rig.creator.address);
    expect(signatures.map((signature) => signature.every((byte) => byte === 0))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each([
    ['a name of 33 bytes', { name: `${'ü'.repeat(16)}n` }, 'tokenName'],
    ['a symbol of 11 bytes', { symbol: 'S'.repeat(11) }, 'tokenSymbol'],
    ['no name', { name: '' }, 'tokenName'],
    ['a name of spaces', { name: '  ' }, 'tokenName'],
    ['a symbol with a space at its end', { symbol: 'USDC ' }, 'tokenSymbol'],
    ['a name that runs backwards', { name: '\u202eCDSU' }, 'tokenName'],
    ['a symbol with a space that is not shown', { symbol: 'US\u200bDC' }, 'tokenSymbol'],
    ['a name with a line break', { name: 'a\nb' }, 'tokenName'],
    ['a name of joiners alone', { name: '\u200d' }, 'tokenName'],
    ['a symbol with a joiner that is not shown', { symbol: 'US\u200dDC' }, 'tokenSymbol'],
    ['a name of a letter that is shown as nothing', { name: '\u3164' }, 'tokenName'],
    ['a name of a blank pattern', { name: '\u2800' }, 'tokenName'],
    ['half of a character', { name: '\ud83d' }, 'tokenName'],
  ])('refuses %s', (_, changes, field) => {
    const names = { name: 'Test', symbol: 'TEST', ...changes };
    expect(() => rig.craft({ names })).toThrow(expect.objectContaining({ kind: 'invalid', field }));
  });

  it('refuses every launch if the operator has not set what it takes', () => {
    expect(() => rig.craft({}, { partner: null })).toThrow('the operator has not set studio-partner');
    expect(() => rig.craft({}, { getOrigin: () => null })).toThrow('the operator has not set studio-url');
  });
});

function read<T>(
  address: ReturnType<typeof deriveDbcPoolAddress>,
  decode: (data: Uint8Array) => T,
): T | null {
  const account = rig.market.network.account(address);
  return account === null ? null : decode(account.data);
}
