import { describe, expect, it } from 'vitest';
import { createKeypairFromSeed } from '../../../solana/keypair.ts';
import { openForAll } from '../../../testing/opened.ts';
import {
  authorizeWallet,
  createTestSignIn,
  openTestVaults,
  openTriggerGateway,
} from '../../../testing/products/trigger-gateway.ts';
import { openTestStore, STORES } from '../../../testing/store/test-store.ts';

describe.each(STORES)('the vault of a wallet on %s', (kind) => {
  const test = openForAll(() => openVaults(kind), 'close');

  it('is not found before it is registered, and is the same ever after', async () => {
    expect(await ask('GET', '', 1)).toEqual([404, { error: 'Vault not found' }]);
    const [status, vault] = await ask('POST', '/register', 1);
    expect([status, Object.keys(vault)]).toEqual([200, ['userPubkey', 'vaultPubkey', 'privyVaultId']]);
    expect(vault.userPubkey).toBe(walletOf(1));
    expect(vault.vaultPubkey).not.toBe(walletOf(1));
    expect(await ask('GET', '', 1)).toEqual([200, vault]);
    for (const method of ['POST', 'GET'] as const) {
      const refused = [409, { error: 'Vault already registered', details: vault }];
      expect(await ask(method, '/register', 1)).toEqual(refused);
    }
  });

  it('is registered with GET too, and is of no other wallet', async () => {
    const [status, vault] = await ask('GET', '/register', 2);
    expect([status, vault.userPubkey]).toEqual([200, walletOf(2)]);
    expect(await ask('GET', '', 3)).toEqual([404, { error: 'Vault not found' }]);
    const [, other] = await ask('GET', '/register', 3);
    expect(other.vaultPubkey).not.toBe(vault.vaultPubkey);
  });

  it('is one, however many requests register it at once, on two instances', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => ask('POST', '/register', 4, index % 2)),
    );
    expect(answers.map(([status]) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    const vaults = answers.map(([, body]) => (body.details ?? body).vaultPubkey);
    expect(new Set(vaults).size).toBe(1);
  });

  async function ask(method: 'GET' | 'POST', path: string, seed: number, instance = 0) {
    const answer = await test.apps[instance]?.inject({
      method,
      url: `/trigger/v2/vault${path}`,
      headers: { authorization: await authorizeWallet(walletOf(seed)) },
    });
    return [answer?.statusCode, answer?.json()] as const;
  }
});

const walletOf = (seed: number) => createKeypairFromSeed(new Uint8Array(32).fill(seed)).address;

async function openVaults(kind: (typeof STORES)[number]) {
  const test = await openTestStore(kind);
  const open = async () =>
    openTriggerGateway({ signIn: createTestSignIn(test.store), vaults: await openTestVaults(test.store) });
  const apps = [await open(), await open()];
  return {
    apps,
    close: async () => {
      for (const app of apps) await app.close();
      await test.cleanUp();
    },
  };
}
