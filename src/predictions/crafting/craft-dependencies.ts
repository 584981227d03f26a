import type { Chain } from '../../chain/chain.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { LookupTableIndex } from '../../market/pools/lookup-tables.ts';
import type { Keypair } from '../../solana/keypair.ts';
import type { PredictionAccounts, PredictionEvents, PredictionExchange } from '../prediction.ts';
import type { GaslessOrders } from './paying/gasless-orders.ts';
import type { PredictionVault } from './prediction-vault.ts';

/** What orders and claims are made with. */
export interface PredictionCraftDependencies {
  readonly chain: Chain;
  readonly pools: Pools;
  /** Null makes transactions without lookup tables. */
  readonly lookupTables: LookupTableIndex | null;
  readonly events: PredictionEvents;
  readonly accounts: PredictionAccounts;
  readonly exchange: PredictionExchange;
  readonly vault: PredictionVault;
  /** Signs beside the owner of every order. */
  readonly authority: Keypair;
  /** Null without a sponsor. */
  readonly gasless: GaslessOrders | null;
  /** Returns 32 hex characters that nobody can foresee. */
  readonly newOrderId: () => string;
}
