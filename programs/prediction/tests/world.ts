import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import {
  decodePredictionOrder,
  decodePredictionPosition,
  decodePredictionResult,
  type PredictionOrderAccount,
  type PredictionOutcome,
  type PredictionPositionAccount,
  type PredictionResultAccount,
} from '../../../src/protocols/jupiter-prediction/prediction-accounts.ts';
import {
  decodePredictionEvent,
  type PredictionProgramEvent,
} from '../../../src/protocols/jupiter-prediction/prediction-events.ts';
import {
  createFillPredictionBuy,
  createFillPredictionSell,
  type PredictionFill,
} from '../../../src/protocols/jupiter-prediction/instructions/prediction-fill-instructions.ts';
import type { NamedPredictionPosition } from '../../../src/protocols/jupiter-prediction/instructions/prediction-instruction.ts';
import {
  createCancelPredictionOrder,
  createClosePredictionOrder,
  createNewPredictionOrder,
  type EndingPredictionOrder,
  type PredictionOrderTerms,
} from '../../../src/protocols/jupiter-prediction/instructions/prediction-order-instructions.ts';
import {
  derivePredictionOrder,
  derivePredictionOrderAta,
  derivePredictionPosition,
  derivePredictionResult,
  derivePredictionTokens,
  JUPUSD_MINT,
  PREDICTION_PROGRAM,
  PREDICTION_VAULT,
  PREDICTION_VAULT_TOKEN_ACCOUNT,
} from '../../../src/protocols/jupiter-prediction/prediction-program.ts';
import {
  decodePredictionVault,
  encodePredictionVault,
  type PredictionVaultAccount,
} from '../../../src/protocols/jupiter-prediction/prediction-vault.ts';
import { createPostPredictionResult } from '../../../src/protocols/jupiter-prediction/instructions/prediction-vault-instructions.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { readTokenAccountAmount } from '../../../src/solana/programs/token/account.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { TestNetwork, type TestOutcome } from '../../../src/testing/svm/network.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';

/** The second in which every world begins. */
export const START = 1_800_000_000n;
/** A contract, and a dollar. */
export const ONE = 1_000_000n;
/** What the vault holds in the beginning: the funds of the house. */
export const HOUSE = 10_000n * ONE;
/** How long the keeper waits before it claims for an owner. */
export const DELAY = 86_400n;

/** An order of a world, as its instructions name it. */
export interface WorldOrder extends EndingPredictionOrder {
  readonly address: Address;
  readonly isBuy: boolean;
}

/** A network with the program, its vault and keys, two traders with 1,000 JupUSD each, and a stranger. */
export class PredictionWorld {
  readonly network: TestNetwork;
  readonly admin: Address;
  readonly authority: Address;
  readonly keeper: Address;
  readonly cosigner: Address;
  readonly alice: Address;
  readonly bob: Address;
  readonly stranger: Address;
  readonly market = nameMarket(1);
  #orders = 0;

  /**
   * @param vault - Limits of the vault that are not the ordinary ones.
   * @param keys - Keys of the vault, in the place of new ones.
   */
  constructor(
    vault: Partial<PredictionVaultAccount> = {},
    keys: Partial<Pick<PredictionVaultAccount, 'authority' | 'keeper' | 'cosigner'>> = {},
  ) {
    this.network = new TestNetwork(['prediction', 'lighthouse'], 'prediction');
    this.network.setUnixTime(START);
    this.admin = this.network.newWallet();
    this.authority = keys.authority ?? this.network.newWallet();
    this.keeper = keys.keeper ?? this.network.newWallet();
    this.cosigner = keys.cosigner ?? this.network.newWallet();
    this.alice = this.network.newWallet();
    this.bob = this.network.newWallet();
    this.stranger = this.network.newWallet();
    const mint = { mintAuthority: this.admin, supply: 1n << 60n, decimals: 6, freezeAuthority: this.admin };
    this.network.setData(JUPUSD_MINT, TOKEN_PROGRAM, encodeMint({ ...mint, extensions: [] }));
    this.setVault(vault);
    for (const trader of [this.alice, this.bob]) this.give(trader, 1_000n * ONE);
    this.give(PREDICTION_VAULT.address, HOUSE);
  }

