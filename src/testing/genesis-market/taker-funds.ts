import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../solana/programs/token/account.ts';
import { ordinaryTokenAccount } from '../token-account.ts';
import { ExtensionType } from '../../solana/programs/token/extensions.ts';
import type { ExecuteResponse } from '../../products/swap/endpoints/execute.ts';
import type { OrderResponse } from '../../products/swap/endpoints/order.ts';
import type { Query } from '../../products/parameters/parameter.ts';
import type { Behaviour } from '../rfq/makers.ts';
import { fundMaker, SOL, USDC } from './makers.ts';
import { BUY, MAKER_ID, openOneMakerSwap, type OneMakerSwap } from './one-maker.ts';

/** Atoms of USDC that an order of `BUY` takes. */
export const AMOUNT = BigInt(BUY.amount);

/** Returns the wallet's associated token account of USDC. */
export function deriveUsdcAccount(owner: Address): Address {
  return deriveAssociatedTokenAddress(owner, USDC.mint, TOKEN_PROGRAM);
}

/** Swaps with one maker, by a taker whose funds change. */
export interface TakerFunds extends OneMakerSwap {
  /** Has USDC for one order of `BUY`, and 10 SOL. */
  readonly taker: Keypair;
  /** Sets the USDC of a wallet. */
  holds(wallet: Keypair, amount: bigint): void;
  keepsLamports(wallet: Pick<Keypair, 'address'>, lamports: bigint): void;
  /** Gives the taker's token account another owner, or freezes it. */
  changesAccount(fields: {
    readonly owner?: Address;
    readonly state?: 'frozen';
    readonly demandsMemos?: boolean;
  }): void;
  /** By default, for the taker. */
  order(query: Query, wallet?: Keypair): Promise<OrderResponse>;
  /** By default, signed by the taker. */
  execute(order: OrderResponse, wallet?: Keypair): Promise<ExecuteResponse>;
  /** Runs `act` while the maker has the swap, then publishes the change; the maker never signs. */
  during(act: () => void): Behaviour;
  /** Atoms of SOL and of USDC that are reserved of the maker's inventory. */
  reserved(): readonly bigint[];
}

export async function openTakerFunds(): Promise<TakerFunds> {
  const { swap, makers, records } = await openOneMakerSwap();
  const { network, chain } = swap.market;
  const taker = swap.newWallet(10_000_000_000n);
  const holds = (wallet: Keypair, amount: bigint) => fundMaker(swap.market, wallet, USDC, amount);
  holds(taker, AMOUNT);
  return {
    swap,
    makers,
    records,
    taker,
    holds,
    keepsLamports: ({ address }, lamports) =>
      network.setAccount(address, {
        lamports,
        owner: SYSTEM_PROGRAM,
        data: new Uint8Array(0),
        executable: false,
        rentEpoch: 0n,
      }),
    changesAccount: ({ owner = taker.address, state, demandsMemos = false }) => {
      const ordinary = ordinaryTokenAccount({
        mint: USDC.mint,
        owner,
        amount: AMOUNT,
        state: state ?? 'initialized',
      });
      const extensions = [{ type: ExtensionType.MEMO_TRANSFER, data: Uint8Array.of(1) }];
      const data = demandsMemos
        ? encodeTokenAccount({ ...decodeTokenAccount(ordinary), extensions })
        : ordinary;
      network.setData(deriveUsdcAccount(taker.address), TOKEN_PROGRAM, data);
    },
    order: (query, wallet = taker) => swap.order({ ...query, taker: wallet.address }),
    execute: (order, wallet = taker) => swap.execute(order, [wallet]),
    during: (act) => () => {
      act();
      chain.publish([taker.address, deriveUsdcAccount(taker.address)]);
      return null;
    },
    reserved: () => [SOL, USDC].map(({ mint }) => swap.reservations.reserved(MAKER_ID, mint)),
  };
}
