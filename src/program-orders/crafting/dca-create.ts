import type { Account } from '../../chain/accounts.ts';
import { decodeMintFacts } from '../../market/mint-facts.ts';
import { deriveDcaTokens } from '../../protocols/jupiter-dca/dca-accounts.ts';
import { createOpenDca, type DcaOpening } from '../../protocols/jupiter-dca/dca-instructions.ts';
import { DCA_ORDER_SIZE } from '../../protocols/jupiter-dca/dca-order.ts';
import { deriveDcaOrderAddress } from '../../protocols/jupiter-dca/dca-program.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { readAccounts } from '../../transactions/build/build-transaction.ts';
import { TOKEN_ACCOUNT_RENT } from '../../transactions/build/closings.ts';
import type { AccountStates, CreatedAccount } from '../../transactions/build/costs.ts';
import {
  type CraftedTransaction,
  craftSigned,
  type WalletPlan,
} from '../../transactions/signed/craft-signed.ts';
import { createImpossibleOrder, type ImpossibleOrder } from './impossible-order.ts';
import type { OrderCraftDependencies } from './craft-dependencies.ts';
import { checkDcaTerms, type DcaOrderRequest } from './dca-terms.ts';
import { createInputFunding } from './fund-input.ts';

/** A transaction that the user may sign, and the order that it is about. */
export type CraftedDca = CraftedTransaction & { readonly order: Address };

const ORDER_RENT = computeRentExemptMinimum(DCA_ORDER_SIZE);

/**
 * Makes the transaction that opens an order. The user is its only signer, and pays for everything. The rent of the order is
 * the user's again when it is closed. The address of the order comes from a random number, because several orders of one
 * pair may be opened in the same second.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftDcaOrder(
  dependencies: OrderCraftDependencies,
  request: DcaOrderRequest,
): Promise<CraftedDca | ImpossibleOrder> {
  const { chain, prices, newOrderNumber } = dependencies;
  const { user, inputMint, outputMint } = request;
  if (inputMint === outputMint) {
    return createImpossibleOrder(`inputMint and outputMint must differ, got ${inputMint} twice`);
  }
  const source = deriveDcaTokens(user, inputMint);
  const states = await readAccounts(chain, { feePayer: user, creations: [], spends: [] }, [
    inputMint,
    outputMint,
    source,
  ]);
  const inputDecimals = readDecimals('inputMint', inputMint, states);
  if (typeof inputDecimals !== 'number') return inputDecimals;
  const outputDecimals = readDecimals('outputMint', outputMint, states);
  if (typeof outputDecimals !== 'number') return outputDecimals;
  const terms = checkDcaTerms(request, {
    inputDecimals,
    outputDecimals,
    now: chain.clock().unixTimestamp,
    worthInDollars: (mint, atoms) => prices.worthInDollars(mint, atoms),
  });
  if ('kind' in terms) return terms;
  const opening = { user, inputMint, outputMint, idx: newOrderNumber(), ...terms };
  const { order, plan } = planOpening(opening);
  const crafted = await craftSigned(dependencies, 'dca-order', plan, states);
  return crafted.kind === 'crafted' ? { ...crafted, order } : createImpossibleOrder(crafted.error);
}

function planOpening(opening: DcaOpening): { readonly order: Address; readonly plan: WalletPlan } {
  const { user, inputMint, outputMint, inAmount } = opening;
  const order = deriveDcaOrderAddress(opening).address;
  const funding = createInputFunding({
    wallet: user,
    payer: user,
    mint: inputMint,
    tokenProgram: TOKEN_PROGRAM,
    amount: inAmount,
    wrapsSol: true,
  });
  const plan: WalletPlan = {
    feePayer: user,
    instructions: (rents) => [...funding.before(rents), createOpenDca(opening), ...funding.after(rents)],
    creations: [
      ...funding.creations,
      createAccount(order, ORDER_RENT),
      createAccount(deriveDcaTokens(order, inputMint), TOKEN_ACCOUNT_RENT),
      createAccount(deriveDcaTokens(order, outputMint), TOKEN_ACCOUNT_RENT),
    ],
    spends: funding.spends,
    competesFor: [funding.account],
  };
  return { order, plan };
}

function createAccount(account: Address, rent: bigint): CreatedAccount {
  return { account, rent: () => rent, isReturned: false };
}

/** The program takes the mints of one token program only, and would refuse others with a number. */
function readDecimals(field: string, mint: Address, states: AccountStates): number | ImpossibleOrder {
  const account: Account | null = states.get(mint) ?? null;
  const facts = account === null ? null : decodeMintFacts(account);
  if (facts === null) return createImpossibleOrder(`${field} ${mint} is not a token`);
  if (facts.program === TOKEN_PROGRAM) return facts.decimals;
  return createImpossibleOrder(
    `${field} ${mint} is a token of ${facts.program}, which recurring orders do not support; choose one of ${TOKEN_PROGRAM}`,
  );
}