  /** Writes the vault with its ordinary limits, but for what is given. */
  setVault(changes: Partial<PredictionVaultAccount> = {}): void {
    const vault: PredictionVaultAccount = {
      settlementMint: JUPUSD_MINT,
      currentContracts: 0n,
      globalMaxContracts: 1_000_000n * ONE,
      positionMaxContracts: 10_000n * ONE,
      positionMaxOrders: 4,
      protocolFeeBps: 0,
      settlementDelaySeconds: DELAY,
      depositsDisabled: false,
      withdrawalsDisabled: false,
      tradingDisabled: false,
      bump: PREDICTION_VAULT.bump,
      admin: this.admin,
      authority: this.authority,
      keeper: this.keeper,
      cosigner: this.cosigner,
      ...changes,
    };
    this.network.setData(PREDICTION_VAULT.address, PREDICTION_PROGRAM, encodePredictionVault(vault));
  }

  /** Gives an owner tokens that come from nowhere, in a new associated account. */
  give(owner: Address, amount: bigint): Address {
    const account = derivePredictionTokens(owner);
    const data = ordinaryTokenAccount({ mint: JUPUSD_MINT, owner, amount });
    this.network.setData(account, TOKEN_PROGRAM, data);
    return account;
  }

  balance(owner: Address): bigint {
    return this.balanceAt(derivePredictionTokens(owner));
  }

  balanceAt(account: Address): bigint {
    const found = this.network.account(account);
    return found === null || found.data.length === 0 ? 0n : readTokenAccountAmount(found.data);
  }

  get vaultBalance(): bigint {
    return this.balanceAt(PREDICTION_VAULT_TOKEN_ACCOUNT);
  }

  lamports(address: Address): bigint {
    return this.network.account(address)?.lamports ?? 0n;
  }

