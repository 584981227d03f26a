import type { Address } from '../../../solana/address.ts';
import type { AccountUpdate } from '../../accounts.ts';
import type { PubSub } from '../client/pubsub.ts';
import { requireInContext } from '../client/read-json.ts';
import type { WatchedAccount } from './account-book.ts';
import { createAccountConfig, readAccount } from './read-accounts.ts';

export interface AccountSubscriptionsOptions {
  readonly pubsub: Pick<PubSub, 'subscribe'>;
  /** Throws `OperatorError` for a slot that the network cannot have reached. */
  readonly requirePlausible: (slot: bigint) => void;
  /** Called when a subscription is active. Earlier changes of the account were not notified. */
  readonly onActive: (watched: WatchedAccount) => void;
  /** Called with each notification. */
  readonly onNotification: (update: AccountUpdate) => void;
}

/** The `accountSubscribe` subscriptions of watched accounts, one for each account, however often it is watched. */
export class AccountSubscriptions {
  readonly #options: AccountSubscriptionsOptions;
  readonly #byAddress = new Map<Address, { watches: number; readonly stop: () => void }>();

  constructor(options: AccountSubscriptionsOptions) {
    this.#options = options;
  }

  /** Counts a watch of the account, and subscribes to it for the first one. */
  add(watched: WatchedAccount): void {
    const subscription = this.#byAddress.get(watched.address);
    if (subscription !== undefined) subscription.watches++;
    else this.#byAddress.set(watched.address, { watches: 1, stop: this.#subscribe(watched) });
  }

  /** Uncounts a watch of the account, and ends the subscription after the last one. */
  remove(address: Address): void {
    const subscription = this.#byAddress.get(address);
    if (subscription === undefined || --subscription.watches > 0) return;
    this.#byAddress.delete(address);
    subscription.stop();
  }

  #subscribe(watched: WatchedAccount): () => void {
    const { address } = watched;
    const { pubsub, requirePlausible, onActive, onNotification } = this.#options;
    let isUp = false;
    const onLost = () => {
      if (isUp) watched.activeSubscriptions--;
      isUp = false;
    };
    const stop = pubsub.subscribe({
      kind: 'account',
      params: [address, createAccountConfig('processed')],
      onActive: () => {
        isUp = true;
        watched.activeSubscriptions++;
        onActive(watched);
      },
      onNotification: (result) => {
        const { slot, value } = requireInContext(result);
        requirePlausible(slot);
        onNotification({ address, slot, account: readAccount(value, 'result.value') });
      },
      onLost,
    });
    return () => {
      stop();
      onLost();
    };
  }
}
