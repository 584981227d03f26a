import type { Address } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../solana/messages/instruction.ts';
import {
  createPredictionInstruction,
  type NamedPredictionOrder,
  PREDICTION_CALLED_PROGRAMS,
  PREDICTION_MINT_ACCOUNT,
  PREDICTION_TAGS,
  READONLY_PREDICTION_VAULT,
  startPredictionData,
} from './prediction-instruction.ts';
import {
  derivePredictionOrder,
  derivePredictionOrderAta,
  derivePredictionPosition,
  derivePredictionTokens,
  PREDICTION_PROGRAM,
} from '../prediction-program.ts';
import { readPredictionText, writePredictionText } from '../prediction-text.ts';

// The instructions of orders, except for their fills. Contracts are micro-contracts, prices and sums micro USD.

/** What a new order asks for. */
export interface PredictionOrderTerms {
  /** 1 to 32 printable characters, which the address of the order is derived from. The service takes 32 hex characters. */
  readonly externalOrderId: string;
  /** 32 printable characters. */
  readonly marketIdHash: string;
  readonly isYes: boolean;
  readonly isBuy: boolean;
  readonly contracts: bigint;
  /** The highest price of a purchase, the lowest of a sale. */
  readonly limitPrice: bigint;
  /** What a purchase may cost with its fees; 0 for a sale. */
  readonly depositAmount: bigint;
  readonly isLimit: boolean;
  /** Who gets a fee besides; null: nobody. */
  readonly integrator: { readonly address: Address; readonly feeBps: number } | null;
}

/** Who signs a new order. */
export interface PredictionOrderSigners {
  readonly owner: Address;
  /** Pays for the accounts. */
  readonly payer: Address;
  /** The key of the service. */
  readonly authority: Address;
}

/**
 * Creates `create_order`.
 *
 * @param source - The owner's token account that pays the deposit. Default: the associated one.
 */
export function createNewPredictionOrder(
  { owner, payer, authority }: PredictionOrderSigners,
  terms: PredictionOrderTerms,
  source = derivePredictionTokens(owner),
): Instruction {
  const { marketIdHash, isYes, externalOrderId, integrator } = terms;
  const order = derivePredictionOrder(owner, externalOrderId).address;
  const data = writePredictionText(startPredictionData(PREDICTION_TAGS.createOrder), externalOrderId);
  writePredictionText(data, marketIdHash)
    .bool(isYes)
    .bool(terms.isBuy)
    .u64(terms.contracts)
    .u64(terms.limitPrice)
    .u64(terms.depositAmount)
    .bool(terms.isLimit);
  if (integrator === null) data.zeros(2);
  else data.u8(1).address(integrator.address).u8(1).u16(integrator.feeBps);
  const accounts = [
    writableSigner(payer),
    readonlySigner(owner),
    readonlySigner(authority),
    READONLY_PREDICTION_VAULT,
    writable(derivePredictionPosition(marketIdHash, owner, isYes).address),
    writable(order),
    writable(source),
    PREDICTION_MINT_ACCOUNT,
    writable(derivePredictionOrderAta(order)),
    PREDICTION_CALLED_PROGRAMS.token,
    PREDICTION_CALLED_PROGRAMS.associatedToken,
    PREDICTION_CALLED_PROGRAMS.system,
  ];
  return createPredictionInstruction(accounts, data);
}

/** A `create_order` that was found in a transaction. */
export interface FoundPredictionOrder extends PredictionOrderSigners {
  readonly position: Address;
  readonly order: Address;
  /** The token account that pays the deposit. */
  readonly source: Address;
  readonly terms: PredictionOrderTerms;
}

/**
 * Decodes `create_order`. Returns null for any other instruction, and for one of too few accounts.
 *
 * @throws LayoutInvalid when its arguments cannot be decoded.
 */
export function decodeNewPredictionOrder(instruction: Instruction): FoundPredictionOrder | null {
  const { programAddress, accounts, data } = instruction;
  if (programAddress !== PREDICTION_PROGRAM) return null;
  if (Buffer.from(data.subarray(0, 8)).toString('hex') !== PREDICTION_TAGS.createOrder) return null;
  const [payer, owner, authority, , position, order, source] = accounts.map((meta) => meta.address);
  if (payer === undefined || owner === undefined || authority === undefined) return null;
  if (position === undefined || order === undefined || source === undefined) return null;
  return { payer, owner, authority, position, order, source, terms: readTerms(data) };
}

function readTerms(data: Uint8Array): PredictionOrderTerms {
  const from = new ByteReader(data, 'create_order', 8);
  const terms = {
    externalOrderId: readPredictionText(from),
    marketIdHash: readPredictionText(from),
    isYes: from.bool(),
    isBuy: from.bool(),
    contracts: from.u64(),
    limitPrice: from.u64(),
    depositAmount: from.u64(),
    isLimit: from.bool(),
  };
  const integrator = from.bool() ? from.address() : null;
  const feeBps = from.bool() ? from.u16() : 0;
  return { ...terms, integrator: integrator === null ? null : { address: integrator, feeBps } };
}

/** An order that ends, and who paid for its accounts. */
export interface EndingPredictionOrder extends NamedPredictionOrder {
  readonly payer: Address;
}

/**
 * Creates `cancel_order`, which the owner and the service's key sign.
 *
 * @param receiver - A token account of the owner, which must exist if the order holds tokens. Default: the associated one.
 */
export function createCancelPredictionOrder(
  order: EndingPredictionOrder,
  authority: Address,
  receiver = derivePredictionTokens(order.owner),
): Instruction {
  const signers = [writableSigner(order.owner), readonlySigner(authority)];
  const data = startPredictionData(PREDICTION_TAGS.cancelOrder);
  return createPredictionInstruction([...signers, ...listEndAccounts(order, receiver)], data);
}

/**
 * Creates `close_order`, by which the keeper ends an order: what it holds goes to the owner, the rent to who paid it.
 *
 * @param receiver - As for a cancellation.
 */
export function createClosePredictionOrder(
  order: EndingPredictionOrder,
  keeper: Address,
  receiver = derivePredictionTokens(order.owner),
): Instruction {
  const parties = [readonly(order.owner), writableSigner(keeper)];
  const data = startPredictionData(PREDICTION_TAGS.closeOrder);
  return createPredictionInstruction([...parties, ...listEndAccounts(order, receiver)], data);
}

function listEndAccounts(order: EndingPredictionOrder, receiver: Address): readonly AccountMeta[] {
  const { address } = derivePredictionOrder(order.owner, order.externalOrderId);
  return [
    READONLY_PREDICTION_VAULT,
    writable(address),
    writable(order.payer),
    writable(derivePredictionPosition(order.marketIdHash, order.owner, order.isYes).address),
    writable(derivePredictionOrderAta(address)),
    writable(receiver),
    PREDICTION_MINT_ACCOUNT,
    PREDICTION_CALLED_PROGRAMS.token,
    PREDICTION_CALLED_PROGRAMS.system,
    PREDICTION_CALLED_PROGRAMS.associatedToken,
  ];
}
