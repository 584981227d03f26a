import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EndpointRequest } from '../../endpoint.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { type ExpressPayment, ExpressWorld, TEXTS } from '../../../testing/products/express-verification.ts';
import { executeVerification } from './verify.ts';
import type { TokensServices } from './services.ts';

let world: ExpressWorld;
beforeAll(async () => {
  world = await ExpressWorld.open('sqlite', 'without programs');
});
afterAll(() => world.close());

it.each([
  [{ paymentCurrency: 'USDC' }, 'paymentCurrency must be JUP, as craft-txn answered, got "USDC"'],
  [{ paymentAmount: '999' }, 'paymentAmount must be 1000000000, as craft-txn answered, got "999"'],
  [{ jupOutputAmount: '1' }, 'jupOutputAmount must be 1000000000, as craft-txn answered, got "1"'],
])('executeVerification refuses the false claim %j by the name of its field', async (claims, error) => {
  expect(await execute(await world.payment('JUP'), claims)).toEqual({
    error,
    message: error,
    code: 'INVALID_PAYLOAD',
    status: 400,
  });
});

/** Sends a payment with changed claims, and returns the body of the answer. */
async function execute({ requestId, transaction, sender }: ExpressPayment, claims: object): Promise<unknown> {
  const services = { express: { ...world.services, receiver: world.receiver }, now: () => 0 };
  const tokenId = getGenesisToken('WIF').mint;
  const body = { requestId, transaction, senderAddress: sender, tokenId, ...TEXTS, ...claims };
  const answer = await executeVerification.handle(
    services as unknown as TokensServices,
    { body } as EndpointRequest,
  );
  return (answer as { readonly body: unknown }).body;
}
