import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { ADMIN_BODY_EXAMPLES } from '../../src/gateway/admin/endpoint/admin-examples.ts';
import type { OpenApiDocument, Operation } from '../../src/gateway/docs/openapi.ts';
import { encodeBase58 } from '../../src/solana/encoding/base58.ts';
import { parseKeypairFile, signWith } from '../../src/solana/keypair.ts';
import { faultsOf, writeOut } from '../../src/testing/documented.ts';
import { useInstance } from './shared-instance.ts';

describe('the document of the public interface', () => {
  const instance = useInstance();

  it('is valid, and names every operation and every group once, in one style', async () => {
    const document = await read();
    expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true });
    const operations = operationsOf(document).map(({ operation }) => operation);
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[A-Z][a-zA-Z0-9]+$/.test(id))).toEqual([]);
    const described = new Set(
      document.tags.filter(({ description }) => description !== '').map(({ name }) => name),
    );
    expect(operations.filter(({ tags }) => tags.length !== 1 || !described.has(tags[0] ?? ''))).toEqual([]);
  });

  it('has a name for every object, and one of its own for what two operations share', async () => {
    const document = await read();
    const inline = operationsOf(document).flatMap(({ operation }) => {
      const found = JSON.stringify([operation.responses, operation.requestBody ?? {}]);
      return found.includes('"properties"') ? [operation.operationId] : [];
    });
    expect(inline).toEqual([]);
    const ids = operationsOf(document).map(({ operation }) => operation.operationId);
    const isOf = (name: string) => ids.filter((id) => name.startsWith(`${id}Re`));
    const shared = operationsOf(document).flatMap(({ operation }) =>
      referencesOf([operation.responses, operation.requestBody]).filter((name) => {
        const owners = isOf(name);
        return owners.length > 0 && !owners.some((id) => operation.operationId.startsWith(id));
      }),
    );
    expect(shared).toEqual([]);
  });

  it('has an example for each operation, which is answered as documented', async () => {
    const document = await read();
    const full = writeOut(document);
    for (const { path, method, operation } of operationsOf(document)) {
      const { operationId, parameters, requestBody } = operation;
      const missing = parameters.filter((each) => each.required && each.example === undefined);
      expect(missing, operationId).toEqual([]);
      const { url, body } = exampleOf(path, operation);
      const isUpload = takesUpload(requestBody);
      if (requestBody !== undefined && !isUpload) expect(body, operationId).toBeDefined();
      const response = await fetch(`${instance.restUrl}${url}`, {
        method: method.toUpperCase(),
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(isUpload ? { 'content-type': 'application/octet-stream' } : {}),
          ...(needsToken(operation) ? { authorization: await signIn() } : {}),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(isUpload ? { body: 'a file' } : {}),
      });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      const answer = isStream ? await response.body?.cancel() : await response.json();
      const said = `${operationId} ${url}: ${response.status} ${JSON.stringify(answer)?.slice(0, 300)}`;
      // The URL of an upload is of one instance and one launch.
      if (isUpload) expect([403, 415], said).toContain(response.status);
      else if (FOR_MAKERS.has(operationId)) expect(response.status, said).toBe(401);
      else if (REFUSED.has(operationId.replace(/At[A-Z].*$/, '')))
        expect([200, 400, 404], said).toContain(response.status);
      else if (needsToken(operation)) expect([200, 400, 403, 404, 409], said).toContain(response.status);
      else expect(response.status, said).toBe(200);
      if (!isStream) {
        const { status } = response;
        expect(faultsOf(full, { method, path, status, body: answer }), said).toEqual([]);
      }
    }
  });

  it('names the operations that need a token, which are refused without one', async () => {
    for (const { path, method, operation } of operationsOf(await read()).filter((each) =>
      needsToken(each.operation),
    )) {
      const { url } = exampleOf(path, operation);
      const { status } = await fetch(`${instance.restUrl}${url}`, { method: method.toUpperCase() });
      expect(status, operation.operationId).toBe(401);
    }
  });

  let signedIn: string | null = null;

  /** Signs the demo wallet in, once, and returns the value of `authorization`. */
  async function signIn(): Promise<string> {
    if (signedIn !== null) return signedIn;
    const wallet = parseKeypairFile(readFileSync(instance.walletFile, 'utf8'));
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const asked = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await fetch(`${instance.restUrl}/trigger/v2/auth/${path}`, asked)).json() as Promise<
        Record<string, string>
      >;
    };
    const asking = { walletPubkey: wallet.address, type: 'message' };
    const { challenge = '' } = await post('challenge', asking);
    const signature = encodeBase58(signWith(wallet, Buffer.from(challenge)));
    const { token } = await post('verify', { ...asking, signature });
    signedIn = `Bearer ${token}`;
    return signedIn;
  }

  const read = async (): Promise<OpenApiDocument> =>
    (await fetch(`${instance.restUrl}/openapi.json`)).json() as Promise<OpenApiDocument>;
});

