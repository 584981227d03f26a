import { describe, expect, it } from 'vitest';
import { buildApiModel } from '../../../openapi/model/api-model.ts';
import { findNamedField } from './named-field.ts';
import { listOperationFields } from './request-form.ts';

describe('findNamedField', () => {
  it.each([
    ['query parameter amount is missing', 'query.amount'],
    ['signer must be an address, got "amount"', 'body.signer'],
    ['params.makingAmount must be above 0', 'body.params'],
    ['makingAmount must be above 0', 'body.params.makingAmount'],
  ])('finds the field of %j', (message, path) => {
    expect(findNamedField(FIELDS, message)).toEqual({ path, text: message });
  });

  it.each(['amounts differ', 'no route', 'x-amount is odd', ''])('finds none in %j', (message) => {
    expect(findNamedField(FIELDS, message)).toBeNull();
  });
});

const TEXT = { type: 'string' };
const MODEL = buildApiModel({
  info: { title: 'Sample', version: '1' },
  paths: {
    '/sample': {
      post: {
        operationId: 'PostSample',
        parameters: [{ name: 'amount', in: 'query', schema: TEXT }],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  signer: TEXT,
                  params: { type: 'object', properties: { makingAmount: TEXT } },
                },
              },
            },
          },
        },
        responses: {},
      },
    },
  },
});
const FIELDS = listOperationFields([...MODEL.operations.values()][0] as never, MODEL.schemas);
