import type { KeyCustody } from '../../../custody/custody.ts';
import type { SignIn } from '../sign-in/sign-in.ts';

/** What the handlers of the product's endpoints are given. */
export interface TriggerServices {
  readonly signIn: SignIn;
  readonly vaults: Pick<KeyCustody, 'findVault' | 'createVault'>;
}
