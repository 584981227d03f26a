import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { KeyCustody } from '../../custody/custody.ts';
import { MasterKey } from '../../custody/keys/master-key.ts';
import { openCustody } from '../../custody/open-custody.ts';
import type { Endpoint } from '../../products/endpoint.ts';
import { defineProduct } from '../../products/product.ts';
import type { TriggerServices } from '../../products/trigger/endpoints/services.ts';
import { trigger } from '../../products/trigger/index.ts';
import { SignInChallenges } from '../../products/trigger/sign-in/challenges.ts';
import { SignIn } from '../../products/trigger/sign-in/sign-in.ts';
import { WalletTokens } from '../../products/trigger/sign-in/tokens.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import { openProductGateway } from '../product-gateway.ts';

const TOKEN_MS = 60_000;

/** The key of the tokens of tests. */
export const TEST_TOKEN_KEY = new Uint8Array(32).fill(7);
export const TEST_CHALLENGE_TEXT =
  'Sign this message to authenticate with Jupiter that you are the owner of <wallet>. This challenge expires at <time> with the nonce of <nonce>';

export function createTestSignIn(store: Store, challengeText = TEST_CHALLENGE_TEXT): SignIn {
  const tokens = new WalletTokens(TEST_TOKEN_KEY, SYSTEM_TIMERS.now);
  return new SignIn({ challenges: new SignInChallenges(store), tokens, challengeText });
}

/** Opens vaults whose keys are under a master key of their own. */
export async function openTestVaults(store: Store): Promise<KeyCustody> {
  const { custody } = await openCustody({
    store,
    masters: { current: new MasterKey(randomBytes(32)), previous: null },
    now: SYSTEM_TIMERS.now,
    every: () => () => undefined,
    onDefect: (error) => {
      throw error;
    },
  });
  return custody;
}

/** Returns the value of `authorization` for a wallet that has signed in. */
export async function authorizeWallet(wallet: Address): Promise<string> {
  const { token } = await new WalletTokens(TEST_TOKEN_KEY, SYSTEM_TIMERS.now).issue(wallet, TOKEN_MS);
  return `Bearer ${token}`;
}

/**
 * The front door over the endpoints for wallets, for clients without a key that send requests without end.
 * @param services - Those that the test's endpoints use.
 * @param endpoints - Default: those of the product.
 */
export function openTriggerGateway(
  services: Partial<TriggerServices>,
  endpoints: readonly Endpoint<TriggerServices>[] = [],
): Promise<FastifyInstance> {
  const { name, description, basePaths } = trigger;
  const opened = { services: services as TriggerServices };
  const product =
    endpoints.length === 0
      ? trigger.run(opened)
      : defineProduct({ name, description, basePaths, endpoints, open: () => opened }).run(opened);
  return openProductGateway(product);
}
