import { toResult } from '../../../common/refusal.ts';
import { type CustodyVault, listVaultsAfter } from '../../../custody/keys/key-rows.ts';
import type { MasterKeys } from '../../../custody/keys/master-key.ts';
import { rotateKeys } from '../../../custody/rotation.ts';
import { change } from '../../../platform/audit/audit.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { createPage, getPageLimit, parseCursor } from '../../../platform/requests/paging.ts';
import { countOrdersWithMoney } from '../../../waiting-orders/overview/wallet-counts.ts';
import { RequestInvalid } from '../../http/validation.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import * as shape from './vault-schema.ts';

/** The operator's view of vaults. No key passes the admin interface. */
export interface VaultControls {
  readonly platform: PlatformDependencies;
  /** Null when this instance has no master key. */
  readonly masters: MasterKeys | null;
}

const listVaults = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/vaults',
  summary: 'The vaults of all wallets, by their addresses',
  query: shape.VaultListQuery,
  responses: { 200: shape.VaultsAnswer },
  handle: async ({ platform: { store } }: VaultControls, { query }) => {
    const place = unwrapResult(await toResult(async () => parseCursor<[string]>(query, [''])));
    // One row more shows whether there is a next page.
    const rows = await listVaultsAfter(store.db, place?.[0] ?? '', getPageLimit(query) + 1);
    const { items, next } = createPage<CustodyVault>(rows, query, ({ vault }) => [vault]);
    const orders = await countOrdersWithMoney(
      store.db,
      items.map(({ wallet }) => wallet),
    );
    return { vaults: items.map((each) => ({ ...each, orders: orders.get(each.wallet) ?? 0 })), next };
  },
});

const rotateSomeKeys = defineAdminEndpoint({
  method: 'POST',
  path: '/admin/v1/vaults/rotate',
  summary: 'Put some keys of vaults under the current master key',
  description:
    'The instance has both master keys in its settings. Call it again until no key is left; when it is interrupted, it goes on where it was.',
  responses: { 200: shape.RotationAnswer },
  handle: async ({ platform, masters }: VaultControls, { actor }) => {
    if (masters === null)
      throw new RequestInvalid('this instance has no master key; see custody-key-file', 409);
    return change(platform, actor, async (db) => {
      const result = await rotateKeys(db, masters);
      const { masterId, rotated, left } = result;
      return {
        action: 'vault.keys_rotated',
        subject: masterId,
        before: null,
        after: { rotated, left },
        result,
      };
    });
  },
});

export const VAULT_ENDPOINTS = [listVaults, rotateSomeKeys];
