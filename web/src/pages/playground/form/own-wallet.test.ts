import { describe, expect, it } from 'vitest';
import { buildApiModel } from '../../../openapi/model/api-model.ts';
import { buildApiRequest } from '../../../openapi/request/api-request.ts';
import { hasSigningWallet, replaceSigningWallet } from './own-wallet.ts';
import { fillExampleForm, listOperationFields, readRequestForm } from './request-form.ts';

describe('replaceSigningWallet', () => {
  it('puts the wallet where the request names the one that signs, and leaves what is only read', () => {
    const form = replaceSigningWallet(FIELDS, EXAMPLE, 'demo', 'own');
    const { query, body } = buildApiRequest(OPERATION, { origin: '', ...readRequestForm(FIELDS, form) });
    expect(query).toEqual([
      { name: 'taker', value: 'own' },
      { name: 'users', value: 'demo' },
    ]);
    expect(body).toMatchObject({ value: new Map([['nested', new Map([['maker', 'own']])]]) });
    expect([hasSigningWallet(FIELDS, form, 'own'), hasSigningWallet(FIELDS, form, 'demo')]).toEqual([
      true,
      false,
    ]);
  });

  it('returns the same form if it names no such wallet', () => {
    expect(replaceSigningWallet(FIELDS, EXAMPLE, 'other', 'own')).toBe(EXAMPLE);
  });
});

const TEXT = { type: 'string' };
const MODEL = buildApiModel({
  info: { title: 'Sample', version: '1' },
  paths: {
    '/sample': {
      post: {
        operationId: 'PostSample',
        parameters: ['taker', 'users'].map((name) => ({ name, in: 'query', schema: TEXT, example: 'demo' })),
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { nested: { type: 'object', properties: { maker: TEXT } } },
              },
              example: { nested: { maker: 'demo' } },
            },
          },
        },
        responses: {},
      },
    },
  },
});
const OPERATION = [...MODEL.operations.values()][0] as NonNullable<ReturnType<typeof MODEL.operations.get>>;
const FIELDS = listOperationFields(OPERATION, MODEL.schemas);
const EXAMPLE = fillExampleForm(OPERATION, FIELDS);
