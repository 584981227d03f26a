import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import type { OpenApiDocument, Operation } from '../../src/gateway/docs/openapi.ts';
import { writeOut } from '../../src/testing/documented.ts';
import { useInstance } from './shared-instance.ts';

// The gateway compiles a schema when a request needs it, so a schema that cannot be compiled does not keep it from starting.
describe('every schema that the gateway documents', () => {
  const instance = useInstance();

  it('has a name that says what it is, and not only which one of several', async () => {
    const names = (await documents()).flatMap(({ components }) => Object.keys(components.schemas));
    expect(names.length).toBeGreaterThan(150);
    expect(names.filter((name) => /[a-z]\d/.test(name))).toEqual([]);
  });

  it('compiles to a serialiser of answers', async () => {
    const compile = SerializerSelector()({}, {});
    const places = (await documents()).map(writeOut).flatMap(answersOf);
    expect(places.length).toBeGreaterThan(300);
    expect(
      refusedBy((schema) => compile({ schema, url: '/', method: 'GET', httpStatus: '200' }), places),
    ).toEqual([]);
  });

  it('compiles to a validator of requests', async () => {
    const places = (await documents()).map(writeOut).flatMap(requestsOf);
    expect(places.length).toBeGreaterThan(200);
    expect(refusedBy(Compile, places)).toEqual([]);
  });

  const documentOf = async (url: string, headers = {}) =>
    (await (await fetch(`${url}/openapi.json`, { headers })).json()) as OpenApiDocument;
  const documents = () =>
    Promise.all([
      documentOf(instance.restUrl),
      documentOf(instance.adminUrl, { authorization: `Bearer ${instance.operatorCredential}` }),
    ]);
});

/** The schemas of a document, each with its place. */
interface Place {
  readonly name: string;
  readonly schema: TSchema;
}

const operationsOf = ({ paths }: OpenApiDocument): [string, Operation][] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  );

function answersOf(document: OpenApiDocument): Place[] {
  return operationsOf(document).flatMap(([name, { responses }]) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      schemasOf(`${name} ${status}`, content),
    ),
  );
}

function requestsOf(document: OpenApiDocument): Place[] {
  return operationsOf(document).flatMap(([name, { parameters = [], requestBody }]) => [
    ...parameters.map((parameter) => ({
      name: `${name} ${parameter.name}`,
      schema: parameter.schema as TSchema,
    })),
    ...schemasOf(`${name} body`, requestBody?.content ?? {}),
  ]);
}

function schemasOf(name: string, content: object): Place[] {
  return Object.values(content).flatMap(({ schema }: { readonly schema?: TSchema }) =>
    schema === undefined ? [] : [{ name, schema }],
  );
}

/** Returns the places whose schema `compile` refuses, with its reason. */
function refusedBy(compile: (schema: TSchema) => unknown, places: readonly Place[]): string[] {
  return places.flatMap(({ name, schema }) => {
    try {
      compile(schema);
      return [];
    } catch (error) {
      return [`${name}: ${String(error)}`];
    }
  });
}
