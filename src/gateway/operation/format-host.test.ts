import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { formatHost } from './format-host.ts';

describe('formatHost', () => {
  it.each([
    ['https://api.mainnet-beta.solana.com', 'api.mainnet-beta.solana.com'],
    [
      'https://mainnet.helius-rpc.com/?api-key=0b1c2d3e-aaaa-bbbb-cccc-121212121212',
      'mainnet.helius-rpc.com',
    ],
    ['https://user:secret@rpc.example.com:8899/v2/key', 'rpc.example.com:8899'],
    ['http://127.0.0.1:8899', '127.0.0.1:8899'],
    ['http://[::1]:8899/x', '[::1]:8899'],
    ['http://localhost:8899', 'localhost:8899'],
    [
      'https://cool-long-mountain.solana-mainnet.quiknode.pro/abc/',
      'cool-long-mountain.solana-mainnet.quiknode.pro',
    ],
  ])('shows the host of %s alone', (url, shown) => {
    expect(formatHost(new URL(url))).toBe(shown);
  });

  it('hides a key that is a part of the host', () => {
    for (const key of [
      '0123456789abcdef0123456789abcdef',
      'f3a1c2d4-1111-2222-3333-444455556666',
      'a1b2c3d4e5f6a7b8c9d0',
    ])
      expect(formatHost(new URL(`https://${key}.rpc.example.com/`))).toBe('….rpc.example.com');
  });

  it('shows nothing of user information, path and query', () => {
    const secrets = fc.stringMatching(/^[a-z0-9]{12,40}$/).map((text) => `zq${text}`);
    assertProperty(
      fc.property(secrets, secrets, secrets, secrets, (user, password, path, query) => {
        const url = new URL(
          `https://${user}:${password}@rpc.example.com:8899/${path}?api-key=${query}#${path}`,
        );
        expect(formatHost(url)).toBe('rpc.example.com:8899');
      }),
      { cases: 300, seed: 4_602 },
    );
  });
});
