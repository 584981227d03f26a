import { isDeepStrictEqual } from 'node:util';
import { unless } from '../answer.ts';
import { CONTRACT_PARAMETERS, type DocumentedSchema, REQUIRED_PARAMETERS } from '../documented-parameters.ts';
import type { Statement } from '../statement.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: DocumentedSchema;
}

/** A check of the document; it returns null if the statement holds, otherwise what was seen instead. */
// biome-ignore lint/suspicious/noExplicitAny: a document of another shape is a finding.
type DocumentCheck = (document: any) => string | null;

/** A statement about `/openapi.json`, which can also be checked without a running instance. */
export interface DocumentStatement {
  readonly id: string;
  readonly says: string;
  readonly checkDocument: DocumentCheck;
}

const idOf = (path: string) => path.slice(1).replaceAll('/', '-');

/** Every member that the contract names is the same; the document may say more, such as further bounds. */
function fits(documented: DocumentedSchema | undefined, expected: DocumentedSchema): boolean {
  return (
    documented !== undefined &&
    Object.entries(expected).every(([name, value]) => isDeepStrictEqual(documented[name], value))
  );
}

function parametersOf(path: string): DocumentStatement {
  return {
    id: `openapi/${idOf(path)}-parameters`,
    says: `The query parameters of ${path} have the types, bounds, defaults and words of the contract.`,
    checkDocument: (document) => {
      const given: readonly Parameter[] = document?.paths?.[path]?.get?.parameters ?? [];
      const wrong = Object.entries(CONTRACT_PARAMETERS[path] ?? {}).flatMap(([name, expected]) => {
        const found = given.find((each) => each.name === name && each.in === 'query')?.schema;
        return fits(found, expected) ? [] : [{ name, found: found ?? null, expected }];
      });
      return unless(wrong.length === 0, wrong);
    },
  };
}

function requiredOf(path: string): DocumentStatement {
  return {
    id: `openapi/${idOf(path)}-required`,
    says: `${path} requires ${(REQUIRED_PARAMETERS[path] ?? []).join(', ')} and nothing else.`,
    checkDocument: (document) => {
      const given: readonly Parameter[] = document?.paths?.[path]?.get?.parameters ?? [];
      const required = given.filter((each) => each.required).map(({ name }) => name);
      return unless(isDeepStrictEqual(required, REQUIRED_PARAMETERS[path]), required);
    },
  };
}

function answerSchema(document: unknown, path: string, method: string, status: number) {
  // biome-ignore lint/suspicious/noExplicitAny: a document of another shape is a finding.
  const operation = (document as any)?.paths?.[path]?.[method];
  const schema = operation?.responses?.[status]?.content?.['application/json']?.schema;
  return resolveSchema(document, productsBranch(document, schema));
}