  /** Returns the terms of a purchase of ten yes contracts for up to 0.60, or what is given instead. */
  terms(changes: Partial<PredictionOrderTerms> = {}): PredictionOrderTerms {
    const isBuy = changes.isBuy ?? true;
    return {
      externalOrderId: nameOrder(this.#orders++),
      marketIdHash: this.market,
      isYes: true,
      isBuy,
      contracts: 10n * ONE,
      limitPrice: isBuy ? 600_000n : 400_000n,
      depositAmount: isBuy ? 7n * ONE : 0n,
      isLimit: false,
      integrator: null,
      ...changes,
    };
  }

  creation(owner: Address, terms: PredictionOrderTerms, payer = owner): Instruction {
    return createNewPredictionOrder({ owner, payer, authority: this.authority }, terms);
  }

  /** Creates an order that has to be accepted. */
  order(owner: Address, changes: Partial<PredictionOrderTerms> = {}, payer = owner): WorldOrder {
    const terms = this.terms(changes);
    this.must(this.creation(owner, terms, payer));
    return nameWorldOrder(owner, terms, payer);
  }

  /** Builds a fill. */
  fill(
    order: WorldOrder,
    contracts: bigint,
    amount: bigint,
    venueFee = 0n,
    more: Partial<PredictionFill> = {},
  ): Instruction {
    const fill = { contracts, amount, venueFee, orderId: 'fill-1', integratorTokenAccount: null, ...more };
    const create = order.isBuy ? createFillPredictionBuy : createFillPredictionSell;
    return create({ keeper: this.keeper, cosigner: this.cosigner }, order, fill);
  }

  close(order: EndingPredictionOrder): Instruction {
    return createClosePredictionOrder(order, this.keeper);
  }

  cancel(order: EndingPredictionOrder): Instruction {
    return createCancelPredictionOrder(order, this.authority);
  }

  /** Gives an owner a position by a purchase that is filled at once and closed. */
  buy(
    owner: Address,
    contracts: bigint,
    price: bigint,
    { venueFee = 0n, ...changes }: Partial<PredictionOrderTerms> & { readonly venueFee?: bigint } = {},
  ): NamedPredictionPosition {
    const cost = (contracts * price) / ONE;
    const depositAmount = cost + venueFee < ONE ? ONE : cost + venueFee;
    const order = this.order(owner, { contracts, limitPrice: price, depositAmount, ...changes });
    this.must(this.fill(order, contracts, cost, venueFee), this.close(order));
    return order;
  }

  post(
    outcome: PredictionOutcome,
    { marketIdHash = this.market, settlementTime = 0n, claimsEnabled = true } = {},
  ): Instruction {
    return createPostPredictionResult(this.keeper, { marketIdHash, outcome, settlementTime, claimsEnabled });
  }

  readVault(): PredictionVaultAccount {
    const found = this.network.account(PREDICTION_VAULT.address);
    const vault = found === null ? null : decodePredictionVault(found.data);
    if (vault === null) throw new Error('no vault');
    return vault;
  }

  readOrder({ address }: WorldOrder): PredictionOrderAccount | null {
    const found = this.network.account(address);
    return found === null ? null : decodePredictionOrder(found.data);
  }

  readPosition({ owner, marketIdHash, isYes }: NamedPredictionPosition): PredictionPositionAccount | null {
    const found = this.network.account(derivePredictionPosition(marketIdHash, owner, isYes).address);
    return found === null ? null : decodePredictionPosition(found.data);
  }

  readResult(marketIdHash = this.market): PredictionResultAccount | null {
    const found = this.network.account(derivePredictionResult(marketIdHash).address);
    return found === null ? null : decodePredictionResult(found.data);
  }

  send(...instructions: readonly Instruction[]): TestOutcome {
    return this.network.send(instructions);
  }

  /** Sends instructions that have to succeed, and returns the events of orders and positions. */
  must(...instructions: readonly Instruction[]): PredictionProgramEvent[] {
    const { error, logs } = this.send(...instructions);
    expect(error, logs.join('\n')).toBeNull();
    return readEvents(logs);
  }

  /** Sends instructions that have to fail, and returns the code, or the runtime's word. */
  refusal(...instructions: readonly Instruction[]): number | string | undefined {
    const { error } = this.send(...instructions);
    return error?.custom ?? error?.kind;
  }
}

/** Returns the events of orders and positions in a log. */
export function readEvents(logs: readonly string[]): PredictionProgramEvent[] {
  return logs
    .filter((line) => line.startsWith('Program data: '))
    .map((line) => decodePredictionEvent(Buffer.from(line.slice('Program data: '.length), 'base64')))
    .filter((event) => event !== null);
}

/** Returns the id of a market. */
export function nameMarket(number: number): string {
  return createHash('md5').update(`market ${number}`).digest('hex');
}

/** Returns the id of an order. */
export function nameOrder(number: number): string {
  return createHash('md5').update(`order ${number}`).digest('hex');
}

/** Returns an order as its instructions name it, before it exists. */
export function nameWorldOrder(owner: Address, terms: PredictionOrderTerms, payer = owner): WorldOrder {
  const { externalOrderId, marketIdHash, isYes, isBuy } = terms;
  const { address } = derivePredictionOrder(owner, externalOrderId);
  return { address, owner, payer, externalOrderId, marketIdHash, isYes, isBuy };
}

/** Returns the token account of an order. */
export function nameOrderTokens(order: WorldOrder): Address {
  return derivePredictionOrderAta(order.address);
}

/** Returns an instruction with another account in one place. */
export function replaceAccount(instruction: Instruction, index: number, address: Address): Instruction {
  const accounts = instruction.accounts.map((meta, at) => (at === index ? { ...meta, address } : meta));
  return { ...instruction, accounts };
}
