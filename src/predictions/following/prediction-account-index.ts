import type { Address } from '../../solana/address.ts';
import type {
  OpenPredictionOrder,
  OpenPredictionPosition,
  PostedPredictionResult,
  PredictionPositionSums,
} from '../prediction.ts';
import { AccountGroups } from './account-groups.ts';
import type { FollowedPredictionAccount } from './read-prediction-account.ts';

const NO_SUMS: PredictionPositionSums = { yes: 0n, no: 0n, cost: 0n };

/** The orders, positions and results of the program by their keys, and the sums of positions, kept by each change. */
export class PredictionAccountIndex {
  readonly #accounts = new Map<Address, FollowedPredictionAccount>();
  readonly #ordersByOwner = new AccountGroups<Address, OpenPredictionOrder>();
  readonly #positionsByOwner = new AccountGroups<Address, OpenPredictionPosition>();
  readonly #positionsByMarket = new AccountGroups<string, OpenPredictionPosition>();
  readonly #orders = new Map<Address, OpenPredictionOrder>();
  readonly #results = new Map<string, PostedPredictionResult>();
  readonly #sums = new Map<string, PredictionPositionSums>();

  find(address: Address): FollowedPredictionAccount | null {
    return this.#accounts.get(address) ?? null;
  }

  findOrder(address: Address): OpenPredictionOrder | null {
    return this.#orders.get(address) ?? null;
  }

  findPosition(address: Address): OpenPredictionPosition | null {
    const found = this.#accounts.get(address);
    return found?.kind === 'position' ? found.position : null;
  }

  findResult(marketIdHash: string): PostedPredictionResult | null {
    return this.#results.get(marketIdHash) ?? null;
  }

  listOrders(): Iterable<OpenPredictionOrder> {
    return this.#orders.values();
  }

  ordersOf(owner: Address): readonly OpenPredictionOrder[] {
    return this.#ordersByOwner.list(owner);
  }

  positionsOf(owner: Address): readonly OpenPredictionPosition[] {
    return this.#positionsByOwner.list(owner);
  }

  positionsIn(marketIdHash: string): readonly OpenPredictionPosition[] {
    return this.#positionsByMarket.list(marketIdHash);
  }

  sumOf(marketIdHash: string): PredictionPositionSums {
    return this.#sums.get(marketIdHash) ?? NO_SUMS;
  }

  /** Replaces what is known of an address. Null: nothing is there any more. */
  set(address: Address, account: FollowedPredictionAccount | null): void {
    const known = this.#accounts.get(address);
    if (known !== undefined) this.#remove(address, known);
    if (account !== null) this.#add(address, account);
  }

  #add(address: Address, account: FollowedPredictionAccount): void {
    this.#accounts.set(address, account);
    if (account.kind === 'order') {
      this.#orders.set(address, account.order);
      this.#ordersByOwner.add(account.order.owner, account.order);
    } else if (account.kind === 'position') {
      const { position } = account;
      this.#positionsByOwner.add(position.owner, position);
      this.#positionsByMarket.add(position.marketIdHash, position);
      this.#count(position, 1n);
    } else {
      this.#results.set(account.marketIdHash, account.result);
    }
  }

  #remove(address: Address, account: FollowedPredictionAccount): void {
    this.#accounts.delete(address);
    if (account.kind === 'order') {
      this.#orders.delete(address);
      this.#ordersByOwner.remove(account.order.owner, account.order);
    } else if (account.kind === 'position') {
      const { position } = account;
      this.#positionsByOwner.remove(position.owner, position);
      this.#positionsByMarket.remove(position.marketIdHash, position);
      this.#count(position, -1n);
    } else {
      this.#results.delete(account.marketIdHash);
    }
  }

  #count({ marketIdHash, isYes, contracts, totalCost }: OpenPredictionPosition, sign: 1n | -1n): void {
    const { yes, no, cost } = this.sumOf(marketIdHash);
    const sums = {
      yes: yes + (isYes ? sign * contracts : 0n),
      no: no + (isYes ? 0n : sign * contracts),
      cost: cost + sign * totalCost,
    };
    if (sums.yes === 0n && sums.no === 0n && sums.cost === 0n) this.#sums.delete(marketIdHash);
    else this.#sums.set(marketIdHash, sums);
  }
}
