import { mkdirSync, writeFileSync } from 'node:fs';
import type { OpenApiDocument } from '../../src/gateway/docs/openapi.ts';
import { startSluice } from '../../testing/index.mjs';
import { writeApiTypes } from './api-types.ts';

// Starts an instance, and writes the types of its two interfaces for the portal.
const FOLDER = new URL('../../web/src/api/generated/', import.meta.url);

// The first start of a checkout bundles the server and builds the portal.
const instance = await startSluice({ timeoutMs: 300_000 });
try {
  const response = await fetch(`${instance.urls.rest}/openapi.json`);
  const documents = {
    Public: (await response.json()) as OpenApiDocument,
    // The test kit, which has the credential, calls paths below `/admin/v1`.
    Admin: (await instance.admin('GET', '../../openapi.json')) as OpenApiDocument,
  };
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(new URL('public-api.ts', FOLDER), writeApiTypes(documents.Public, 'Public'));
  writeFileSync(new URL('admin-api.ts', FOLDER), writeApiTypes(documents.Admin, 'Admin'));
} finally {
  await instance[Symbol.asyncDispose]();
}
