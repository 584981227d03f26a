import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../../src/testing/random.ts';
import { buildApiModel } from '../../../openapi/model/api-model.ts';
import { buildApiRequest } from '../../../openapi/request/api-request.ts';
import { isSecretName } from '../fields/secret-name.ts';
import {
  checkRequestForm,
  fillExampleForm,
  fillFromText,
  listOperationFields,
  readRequestForm,
  type RequestForm,
  switchBodyMode,
} from './request-form.ts';
import { readSharedForm, writeSharedForm } from './shared-form.ts';

describe('writeSharedForm', () => {
  it('says nothing of a form that is the example', () => {
    expect(writeSharedForm(FIELDS, EXAMPLE, EXAMPLE)).toEqual({});
  });

  it('says which values differ, and which were removed', () => {
    const form = withParameters({ 'query.amount': '5', 'query.mode': 'fast', 'query.taker': '' });
    expect(writeSharedForm(FIELDS, form, EXAMPLE)).toEqual({ amount: '5', mode: 'fast', taker: '' });
  });

  it('tells two values of one name apart by their places', () => {
    const form = withParameters({ 'query.id': 'q', 'path.id': 'p' });
    expect(writeSharedForm(FIELDS, form, EXAMPLE)).toEqual({ 'query.id': 'q', 'path.id': 'p' });
  });

  it('keeps secrets out of the address, and the body that may hold one', () => {
    expect(writeSharedForm(FIELDS, withParameters({ 'header.x-secret': 'hush' }), EXAMPLE)).toEqual({});
    const fields = listOperationFields(SECRET, MODEL.schemas);
    const base = fillExampleForm(SECRET, fields);
    const form = readSharedForm(fields, base, { body: '{"webhookSecret":"hush"}' });
    expect(writeSharedForm(fields, form, base)).toEqual({});
  });

  it('is read back to a form that sends the same request', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 });
    const cases = fc.record({
      'query.amount': text,
      'query.mode': fc.constantFrom('', 'fast', 'slow', 'other'),
      'query.taker': text,
      'query.slippageBps': fc.constantFrom('', 'auto', '12', '-1', 'x'),
      'path.id': text,
      'query.id': text,
      body: fc.jsonValue(),
    });
    assertProperty(
      fc.property(cases, ({ body, ...parameters }) => {
        const form = readSharedForm(FIELDS, withParameters(parameters), { body: JSON.stringify(body) });
        const again = readSharedForm(FIELDS, EXAMPLE, writeSharedForm(FIELDS, form, EXAMPLE));
        expect(toRequest(again)).toEqual(toRequest(form));
      }),
      { cases: 100, seed: 4417 },
    );
  });
});

describe('readSharedForm', () => {
  it('ignores what names no field, also the names of objects themselves', () => {
    const search = JSON.parse('{"__proto__":"x","constructor":"y","side":"admin","amount":"7"}');
    expect(toRequest(readSharedForm(FIELDS, EXAMPLE, search)).query).toContainEqual({
      name: 'amount',
      value: '7',
    });
  });

  it('shows a body that is no JSON as a text, with its line', () => {
    const form = readSharedForm(FIELDS, EXAMPLE, { body: '{"a":\n1,}' });
    expect(checkRequestForm(FIELDS, form)).toEqual([
      { path: 'body', text: expect.stringContaining('Line 2 is not JSON') },
    ]);
  });
});

describe('checkRequestForm', () => {
  it('names wrong values by their places', () => {
    const form = withParameters({ 'query.amount': '', 'query.mode': 'other' });
    expect(checkRequestForm(FIELDS, form).map(({ path }) => path)).toEqual(['query.amount', 'query.mode']);
  });

  it('checks the members of a body also while it is edited as JSON', () => {
    const form = { ...EXAMPLE, body: { mode: 'json', text: '{"count":0}' } } as const;
    expect(checkRequestForm(FIELDS, form)).toEqual([{ path: 'body.count', text: 'Enter 1 or more.' }]);
  });
});

describe('switchBodyMode', () => {
  it('keeps numbers that a double would round', () => {
    const fields = { mode: 'json', text: '{"count": 18446744073709551615}' } as const;
    const field = FIELDS.body;
    if (field === null) throw new Error('the operation has a body');
    const back = switchBodyMode(field, switchBodyMode(field, fields));
    expect(back).toMatchObject({ text: expect.stringContaining('18446744073709551615') });
  });
});

describe('isSecretName', () => {
  it.each(['webhookSecret', 'apiKey', 'x-api-key', 'password'])('counts %s', (name) => {
    expect(isSecretName(name)).toBe(true);
  });
  it.each(['inputMint', 'tokenId', 'order'])('does not count %s', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

const PARAMETERS = [
  { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
  { name: 'id', in: 'query', schema: { type: 'string' } },
  { name: 'amount', in: 'query', required: true, schema: { type: 'string' }, example: '100' },
  { name: 'taker', in: 'query', schema: { type: 'string' }, example: 'wallet' },
  { name: 'mode', in: 'query', schema: { type: 'string', enum: ['fast', 'slow'] } },
  {
    name: 'slippageBps',
    in: 'query',
    schema: {
      anyOf: [
        { type: 'integer', minimum: 0 },
        { type: 'string', enum: ['auto'] },
      ],
    },
  },
  { name: 'x-secret', in: 'header', schema: { type: 'string' } },
];

const MODEL = buildApiModel({
  info: { title: 'Sample', version: '1' },
  paths: {
    '/sample/{id}': {
      post: {
        operationId: 'PostSample',
        parameters: PARAMETERS.map((parameter) =>
          parameter.in === 'path' ? { ...parameter, example: 'one' } : parameter,
        ),
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { count: { type: 'integer', minimum: 1 }, note: { type: 'string' } },
              },
              example: { count: 2 },
            },
          },
        },
        responses: {},
      },
    },
    '/secret': {
      post: {
        operationId: 'PostSecret',
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { webhookSecret: { type: 'string' } } },
            },
          },
        },
        responses: {},
      },
    },
  },
});

function getOperation(id: string) {
  const operation = MODEL.operations.get(id);
  if (operation === undefined) throw new Error(`there is no ${id}`);
  return operation;
}

const SAMPLE = getOperation('PostSample');
const SECRET = getOperation('PostSecret');
const FIELDS = listOperationFields(SAMPLE, MODEL.schemas);
const EXAMPLE = fillExampleForm(SAMPLE, FIELDS);

function withParameters(texts: Readonly<Record<string, string>>): RequestForm {
  const parameters = new Map(EXAMPLE.parameters);
  for (const { key, field } of FIELDS.parameters) {
    const text = texts[key];
    if (text !== undefined) parameters.set(key, fillFromText(field, text));
  }
  return { ...EXAMPLE, parameters };
}

function toRequest(form: RequestForm) {
  return buildApiRequest(SAMPLE, { origin: '', ...readRequestForm(FIELDS, form) });
}
