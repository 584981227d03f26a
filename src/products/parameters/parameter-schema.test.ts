import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { documentMembers, textFor } from './parameter-schema.ts';
import { flag, integer } from './kinds.ts';
import { defineQuery, optional } from './parameter.ts';
import { numericAmount } from '../swap/endpoints/swap-parameters.ts';
import { BUILD_PARAMETERS } from '../swap/endpoints/build.ts';
import { ORDER_PARAMETERS } from '../swap/endpoints/order-parameters.ts';
import { QUOTE_PARAMETERS } from '../swap/endpoints/v1/quote.ts';

describe('documentMembers', () => {
  it('shows the real types, bounds and defaults of parameters that are validated as texts', () => {
    const schema = Type.Object({
      plain: Type.String(),
      count: optional(integer({ minimum: 1, maximum: 64 }, 'How many.'), 3).schema,
      choice: textFor({ anyOf: [{ type: 'integer' }, { type: 'string', enum: ['auto'] }] }, 'Which.'),
    });
    expect(documentMembers(schema)).toMatchObject({
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
    const { properties } = documentMembers(BUILD_PARAMETERS.schema) as unknown as {
      properties: Record<string, unknown>;
    };
    expect(properties.maxAccounts).toMatchObject({ type: 'integer', minimum: 1, maximum: 64, default: 64 });
    expect(properties.blockhashSlotsToExpiry).toMatchObject({ minimum: 1, maximum: 300, default: 150 });
    expect(properties.slippageBps).toMatchObject({
      anyOf: [{ minimum: 0, maximum: 10_000 }, {}],
      default: 50,
    });
    expect(properties.amount).toMatchObject({ type: 'string', pattern: '^[0-9]{1,20}$' });
    expect(properties.tipAmount).toMatchObject({ type: 'string' });
    expect(properties.computeUnitPricePercentile).toMatchObject({
      anyOf: [{ type: 'integer', minimum: 0, maximum: 10_000 }, { enum: ['medium', 'high', 'veryHigh'] }],
    });
    expect(properties.wrapAndUnwrapSol).toMatchObject({ type: 'boolean' });
    expect(properties.forJitoBundle).toMatchObject({ type: 'boolean' });
  });

  it('shows the bounds that requests for orders and quotes are read by', () => {
    const ofOrder = documentMembers(ORDER_PARAMETERS.schema) as unknown as {
      properties: Record<string, unknown>;
    };
    expect(ofOrder.properties.amount).toMatchObject({ type: 'string' });
    const ofQuote = documentMembers(QUOTE_PARAMETERS.schema) as unknown as {
      properties: Record<string, unknown>;
    };
    expect(ofQuote.properties).toMatchObject({
      amount: { type: 'integer', format: 'uint64', minimum: 1 },
      maxAccounts: { type: 'integer', minimum: 1, default: 64 },
      onlyDirectRoutes: { type: 'boolean' },
      restrictIntermediateTokens: { type: 'boolean' },
      asLegacyTransaction: { type: 'boolean' },
    });
  });

  it('is validated as a text, so that the reader of a parameter can refuse it with a sentence', () => {
    const { schema } = defineQuery({ flag: flag('Whether.'), amount: numericAmount(1n, 'How much.') });
    expect(schema.properties.flag).toMatchObject({ type: 'string', enum: ['true', 'false'] });
    expect(schema.properties.amount.type).toBe('string');
  });
});
