import { describe, expect, it } from 'vitest';
import type { NamedNodes, SchemaNode } from './schema.ts';
import { describeType, listInnerObjects } from './type-label.ts';

describe('describeType', () => {
  it.each<[SchemaNode, string]>([
    [{ type: 'string' }, 'string'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, '(string | null)[]'],
    [{ enum: ['a', 1] }, '"a" | 1'],
    [{ const: true }, 'true'],
    [{ type: 'object', additionalProperties: { $ref: '#/components/schemas/Order' } }, '{ [name]: Order }'],
    [{ type: 'string', format: 'binary' }, 'file'],
    [{}, 'any'],
  ])('%j is %s', (schema, expected) => {
    expect(describeType(schema)).toBe(expected);
  });
});

describe('listInnerObjects', () => {
  it('finds objects behind references, lists, maps and alternatives, with their names', () => {
    const reference: SchemaNode = { $ref: '#/components/schemas/Order' };
    const find = (schema: SchemaNode) =>
      listInnerObjects(schema, NAMED).map(({ name, members }) => [name, members.map((each) => each.name)]);
    const order = ['Order', ['id', 'next']];
    expect(find({ type: 'array', items: reference })).toEqual([order]);
    expect(find({ type: 'object', additionalProperties: reference })).toEqual([order]);
    expect(find({ anyOf: [reference, { type: 'null' }] })).toEqual([order]);
    expect(find({ anyOf: [reference, { properties: { other: {} } }] })).toEqual([order, [null, ['other']]]);
    expect(find({ type: 'string' })).toEqual([]);
  });

  it('ends for a list of itself', () => {
    const list: SchemaNode = { type: 'array', items: { $ref: '#/components/schemas/List' } };
    expect(listInnerObjects(list, { List: list })).toEqual([]);
  });

  it('goes one level deep, so that a schema may contain itself', () => {
    const [order] = listInnerObjects({ $ref: '#/components/schemas/Order' }, NAMED);
    expect(listInnerObjects(order?.members[1]?.schema ?? {}, NAMED)).toEqual([order]);
  });
});

const NAMED: NamedNodes = {
  Order: {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' }, next: { $ref: '#/components/schemas/Order' } },
  },
};
