import { beforeAll, describe, expect, it } from 'vitest';
import { documentStatements } from '../conformance/statements/openapi.ts';
import { openSwapGateway } from '../src/testing/genesis-market/gateway.ts';
import { openTestSwap } from '../src/testing/genesis-market/swap.ts';
import { openForAll } from '../src/testing/opened.ts';

let document: unknown;
const app = openForAll(async () => openSwapGateway(await openTestSwap()), 'close');
beforeAll(setUp);

describe('/openapi.json', () => {
  it.each(documentStatements)('$id: $says', ({ checkDocument }) => {
    expect(checkDocument(document)).toBeNull();
  });

  it('is found wrong when a bound, a default or an answer is missing', () => {
    const failing = documentStatements.filter(({ checkDocument }) => checkDocument({ paths: {} }) !== null);
    expect(failing).toHaveLength(documentStatements.length);
  });
});

async function setUp(): Promise<void> {
  document = (await app.inject('/openapi.json')).json();
}
