import { formatForError } from '../../../../common/format-for-error.ts';
import { type Address, toAddressBytes } from '../../../../solana/address.ts';
import { isOnCurve } from '../../../../solana/curve.ts';
import { ROUTERS } from '../../../../swaps/engines/engine.ts';
import type { OrderRequest } from '../../../../swaps/engines/order-request.ts';
import { SwapRefused } from '../../../../swaps/refusals.ts';
import { flag, list } from '../../../parameters/kinds.ts';
import { defineQuery, optional, type Query } from '../../../parameters/parameter.ts';
import { address, amount, checkMintPair, readAddress, refuseSwap } from '../swap-parameters.ts';

/** More signatures leave no room for a swap in a transaction. */
const MAX_SIGNERS = 10;

/** The parameters of `GET /swap/v2/squads/v5/order`. */
export const MULTISIG_ORDER_PARAMETERS = defineQuery(
  {
    inputMint: address('Mint of the token to swap.'),
    outputMint: address('Mint of the token to receive.'),
    amount: amount(1n, 'Atoms of the input token, 1 to 2^64 - 1.'),
    taker: address('The vault of the multisig, which holds the input and receives the output.'),
    settingsPda: address('The settings account of the multisig.'),
    signers: list(
      'Members that sign, separated by commas, at least as many as the threshold. The first one pays fees and rent.',
    ),
    useWsol: optional(
      flag('Whether the vault pays and receives wrapped SOL instead of SOL; false when absent.'),
      false,
    ),
  },
  refuseSwap,
);

/** An order for the vault of a multisig, which its settings have yet to confirm. */
export interface MultisigOrderRequest {
  readonly order: OrderRequest & { readonly taker: Address };
  readonly settings: Address;
  readonly signers: readonly Address[];
}

/** @throws SwapRefused with a sentence about the first invalid parameter */
export function parseMultisigOrderRequest(query: Query): MultisigOrderRequest {
  const read = MULTISIG_ORDER_PARAMETERS.reader(query);
  const [inputMint, outputMint] = [read('inputMint'), read('outputMint')];
  checkMintPair(inputMint, outputMint);
  const amount = read('amount');
  const taker = read('taker');
  const settings = read('settingsPda');
  const signers = parseSigners(read('signers'));
  return {
    order: {
      inputMint,
      outputMint,
      amount,
      swapMode: 'ExactIn',
      webhookId: null,
      taker,
      vault: null,
      wrapsSol: !read('useWsol'),
      receiver: null,
      slippageBps: null,
      referral: null,
      payer: signers[0] ?? null,
      priorityFee: null,
      tipLamports: 0n,
      // A maker signs a transaction of its own form, in which nothing is wrapped.
      excludedRouters: new Set(ROUTERS.filter((router) => router !== 'metis')),
      venues: undefined,
      mode: 'manual',
    },
    settings,
    signers,
  };
}

function parseSigners(given: readonly string[]): readonly Address[] {
  if (given.length === 0) throw new SwapRefused('signers is missing');
  if (given.length > MAX_SIGNERS) {
    throw new SwapRefused(`signers must name at most ${MAX_SIGNERS} wallets, got ${given.length}`);
  }
  const signers = given.map((text) => readAddress(text, 'signers'));
  const repeated = signers.find((signer, at) => signers.indexOf(signer) !== at);
  if (repeated !== undefined) throw new SwapRefused(`signers names ${repeated} twice`);
  const derived = signers.find((signer) => !isOnCurve(toAddressBytes(signer)));
  if (derived !== undefined) {
    throw new SwapRefused(
      `signers must be wallets that sign, and a program derived ${formatForError(derived)}`,
    );
  }
  return signers;
}