/** Returns a schema, or what its reference names. */
// biome-ignore lint/suspicious/noExplicitAny: a document of another shape is a finding.
export function resolveSchema(document: any, schema: any): any {
  const reference: unknown = schema?.$ref;
  if (typeof reference !== 'string') return schema;
  const target = reference
    .replace(/^#\//, '')
    .split('/')
    // biome-ignore lint/suspicious/noExplicitAny: a document of another shape is a finding.
    .reduce((at: any, key) => at?.[key], document);
  return resolveSchema(document, target);
}

/** Where the gateway may answer too, the product's own body is the first branch. */
// biome-ignore lint/suspicious/noExplicitAny: a document of another shape is a finding.
function productsBranch(document: any, schema: any) {
  const whole = resolveSchema(document, schema);
  return Array.isArray(whole?.anyOf) && whole.properties === undefined ? whole.anyOf[0] : whole;
}

/** The answer of an operation has these members. */
function answerOf(
  [method, path, status]: readonly ['get' | 'post', string, number],
  names: readonly string[],
): DocumentStatement {
  return {
    id: `openapi/${idOf(path)}-${status}`,
    says: `The answer ${status} of ${path} declares ${names.join(', ')}.`,
    checkDocument: (document) => {
      const { properties = {} } = answerSchema(document, path, method, status) ?? {};
      const missing = names.filter((name) => !(name in properties));
      return unless(missing.length === 0, { missing });
    },
  };
}

export const documentStatements: readonly DocumentStatement[] = [
  ...Object.keys(CONTRACT_PARAMETERS).flatMap((path) => [parametersOf(path), requiredOf(path)]),
  answerOf(
    ['get', '/swap/v2/order', 200],
    [
      ...['mode', 'inAmount', 'outAmount', 'priceImpact', 'priceImpactPct', 'swapUsdValue', 'feeMint'],
      ...['feeBps', 'platformFee', 'gasless', 'swapType', 'router', 'transaction', 'requestId'],
      ...['quoteId', 'maker', 'expireAt', 'errorCode', 'errorMessage', 'error'],
    ],
  ),
  answerOf(['get', '/swap/v2/order', 400], ['requestId', 'error']),
  answerOf(['get', '/swap/v2/build', 400], ['error']),
  answerOf(
    ['post', '/swap/v2/execute', 200],
    [
      ...['status', 'signature', 'slot', 'error', 'code', 'totalInputAmount', 'totalOutputAmount'],
      ...['inputAmountResult', 'outputAmountResult', 'swapEvents'],
    ],
  ),
  answerOf(['post', '/swap/v2/execute', 400], ['error', 'code']),
  answerOf(['post', '/swap/v2/execute', 500], ['error']),
  answerOf(
    ['post', '/swap/v1/swap', 200],
    ['swapTransaction', 'lastValidBlockHeight', 'prioritizationFeeLamports'],
  ),
  answerOf(
    ['post', '/swap/v1/swap-instructions', 200],
    [
      ...['otherInstructions', 'computeBudgetInstructions', 'setupInstructions', 'swapInstruction'],
      ...['cleanupInstruction', 'addressLookupTableAddresses', 'tokenLedgerInstruction'],
    ],
  ),
  {
    id: 'openapi/swap-type',
    says: 'swapType is aggregator, rfq, aggregator+rfq, dflow or okx, and deprecated.',
    checkDocument: (document) => {
      const { swapType } = answerSchema(document, '/swap/v2/order', 'get', 200)?.properties ?? {};
      const expected = ['aggregator', 'rfq', 'aggregator+rfq', 'dflow', 'okx'];
      return unless(isDeepStrictEqual(swapType?.enum, expected) && swapType.deprecated === true, swapType);
    },
  },
  {
    id: 'openapi/router',
    says: 'router is metis, jupiterz, dflow or okx.',
    checkDocument: (document) => {
      const { router } = answerSchema(document, '/swap/v2/order', 'get', 200)?.properties ?? {};
      return unless(isDeepStrictEqual(router?.enum, ['metis', 'jupiterz', 'dflow', 'okx']), router);
    },
  },
  {
    id: 'openapi/key',
    says: 'The document declares the header x-api-key.',
    checkDocument: (document) => {
      const schemes = Object.values(document?.components?.securitySchemes ?? {});
      const expected = { type: 'apiKey', in: 'header', name: 'x-api-key' };
      return unless(
        schemes.some((each) => isDeepStrictEqual(each, expected)),
        schemes,
      );
    },
  },
  {
    id: 'openapi/operation-ids',
    says: 'The operations of swaps have the names of the contract, from which clients are generated.',
    checkDocument: (document) => {
      const expected = {
        '/swap/v2/order': { get: 'GetOrder' },
        '/swap/v2/build': { get: 'GetBuild' },
        '/swap/v2/execute': { post: 'PostExecute' },
        '/swap/v1/quote': { get: 'QuoteGet' },
        '/swap/v1/swap': { post: 'SwapPost' },
        '/swap/v1/swap-instructions': { post: 'SwapInstructionsPost' },
        '/swap/v1/program-id-to-label': { get: 'ProgramIdToLabelGet' },
      };
      const wrong = Object.entries(expected).flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, name]) => {
          const found = document?.paths?.[path]?.[method]?.operationId;
          return found === name ? [] : [{ path, found }];
        }),
      );
      return unless(wrong.length === 0, wrong);
    },
  },
];

export const openapiStatements: readonly Statement[] = documentStatements.map((each) => ({
  id: each.id,
  says: each.says,
  check: async (world) => each.checkDocument((await world.ask('/openapi.json')).json),
}));
