import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { documentMembers } from './parameter-schema.ts';
import { choice, flag, integer, list, text } from './kinds.ts';
import { defineBody, defineField, defineQuery, optional } from './parameter.ts';

describe('defineQuery', () => {
  it('reads values of the declared types', () => {
    const read = QUERY.reader({ count: '7', limit: '1', isLoud: 'true', color: 'red', names: ['a', 'b'] });
    const values: [number, number, boolean, 'red' | 'green' | null, readonly string[] | null] = [
      read('count'),
      read('limit'),
      read('isLoud'),
      read('color'),
      read('names'),
    ];
    expect(values).toEqual([7, 1, true, 'red', ['a', 'b']]);
  });

  it('takes an empty text as absent', () => {
    const read = QUERY.reader({ count: '', limit: '', isLoud: '', color: '' });
    expect([read('limit'), read('isLoud'), read('color'), read('names')]).toEqual([20, false, null, null]);
    expect(() => read('count')).toThrow('count must be a whole number from 1 to 100, got ""');
  });

  it('refuses a parameter when it is read, and by its name', () => {
    const read = QUERY.reader({ count: '0', limit: '101', isLoud: 'yes', color: ['red', 'red'] });
    expect(() => read('limit')).toThrow('limit must be a whole number from 1 to 100, got "101"');
    expect(() => read('count')).toThrow('count must be a whole number from 1 to 100, got "0"');
    expect(() => read('isLoud')).toThrow('isLoud must be true or false, got "yes"');
    expect(() => read('color')).toThrow('color is given 2 times; give it once');
    expect(() => QUERY.reader({ color: 'blue' })('color')).toThrow('color must be red or green, got "blue"');
  });

  it('refuses with the error of the product', () => {
    const refuse = (sentence: string): never => {
      throw new RangeError(sentence);
    };
    const read = defineQuery({ count: integer(COUNT, 'How many.') }, refuse).reader({ count: 'x' });
    expect(() => read('count')).toThrow(RangeError);
  });

  it('documents a default where it is declared, and nowhere else', () => {
    const count = integer(COUNT, 'How many.');
    const { schema } = defineQuery({ first: optional(count, 1), second: optional(count, 2), third: count });
    expect(documentMembers(schema)).toMatchObject({
      properties: {
        first: { default: 1 },
        second: { default: 2 },
        third: expect.not.objectContaining({ default: expect.anything() }),
      },
    });
  });

  it('makes the schema that is validated, and documented with its real types and defaults', () => {
    expect(QUERY.schema).toMatchObject({
      required: ['count'],
      properties: {
        count: { type: 'string' },
        isLoud: { enum: ['true', 'false'] },
        names: { type: 'array' },
      },
    });
    expect(documentMembers(QUERY.schema)).toMatchObject({
      properties: {
        count: { type: 'integer', ...COUNT, description: 'How many.' },
        limit: { type: 'integer', ...COUNT, default: 20 },
        isLoud: { type: 'boolean', default: false },
        color: { type: 'string', enum: ['red', 'green'] },
        names: { type: 'array', items: { type: 'string' } },
      },
    });
  });
});

describe('defineBody', () => {
  it('reads null as absent, an empty text as a text, and other fields as they are', () => {
    const body = defineBody({
      note: optional(text('A note.')),
      sizes: defineField(Type.Array(Type.Integer())),
    });
    expect(body.reader({ note: null, sizes: [1] })('note')).toBeNull();
    const read = body.reader({ note: '', sizes: [1, 2] });
    expect([read('note'), read('sizes')]).toEqual(['', [1, 2]]);
  });
});

const COUNT = { minimum: 1, maximum: 100 };
const QUERY = defineQuery({
  count: integer(COUNT, 'How many.'),
  limit: optional(integer(COUNT, 'At most.'), 20),
  isLoud: optional(flag('Whether.'), false),
  color: optional(choice(['red', 'green'], 'Which.')),
  names: optional(list('Names.', 'array')),
});
