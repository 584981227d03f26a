import { describe, expect, it } from 'vitest';
import { buildApiModel } from './api-model.ts';
import { findOperation } from './find-operation.ts';

describe('findOperation', () => {
  it('reads the values of the path and of the query', () => {
    const found = findOperation(model, 'GET', '/a/x%20y/b?ids=1&ids=2&z=%26');
    expect(found?.operation.id).toBe('held');
    expect(found?.values).toEqual({ name: 'x y', ids: '1,2', z: '&' });
  });

  it('prefers a path without holes', () => {
    expect(findOperation(model, 'GET', '/a/fixed/b')?.operation.id).toBe('fixed');
  });

  it('returns null for another method, a longer path, or an empty value', () => {
    expect(findOperation(model, 'PUT', '/a/fixed/b')).toBeNull();
    expect(findOperation(model, 'GET', '/a/x/b/c')).toBeNull();
    expect(findOperation(model, 'GET', '/a//b')).toBeNull();
  });

  it('keeps a text that is wrongly encoded', () => {
    expect(findOperation(model, 'GET', '/a/%E0%A4%A/b')?.values.name).toBe('%E0%A4%A');
  });
});

const operation = (operationId: string) => ({ operationId, responses: {} });
const model = buildApiModel({
  info: { title: 'Test', version: '1' },
  paths: { '/a/{name}/b': { get: operation('held') }, '/a/fixed/b': { get: operation('fixed') } },
});
