import { BookLiquidity, FillExecution, FillLog, Reservations, Settlement } from '../../rfq/index.ts';
import type { AddressedAccount } from '../../chain/records/records.ts';
import type { FillRecords } from '../../rfq/fills/fill-records.ts';
import type { BookToken } from '../../rfq/books/live-book.ts';
import type { MakerLink } from '../../rfq/streams/maker-link.ts';
import { type Address, address } from '../../solana/address.ts';
import { type Keypair, createKeypairFromSeed } from '../../solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import { encodeTokenAccount } from '../../solana/programs/token/account.ts';
import { MemoryRecords, type TestMakers } from '../rfq/makers.ts';
import type { GenesisTestMarket } from './open.ts';
import { openTestSwap, type TestSwap, type TestSwapOptions } from './swap.ts';

export const SOL: BookToken = { mint: WRAPPED_SOL_MINT, decimals: 9, tokenProgram: TOKEN_PROGRAM };
export const USDC: BookToken = {
  mint: address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
  decimals: 6,
  tokenProgram: TOKEN_PROGRAM,
};

/** A swap product with makers, whose records and streams outlive it. */
export interface TestMakerSwap extends TestSwap {
  readonly settlement: Settlement;
  readonly reservations: Reservations;
}

export interface TestMakerSwapOptions {
  readonly makers: TestMakers;
  readonly records?: FillRecords;
  /** The makers' streams as this process has them; those of `makers` when absent. */
  readonly link?: MakerLink;
  readonly market?: GenesisTestMarket;
  readonly house?: TestSwapOptions['house'];
}

export async function openMakerSwap(options: TestMakerSwapOptions): Promise<TestMakerSwap> {
  const { makers, records = new MemoryRecords(), link = makers } = options;
  let uuids = 0;
  let opened: Pick<TestMakerSwap, 'settlement' | 'reservations'> | null = null;
  const swap = await openTestSwap({
    ...(options.market === undefined ? {} : { market: options.market }),
    ...(options.house === undefined ? {} : { house: options.house }),
    makers: (market, timers) => {
      const now = () => timers.now();
      const reservations = new Reservations(makers, now);
      const onDefect = (error: unknown) => makers.events.push(`defect: ${String(error)}`);
      const log = new FillLog({ records, onDefect });
      const settlement = new Settlement({
        link,
        scoring: makers,
        log,
        reservations,
        timers,
        newUuid: () => `swap ${++uuids}`,
        chainTime: () => market.chain.clock().unixTimestamp,
        onDefect,
        noteLastLook: () => {},
      });
      makers.lastLook = settlement;
      opened = { settlement, reservations };
      const chainTime = () => BigInt(Math.floor(now() / 1_000)) + makers.chainAhead;
      const books = new BookLiquidity(makers, reservations, now, chainTime);
      const fills = new FillExecution({ settlement, log, link, timers, onDefect });
      return { books, fills, trades: makers.trades };
    },
  });
  if (opened === null) throw new Error('the swap was opened without makers');
  return { ...swap, ...(opened as Pick<TestMakerSwap, 'settlement' | 'reservations'>) };
}

export function createMaker(name: string): Keypair {
  return createKeypairFromSeed(sha256(Buffer.from(`maker ${name}`)));
}

/** The maker's token account with that balance. */
export function createMakerAccount(
  { address: owner }: Keypair,
  token: BookToken,
  amount: bigint,
): AddressedAccount {
  const native = token.mint === WRAPPED_SOL_MINT;
  const data = encodeTokenAccount({
    mint: token.mint,
    owner,
    amount,
    delegate: null,
    state: 'initialized',
    delegatedAmount: 0n,
    nativeReserve: native ? 2_039_280n : null,
    closeAuthority: null,
    extensions: [],
  });
  return {
    address: deriveAssociatedTokenAddress(owner, token.mint, token.tokenProgram),
    account: {
      lamports: 2_039_280n + (native ? amount : 0n),
      owner: token.tokenProgram,
      data,
      executable: false,
      rentEpoch: 0n,
    },
  };
}

/** Sets the maker's balance of the token. */
export function fundMaker({ network }: GenesisTestMarket, maker: Keypair, token: BookToken, amount: bigint) {
  const { address, account } = createMakerAccount(maker, token, amount);
  network.setAccount(address, account);
}

export function getMakerBalance(
  { network }: GenesisTestMarket,
  { address: owner }: Keypair,
  token: BookToken,
): bigint {
  return network.tokenBalance(deriveAssociatedTokenAddress(owner, token.mint, token.tokenProgram) as Address);
}