describe('the document of the admin interface', () => {
  const instance = useInstance();

  it('has an example of each body, which fits its schema, and of each value in a path', async () => {
    const headers = { authorization: `Bearer ${instance.operatorCredential}` };
    const document = (await (
      await fetch(`${instance.adminUrl}/openapi.json`, { headers })
    ).json()) as OpenApiDocument;
    const withBodies = operationsOf(writeOut(document)).filter(
      ({ operation }) => operation.requestBody !== undefined,
    );
    for (const { operation } of withBodies) {
      const media = operation.requestBody?.content['application/json'] as {
        readonly schema: TSchema;
        readonly example?: unknown;
      };
      expect(media.example, operation.operationId).toBeDefined();
      expect(Compile(media.schema).Errors(media.example), operation.operationId).toEqual([]);
    }
    const named = withBodies.map(({ path, method }) => toRouterPath(method, path));
    expect([...ADMIN_BODY_EXAMPLES].filter((each) => !named.includes(each))).toEqual([]);
    const missing = operationsOf(document).flatMap(({ operation }) =>
      operation.parameters.filter((each) => each.in === 'path' && each.example === undefined),
    );
    expect(missing).toEqual([]);
  });
});

function toRouterPath(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}

type Schema = Readonly<Record<string, unknown>>;

interface Sent {
  readonly url: string;
  readonly body: unknown;
}

/** What the example of an operation sends; the parameters without an example are left out. */
function exampleOf(path: string, { parameters, requestBody }: Operation): Sent {
  const inPath = parameters.filter((each) => each.in === 'path');
  const filled = inPath.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const query = parameters
    .filter((each) => each.in === 'query' && each.example !== undefined)
    .map(({ name, example }): [string, string] => [name, String(example)]);
  const media = requestBody?.content['application/json'] as { example?: unknown } | undefined;
  return { url: `${filled}?${new URLSearchParams(query)}`, body: media?.example };
}

/** Whether a body is a file or a form, for which an example shows no value. */
function takesUpload(requestBody: Operation['requestBody']): boolean {
  const media = Object.entries(requestBody?.content ?? {}) as [string, { schema?: { format?: string } }][];
  return media.some(([type, { schema }]) => type === 'multipart/form-data' || schema?.format === 'binary');
}

const needsToken = ({ security = [] }: Operation) => security.some((one) => 'Bearer' in one);

const operationsOf = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** The names of the schemas that a value refers to. */
function referencesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { $ref: reference } = value as Schema;
  const own = typeof reference === 'string' ? [reference.split('/').at(-1) ?? ''] : [];
  return [...own, ...Object.values(value).flatMap(referencesOf)];
}

/** Operations that need the key of a maker. */
const FOR_MAKERS = new Set(['GetMakerBooks', 'GetMakerOrders', 'GetMakerStatistics', 'GetMakerStatus']);
/** Only these need what no example can show, such as a signature or an account of this network. */
const REFUSED = new Set([
  // Orders and positions of prediction markets, which the demo wallet has none of.
  'GetPredictionOrder',
  'GetPredictionOrderStatus',
  'GetPredictionPosition',
  'ClosePredictionPosition',
  'ClaimPredictionPosition',
  'ExecutePrediction',
  'GetPredictionProfile',
  ...['PostExecute', 'ExecuteTransfer', 'ExecuteReclaim', 'ExecuteVerification', 'PostSubmit'],
  ...['GetLandingReport', 'GetSquadsOrder', 'PostSquadsExecute', 'VerifyTriggerChallenge'],
  ...['CancelLimitOrder', 'CancelLimitOrders', 'ExecuteLimitOrder'],
  ...['CancelRecurringOrder', 'ExecuteRecurringOrder', 'DepositToPriceOrder', 'WithdrawFromPriceOrder'],
  ...['CraftClawback', 'CraftClaim'],
  // Nobody has uploaded files of the launches of the embedded network, which have no pages.
  ...['GetTokenImage', 'GetTokenMetadata', 'GetTokenHeaderImage', 'GetLaunchPage'],
]);
