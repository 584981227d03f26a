import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../src/testing/random.ts';
import { formatExactJson, toExactJson } from '../../base/exact-json.ts';
import type { NamedNodes, SchemaNode } from '../model/schema.ts';
import { checkFormValue } from './checks.ts';
import { type FormField, toField } from './fields.ts';
import { createSample } from './samples.ts';
import { createFormValue, type FormValue, fillFormValue, openVariant, readFormValue } from './values.ts';

describe('toField', () => {
  it('makes choices of an enum, of a constant and of a union of constants', () => {
    const choices = (schema: SchemaNode) => {
      const field = fieldOf(schema);
      return field.kind === 'choice' ? field.choices.map(({ label }) => label) : field.kind;
    };
    expect(choices({ type: 'string', enum: ['ExactIn', 'ExactOut'] })).toEqual(['ExactIn', 'ExactOut']);
    expect(choices({ const: 'buy' })).toEqual(['buy']);
    expect(choices({ anyOf: [{ const: 'buy' }, { const: 'sell' }, { type: 'null' }] })).toEqual([
      'buy',
      'sell',
    ]);
  });

  it('takes null out of the alternatives, and names what is left', () => {
    expect(fieldOf({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toMatchObject({
      kind: 'text',
      isNullable: true,
    });
    const field = fieldOf({ anyOf: [{ type: 'integer' }, { $ref: '#/components/schemas/Order' }] });
    expect(field.kind === 'variants' && field.variants.map(({ label }) => label)).toEqual([
      'whole number',
      'Order',
    ]);
  });

  it('follows references, joins allOf, and keeps what is said beside a reference', () => {
    const field = fieldOf({
      allOf: [{ $ref: '#/components/schemas/Order' }, { properties: { note: { type: 'string' } } }],
      description: 'Both.',
    });
    expect(field).toMatchObject({ kind: 'object', description: 'Both.' });
    expect(field.kind === 'object' && field.members.map(({ name }) => name)).toEqual([
      'id',
      'amount',
      'kind',
      'tags',
      'note',
    ]);
  });

  it('ends for a schema that contains itself', () => {
    const node: SchemaNode = { type: 'array', items: { $ref: '#/components/schemas/Tree' } };
    const tree: SchemaNode = { type: 'object', properties: { children: node }, required: ['children'] };
    const field = toField({ name: '', schema: tree, isRequired: true }, { Tree: tree });
    expect(JSON.stringify(createFormValue(field)).length).toBeLessThan(1_000);
  });

  it('has bounds as a text, and the default', () => {
    expect(fieldOf({ type: 'integer', minimum: 0, maximum: 10_000, default: 50 })).toMatchObject({
      bounds: '0 to 10000',
      fallback: { source: '50' },
    });
    expect(fieldOf({ type: 'string', maxLength: 1 }).bounds).toBe('at most 1 character');
    expect(fieldOf({ type: 'string', pattern: '^[0-9]{1,20}$' }).bounds).toBe('1 to 20 digits');
    expect(fieldOf({ type: 'string', pattern: '^(0|[1-9][0-9]{0,19})$' }).bounds).toBe('1 to 20 digits');
    expect(fieldOf({ type: 'string', pattern: '^a$' }).bounds).toBe('matches ^a$');
  });
});

describe('fillFormValue and readFormValue', () => {
  it('give back an example that fits the schema', () => {
    assertProperty(
      fc.property(
        fc.record(
          {
            id: fc.string({ minLength: 1 }),
            amount: fc.bigInt(),
            kind: fc.constantFrom('buy', 'sell'),
            tags: fc.array(fc.string()),
          },
          { requiredKeys: ['id', 'amount'] },
        ),
        (order) => {
          const json = toExactJson(order);
          const field = fieldOf({ $ref: '#/components/schemas/Order' });
          const read = readFormValue(field, fillFormValue(field, json));
          expect(read === undefined ? '' : sorted(formatExactJson(read))).toBe(sorted(formatExactJson(json)));
          expect(checkFormValue(field, fillFormValue(field, json))).toEqual(
            order.tags?.includes('') ? expect.anything() : [],
          );
        },
      ),
      { cases: 100, seed: 4402 },
    );
  });

  it('choose the variant that an example has', () => {
    const field = fieldOf({ anyOf: [{ type: 'integer' }, { type: 'string', enum: ['rtse'] }] });
    expect(fillFormValue(field, 'rtse')).toEqual({
      kind: 'variant',
      index: 1,
      value: { kind: 'typed', text: 'rtse' },
    });
    expect(openVariant(field, 7)).toEqual({ kind: 'absent' });
  });

  it('leave out what is empty and optional', () => {
    const field = fieldOf({ $ref: '#/components/schemas/Order' });
    const value: FormValue = {
      kind: 'members',
      members: new Map([
        ['id', typed('')],
        ['amount', typed('')],
        ['kind', typed('')],
      ]),
    };
    const read = readFormValue(field, value);
    expect(read === undefined ? '' : formatExactJson(read)).toBe('{"id":""}');
  });
});

describe('checkFormValue', () => {
  it.each<[SchemaNode, string, readonly string[]]>([
    [{ type: 'integer', minimum: 0, maximum: 10_000 }, '10001', ['Enter 10000 or less.']],
    [{ type: 'integer' }, '1.5', ['Enter a whole number.']],
    [
      { type: 'integer', maximum: 9_007_199_254_740_991 },
      '9007199254740992',
      ['Enter 9007199254740991 or less.'],
    ],
    [{ type: 'number', exclusiveMinimum: 0 }, '0', ['Enter more than 0.']],
    [{ type: 'string', pattern: '^[0-9]{1,20}$' }, '1e9', ['Enter a whole number.']],
    [{ type: 'string', pattern: '(' }, 'x', []],
    [{ type: 'string', minLength: 2 }, 'x', ['Enter at least 2 characters.']],
    [{ type: 'string', maxLength: 1 }, '\u{1F600}', []],
    [{ enum: ['a', 'b'] }, 'c', ['Choose one of a, b.']],
    [{}, '{', ['Line 1 is not JSON: the name of a member must stand in double quotes.']],
    [{ type: 'string' }, '', ['Enter a value: this field is required.']],
  ])('%j refuses %s', (schema, text, expected) => {
    expect(checkFormValue(fieldOf(schema), typed(text)).map((problem) => problem.text)).toEqual(expected);
  });

  it('names the place of a wrong value', () => {
    const field = fieldOf({ type: 'array', items: { $ref: '#/components/schemas/Order' }, maxItems: 1 });
    const value = fillFormValue(field, toExactJson([{ id: 'a', amount: 1 }, { id: 'b' }]));
    expect(checkFormValue(field, value)).toEqual([
      { path: 'field', text: 'Enter at most 1 element.' },
      { path: 'field[1].amount', text: 'Enter a value: this field is required.' },
    ]);
  });
});

describe('createSample', () => {
  it('has the required members, with texts in angle brackets', () => {
    const sample = createSample(fieldOf({ $ref: '#/components/schemas/Order' }));
    expect(sample === undefined ? '' : formatExactJson(sample)).toBe('{"id":"<id>","amount":1}');
  });
});

const NAMED: NamedNodes = {
  Order: {
    type: 'object',
    required: ['id', 'amount'],
    properties: {
      id: { type: 'string' },
      amount: { type: 'integer' },
      kind: { enum: ['buy', 'sell'] },
      tags: { type: 'array', items: { type: 'string' } },
    },
  },
};

function fieldOf(schema: SchemaNode): FormField {
  return toField({ name: 'field', schema, isRequired: true }, NAMED);
}

function typed(text: string): FormValue {
  return { kind: 'typed', text };
}

/** The members in one order, for comparing. */
function sorted(text: string): string {
  return [...text].sort().join('');
}
