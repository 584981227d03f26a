import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { parseBase64Field } from './fields.ts';
import type { AdminNetwork } from './network-controls.ts';
import { SnapshotBody, SnapshotContent, SnapshotParams, SnapshotsAnswer } from './network-schema.ts';

/** Room for the largest packed snapshot, 12 MiB, in base64. */
const CONTENT_BODY_LIMIT = 17 * 1024 * 1024;

/** Registers the named snapshots of the network, which can be taken to another instance. */
export function registerSnapshots(scope: FastifyInstance, prefix: string, controls: AdminNetwork): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  const listSnapshots = async () => ({
    snapshots: (await controls.snapshots()).map(({ name, slot }) => ({ name, slot: slot.toString() })),
  });
  const response = { 200: SnapshotsAnswer };
  app.get(
    `${prefix}/snapshots`,
    { schema: { tags: ['network'], summary: 'The named snapshots', response } },
    listSnapshots,
  );
  app.post(
    `${prefix}/snapshots`,
    {
      schema: {
        tags: ['network'],
        summary: 'Save the current state under a name',
        body: SnapshotBody,
        response,
      },
    },
    async ({ body }) => {
      await controls.saveSnapshot(body.name);
      return listSnapshots();
    },
  );
  app.post(
    `${prefix}/snapshots/:name/restore`,
    { schema: { tags: ['network'], summary: 'Restore a named snapshot', params: SnapshotParams, response } },
    async ({ params }) => {
      await controls.restoreSnapshot(params.name);
      return listSnapshots();
    },
  );
  app.delete(
    `${prefix}/snapshots/:name`,
    { schema: { tags: ['network'], summary: 'Delete a named snapshot', params: SnapshotParams, response } },
    async ({ params }) => {
      await controls.deleteSnapshot(params.name);
      return listSnapshots();
    },
  );
  app.get(
    `${prefix}/snapshots/:name/content`,
    {
      schema: {
        tags: ['network'],
        summary: 'Get a named snapshot, for another instance with the same seed',
        params: SnapshotParams,
        response: { 200: SnapshotContent },
      },
    },
    async ({ params }) => ({
      content: Buffer.from(await controls.exportSnapshot(params.name)).toString('base64'),
    }),
  );
  app.put(
    `${prefix}/snapshots/:name/content`,
    {
      bodyLimit: CONTENT_BODY_LIMIT,
      schema: {
        tags: ['network'],
        summary: 'Save a snapshot of another instance under a name',
        description:
          'The snapshot is checked first: its format, its checksums, its seed, and whether the network can have its accounts. It is not restored.',
        params: SnapshotParams,
        body: SnapshotContent,
        response,
      },
    },
    async ({ params, body }) => {
      await controls.importSnapshot(params.name, parseBase64Field('content', body.content));
      return listSnapshots();
    },
  );
}
