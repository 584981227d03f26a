import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { toTypeText } from './type-text.ts';

it.each<[object, string]>([
  [Type.String(), 'string'],
  [Type.Integer({ minimum: 1 }), 'integer'],
  [Type.Literal('a'), '"a"'],
  [Type.Union([Type.Literal('a'), Type.Null()]), '"a" | null'],
  [Type.String({ enum: ['true', 'false'] }), '"true" | "false"'],
  [Type.Array(Type.String()), 'string[]'],
  [Type.Array(Type.Union([Type.String(), Type.Number()])), '(string | number)[]'],
  [Type.Record(Type.String(), Type.Number()), '{\n  [key: string]: number\n}'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, '{\n  [key: string]: string\n}'],
  [Type.Object({}), '{}'],
  [{}, 'unknown'],
])('%j is %s', (schema, text) => {
  expect(toTypeText(schema, {})).toBe(text);
});

it('shows the fields of objects with their descriptions', () => {
  const schema = Type.Object({
    amount: Type.String({ description: 'Atoms.' }),
    route: Type.Optional(Type.Array(Type.Object({ bps: Type.Number() }))),
  });
  expect(toTypeText(schema, {})).toBe(
    '{\n  amount: string  // Atoms.\n  route?: {\n    bps: number\n  }[]\n}',
  );
});

it('writes out what a reference names', () => {
  const schemas = { Coin: { ...Type.Object({ mint: Type.String() }) } };
  const schema = { type: 'array', items: { $ref: '#/components/schemas/Coin' } };
  expect(toTypeText(schema, schemas)).toBe('{\n  mint: string\n}[]');
});
