import type { AccountLedger, LedgerMint } from '../../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../../protocol/genesis/keys.ts';
import { toLedgerMint, tokenProgramOf } from '../../../protocol/genesis/mints.ts';
import type { TokenInfo } from '../../../solana/known-tokens.ts';
import { type Address, address } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { encodeMint } from '../../../solana/programs/token/mint.ts';
import { encodeMetadata, TokenStandard } from '../../../solana/programs/token-metadata/account.ts';
import {
  deriveMetadataAddress,
  TOKEN_METADATA_PROGRAM,
} from '../../../solana/programs/token-metadata/program.ts';
import { LENDING_ADMIN, deriveLendingAddress, deriveReceiptMintAddress } from '../lending/addresses.ts';
import { REWARDS_ADMIN, deriveRewardsAddress } from '../lending-reward-rate-model/addresses.ts';
import { LENDING } from '../lending/layouts.ts';
import { REWARDS } from '../lending-reward-rate-model/layouts.ts';
import {
  AUTHORIZATION_LIST,
  deriveBorrowPositionAddress,
  LIQUIDITY,
  deriveRateModelAddress,
  deriveReserveAddress,
  deriveSupplyPositionAddress,
} from '../liquidity/addresses.ts';
import {
  BORROW_POSITION,
  LIQUIDITY_ACCOUNT,
  RATE_MODEL,
  RESERVE,
  SUPPLY_POSITION,
} from '../liquidity/layouts.ts';
import { LENDING_PROGRAM, LIQUIDITY_PROGRAM, REWARDS_PROGRAM } from '../lending-base/programs.ts';
import type { BookedLending, BookedReserve, LendingBook } from './book.ts';

/** The fee payers of the simulations that the public lend SDKs run. They must exist on every network. */
const SIMULATION_WALLETS: readonly Address[] = [
  address('HEyJLdMfZhhQ7FHCtjD5DWDFNFQhaeAVAsHeWqoY6dSD'),
  address('HYbxGkNvEwvZ14RzJHPB9h3dWfXjxwAEhkyzJRHx1hBf'),
];
/** 10 SOL. */
const WALLET_LAMPORTS = 10_000_000_000n;
/** The fee that the metadata program keeps in the metadata account of a mint. */
const METADATA_FEE = 10_000_000n;

const MAX_AUTHORITIES = 10;
const MAX_CLASSES = 100;
const AUTHORIZATION_LIST_SIZE = 8 + 2 * (4 + 32 * MAX_AUTHORITIES) + 4 + 33 * MAX_CLASSES;
const LENDING_ADMIN_SIZE = 8 + 3 * 32 + 2 + 4 + 32 * MAX_AUTHORITIES + 1;
const REWARDS_ADMIN_SIZE = 8 + 2 * 32 + 4 + 32 * MAX_AUTHORITIES + 1;

/**
 * Writes the accounts of the liquidity program and the earn tokens, and the tokens that they and their users hold. Write
 * the mints afterwards, because their supply includes these tokens.
 */
export function addLending(ledger: AccountLedger, keys: GenesisKeys, book: LendingBook): void {
  for (const { address: wallet } of [keys.lendingAuthority, keys.lender, keys.borrower, keys.liquidator]) {
    ledger.addWallet(wallet, WALLET_LAMPORTS);
  }
  for (const wallet of SIMULATION_WALLETS) ledger.addWallet(wallet, WALLET_LAMPORTS);
  const reserves = book.reserves();
  const lendings = reserves.filter(({ lending }) => lending !== null);
  addAdministration(ledger, keys.lendingAuthority.address, lendings.length + 1);
  for (const reserve of reserves) addReserve(ledger, reserve);
  for (const reserve of lendings)
    if (reserve.lending !== null) addEarnToken(ledger, reserve.token, reserve.lending);
}

/** Adds the accounts that list the administrators of the programs. */
function addAdministration(ledger: AccountLedger, authority: Address, nextLendingId: number): void {
  const liquidity = { authority, revenueCollector: authority, locked: false, bump: LIQUIDITY.bump };
  ledger.addData(LIQUIDITY.address, LIQUIDITY_PROGRAM, LIQUIDITY_ACCOUNT.encode(liquidity));
  const lists = new ByteWriter(AUTHORIZATION_LIST_SIZE).bytes(Buffer.from('139d752beca7fb45', 'hex'));
  lists.u32(1).address(authority).u32(1).address(authority).u32(0);
  ledger.addData(AUTHORIZATION_LIST.address, LIQUIDITY_PROGRAM, filled(lists, AUTHORIZATION_LIST_SIZE));
  const lending = new ByteWriter(LENDING_ADMIN_SIZE).bytes(Buffer.from('2a0821dca328d205', 'hex'));
  lending.address(authority).address(LIQUIDITY_PROGRAM).address(authority).u16(nextLendingId);
  lending.u32(1).address(authority).u8(LENDING_ADMIN.bump);
  ledger.addData(LENDING_ADMIN.address, LENDING_PROGRAM, filled(lending, LENDING_ADMIN_SIZE));
  const rewards = new ByteWriter(REWARDS_ADMIN_SIZE).bytes(REWARDS_ADMIN_TAG);
  rewards.address(authority).address(LENDING_PROGRAM).u32(1).address(authority).u8(REWARDS_ADMIN.bump);
  ledger.addData(REWARDS_ADMIN.address, REWARDS_PROGRAM, filled(rewards, REWARDS_ADMIN_SIZE));
}

