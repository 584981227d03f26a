import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { parseBase64Field } from './fields.ts';
import { SnapshotBody, SnapshotContent, SnapshotParams, SnapshotsAnswer } from './network-schema.ts';
import type { AdminNetwork, NetworkServices } from './network-services.ts';

const SNAPSHOTS = '/admin/v1/network/snapshots';
/** Room for the largest packed snapshot, 12 MiB, in base64. */
const CONTENT_BODY_LIMIT = 17 * 1024 * 1024;

const list = defineAdminEndpoint({
  method: 'GET',
  path: SNAPSHOTS,
  summary: 'The named snapshots',
  responses: { 200: SnapshotsAnswer },
  handle: ({ network }: NetworkServices) => listSnapshots(network),
});

const save = defineAdminEndpoint({
  method: 'POST',
  path: SNAPSHOTS,
  audited: 'network.snapshot_saved',
  summary: 'Save the current state under a name',
  body: SnapshotBody,
  responses: { 200: SnapshotsAnswer },
  handle: async ({ network }: NetworkServices, { body }) => {
    await network.saveSnapshot(body.name);
    return listSnapshots(network);
  },
});

const restore = defineAdminEndpoint({
  method: 'POST',
  path: `${SNAPSHOTS}/:name/restore`,
  audited: 'network.snapshot_restored',
  summary: 'Restore a named snapshot',
  params: SnapshotParams,
  responses: { 200: SnapshotsAnswer },
  handle: async ({ network }: NetworkServices, { params }) => {
    await network.restoreSnapshot(params.name);
    return listSnapshots(network);
  },
});

const remove = defineAdminEndpoint({
  method: 'DELETE',
  path: `${SNAPSHOTS}/:name`,
  audited: 'network.snapshot_deleted',
  summary: 'Delete a named snapshot',
  params: SnapshotParams,
  responses: { 200: SnapshotsAnswer },
  handle: async ({ network }: NetworkServices, { params }) => {
    await network.deleteSnapshot(params.name);
    return listSnapshots(network);
  },
});

const getContent = defineAdminEndpoint({
  method: 'GET',
  path: `${SNAPSHOTS}/:name/content`,
  summary: 'Get a named snapshot, for another instance with the same seed',
  params: SnapshotParams,
  responses: { 200: SnapshotContent },
  handle: async ({ network }: NetworkServices, { params }) => ({
    content: Buffer.from(await network.exportSnapshot(params.name)).toString('base64'),
  }),
});

const putContent = defineAdminEndpoint({
  method: 'PUT',
  path: `${SNAPSHOTS}/:name/content`,
  audited: 'network.snapshot_imported',
  bodyLimit: CONTENT_BODY_LIMIT,
  summary: 'Save a snapshot of another instance under a name',
  description:
    'The snapshot is checked first: its format, its checksums, its seed, and whether the network can have its accounts. It is not restored.',
  params: SnapshotParams,
  body: SnapshotContent,
  responses: { 200: SnapshotsAnswer },
  handle: async ({ network }: NetworkServices, { params, body }) => {
    await network.importSnapshot(params.name, parseBase64Field('content', body.content));
    return listSnapshots(network);
  },
});

/** The named snapshots of the network, which can be taken to another instance. */
export const SNAPSHOT_ENDPOINTS = [list, save, restore, remove, getContent, putContent];

async function listSnapshots(network: AdminNetwork) {
  return {
    snapshots: (await network.snapshots()).map(({ name, slot }) => ({ name, slot: slot.toString() })),
  };
}
