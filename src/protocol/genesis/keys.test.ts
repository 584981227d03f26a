import { describe, expect, it } from 'vitest';
import { DEFAULT_SEED, type GenesisKeys, deriveGenesisKeys } from './keys.ts';

describe('genesis keys', () => {
  it('are distinct, and the same for the same seed', () => {
    const keys = addresses(deriveGenesisKeys(DEFAULT_SEED));
    expect(new Set(keys).size).toBe(15);
    expect(addresses(deriveGenesisKeys(DEFAULT_SEED))).toEqual(keys);
  });

  it('share nothing with those of another seed', () => {
    const mine = new Set(addresses(deriveGenesisKeys('a')));
    for (const address of addresses(deriveGenesisKeys('b'))) expect(mine.has(address)).toBe(false);
  });

  it('differ for seeds and roles that only differ in where one ends', () => {
    const mine = new Set(addresses(deriveGenesisKeys('a\0demo-wallet/0')));
    for (const address of addresses(deriveGenesisKeys('a'))) expect(mine.has(address)).toBe(false);
  });

  it('keep the default demo wallet where documentation and examples say it is', () => {
    expect(deriveGenesisKeys(DEFAULT_SEED).demoWallets[0]?.address).toBe(
      'A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL',
    );
  });
});

const addresses = (keys: GenesisKeys) => [
  ...keys.demoWallets.map(({ address }) => address),
  keys.faucet.address,
  keys.mintAuthority.address,
  keys.poolCreator.address,
  keys.feeOwner.address,
  keys.sponsor.address,
];