/** SHA-256 of `account:LendingRewardsAdmin`. */
const REWARDS_ADMIN_TAG = Buffer.from('44126d120209ae65', 'hex');

function filled(writer: ByteWriter, size: number): Uint8Array {
  return writer.zeros(size - writer.length).finish();
}

function addReserve(
  ledger: AccountLedger,
  { token, reserve, rateModel, held, positions, paid }: BookedReserve,
): void {
  const { mint } = token;
  ledger.addData(deriveReserveAddress(mint), LIQUIDITY_PROGRAM, RESERVE.encode(reserve));
  ledger.addData(deriveRateModelAddress(mint), LIQUIDITY_PROGRAM, RATE_MODEL.encode(rateModel));
  ledger.addAssociatedTokens(toLedgerMint(token), { owner: LIQUIDITY.address, amount: held });
  for (const [protocol, { supply, borrow }] of positions) {
    ledger.addData(
      deriveSupplyPositionAddress(mint, protocol),
      LIQUIDITY_PROGRAM,
      SUPPLY_POSITION.encode(supply),
    );
    ledger.addData(
      deriveBorrowPositionAddress(mint, protocol),
      LIQUIDITY_PROGRAM,
      BORROW_POSITION.encode(borrow),
    );
  }
  for (const [owner, amount] of paid) ledger.addAssociatedTokens(toLedgerMint(token), { owner, amount });
}

function addEarnToken(
  ledger: AccountLedger,
  token: TokenInfo,
  { lending, rewards, shares }: BookedLending,
): void {
  const { mint } = token;
  const receipt: LedgerMint = {
    mint: deriveReceiptMintAddress(mint),
    tokenProgram: tokenProgramOf(token),
    accountExtensions: [],
  };
  ledger.addData(deriveLendingAddress(mint).address, LENDING_PROGRAM, LENDING.encode(lending));
  ledger.addData(deriveRewardsAddress(mint).address, REWARDS_PROGRAM, REWARDS.encode(rewards));
  for (const [owner, amount] of shares) ledger.addAssociatedTokens(receipt, { owner, amount });
  const receiptMint = encodeMint({
    mintAuthority: LENDING_ADMIN.address,
    supply: ledger.supplyOf(receipt.mint),
    decimals: token.decimals,
    freezeAuthority: null,
    extensions: [],
  });
  ledger.addData(receipt.mint, receipt.tokenProgram, receiptMint);
  addReceiptMetadata(ledger, token, receipt.mint);
}

/** Returns the symbol of a token in the names of the lending program. */
export function getLendingSymbol({ mint, symbol }: TokenInfo): string {
  return mint === WRAPPED_SOL_MINT ? 'WSOL' : symbol;
}

/** Returns the name of a receipt token, which contains the symbol in upper case. The link contains it in lower case. */
export function getReceiptName(token: TokenInfo): string {
  return `jupiter lend ${getLendingSymbol(token).toUpperCase()}`;
}

export function getReceiptSymbol(token: TokenInfo): string {
  return `jl${getLendingSymbol(token).toUpperCase()}`;
}

function addReceiptMetadata(ledger: AccountLedger, token: TokenInfo, mint: Address): void {
  const symbol = getLendingSymbol(token);
  const data = encodeMetadata({
    updateAuthority: LENDING_ADMIN.address,
    mint,
    name: getReceiptName(token),
    symbol: getReceiptSymbol(token),
    uri: `https://cdn.instadapp.io/solana/tokens/metadata/${symbol.toLowerCase()}.json`,
    sellerFeeBasisPoints: 0,
    creators: null,
    primarySaleHappened: false,
    isMutable: true,
    tokenStandard: TokenStandard.Fungible,
  });
  ledger.addData(deriveMetadataAddress(mint), TOKEN_METADATA_PROGRAM, data, METADATA_FEE);
}
