import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { documentedQuery, integerText, textFor } from './parameters.ts';
import { BuildQuery } from './swap/schema.ts';

describe('documentedQuery', () => {
  it('shows the real types, bounds and defaults of parameters that are validated as texts', () => {
    const schema = Type.Object({
      plain: Type.String(),
      count: Type.Optional(integerText({ minimum: 1, maximum: 64 }, 'How many.', 3)),
      choice: textFor({ anyOf: [{ type: 'integer' }, { type: 'string', enum: ['auto'] }] }, 'Which.'),
    });
    expect(documentedQuery(schema)).toMatchObject({
      required: ['plain', 'choice'],
      properties: {
        plain: { type: 'string' },
        count: { type: 'integer', minimum: 1, maximum: 64, default: 3, description: 'How many.' },
        choice: { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['auto'] }], description: 'Which.' },
      },
    });
    expect(schema.properties.count.type).toBe('string');
  });

  it('shows the bounds that requests for swaps are read by', () => {
    const { properties } = documentedQuery(BuildQuery) as unknown as { properties: Record<string, unknown> };
    expect(properties.maxAccounts).toMatchObject({ type: 'integer', minimum: 1, maximum: 64, default: 64 });
    expect(properties.blockhashSlotsToExpiry).toMatchObject({ minimum: 1, maximum: 300, default: 150 });
    expect(properties.slippageBps).toMatchObject({
      anyOf: [{ minimum: 0, maximum: 10_000 }, {}],
      default: 50,
    });
  });
});
