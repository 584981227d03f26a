import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { changeKey, createKey, deleteKey, listKeys } from '../../../platform/accounts/keys.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { createPageByName } from '../../../platform/requests/paging.ts';
import { actorOf } from '../access/access.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import * as shape from './platform-schema.ts';
import { registerDeletion, createPlatformSchema, TEAMS } from './resource-paths.ts';

const KEYS = `${TEAMS}/:team/keys`;

/** Registers the routes that list, create, change and delete the API keys of a team. */
export function registerKeys(root: FastifyInstance, platform: PlatformDependencies): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const params = shape.TeamParams;
  app.get(
    KEYS,
    {
      config: { right: 'organisation.read' },
      schema: createPlatformSchema('The keys of a team', {
        params,
        querystring: shape.PageQuery,
        response: { 200: shape.KeysAnswer },
      }),
    },
    async ({ params: team, query }) => {
      const { items, next } = unwrapResult(
        await createPageByName(unwrapResult(await listKeys(platform, team)), query, ({ name }) => name),
      );
      return { keys: items.map(toKeyJson), next };
    },
  );
  app.post(
    KEYS,
    {
      config: { right: 'key.write' },
      schema: createPlatformSchema('Create a key; the answer shows it once', {
        params,
        body: shape.KeyBody,
        response: { 200: shape.NewKeyAnswer },
      }),
    },
    async (request) => {
      const { name, ...terms } = request.body;
      const made = unwrapResult(
        await createKey(platform, actorOf(request), { ...request.params, key: name }, terms),
      );
      return { ...toKeyJson(made), key: made.key };
    },
  );
  app.patch(
    `${KEYS}/:key`,
    {
      config: { right: 'key.write' },
      schema: createPlatformSchema('Change a key’s name, products or expiry', {
        params: shape.KeyParams,
        body: shape.KeyChangeBody,
        response: { 200: shape.KeyAnswer },
      }),
    },
    async (request) =>
      toKeyJson(unwrapResult(await changeKey(platform, actorOf(request), request.params, request.body))),
  );
  registerDeletion(
    root,
    `${KEYS}/:key`,
    { right: 'key.write', summary: 'Delete a key', params: shape.KeyParams },
    (request, deleted) => deleteKey(platform, actorOf(request), deleted),
  );
}

function toKeyJson<K extends { readonly products: readonly string[] | null }>(record: K) {
  const { products, ...rest } = record;
  return { ...rest, products: products === null ? null : [...products] };
}
