import { changeKey, createKey, deleteKey, listKeys } from '../../../platform/accounts/keys.ts';
import { listOrganisationKeys } from '../../../platform/accounts/organisation-keys.ts';
import { createPageByName } from '../../../platform/requests/paging.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { defineDeletion } from './deletion.ts';
import * as shape from './platform-schema.ts';
import type { PlatformServices } from './platform-services.ts';
import { ORGANISATIONS, TEAMS } from './resource-paths.ts';

const KEYS = `${TEAMS}/:team/keys`;

const list = defineAdminEndpoint({
  method: 'GET',
  path: KEYS,
  right: 'organisation.read',
  summary: 'The keys of a team',
  params: shape.TeamParams,
  query: shape.PageQuery,
  responses: { 200: shape.KeysAnswer },
  handle: async ({ platform }: PlatformServices, { params, query }) => {
    const all = unwrapResult(await listKeys(platform, params));
    const { items, next } = unwrapResult(await createPageByName(all, query, ({ name }) => name));
    return { keys: items.map(toKeyJson), next };
  },
});

const listOfAllTeams = defineAdminEndpoint({
  method: 'GET',
  path: `${ORGANISATIONS}/:organisation/keys`,
  right: 'organisation.read',
  summary: 'The keys of all teams of an organisation',
  params: shape.OrganisationParams,
  query: shape.PageQuery,
  responses: { 200: shape.OrganisationKeysAnswer },
  handle: async ({ platform }: PlatformServices, { params, query }) => {
    const { items, next } = unwrapResult(await listOrganisationKeys(platform, params.organisation, query));
    return { keys: items.map(toKeyJson), next };
  },
});

const create = defineAdminEndpoint({
  method: 'POST',
  path: KEYS,
  right: 'key.write',
  summary: 'Create a key; the answer shows it once',
  params: shape.TeamParams,
  body: shape.KeyBody,
  responses: { 200: shape.NewKeyAnswer },
  handle: async ({ platform }: PlatformServices, { params, body, actor }) => {
    const { name, ...terms } = body;
    const made = unwrapResult(await createKey(platform, actor, { ...params, key: name }, terms));
    return { ...toKeyJson(made), key: made.key };
  },
});

const change = defineAdminEndpoint({
  method: 'PATCH',
  path: `${KEYS}/:key`,
  right: 'key.write',
  summary: 'Change a key’s name, products or expiry',
  params: shape.KeyParams,
  body: shape.KeyChangeBody,
  responses: { 200: shape.KeyAnswer },
  handle: async ({ platform }: PlatformServices, { params, body, actor }) =>
    toKeyJson(unwrapResult(await changeKey(platform, actor, params, body))),
});

const remove = defineDeletion({
  path: `${KEYS}/:key`,
  right: 'key.write',
  summary: 'Delete a key',
  params: shape.KeyParams,
  remove: ({ platform }, params, { actor }) => deleteKey(platform, actor, params),
});

/** The API keys of a team, and of all teams of an organisation. */
export const KEY_ENDPOINTS = [list, listOfAllTeams, create, change, remove];

function toKeyJson<K extends { readonly products: readonly string[] | null }>(record: K) {
  const { products, ...rest } = record;
  return { ...rest, products: products === null ? null : [...products] };
}
