import type { Pools } from '../../market/pools/pools.ts';
import { type Address, address, addressBytes } from '../../solana/address.ts';
import { associatedTokenAddress, findProgramAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { type Bps, bps } from '../../solana/units.ts';
import type { TokenAccountMints } from '../../transactions/token-account-mints.ts';
import { type InstructionVersion, MAX_FEE_BPS } from './build/forms.ts';
import { SwapRefused } from './errors.ts';
import { optionalBps, type Query } from './query.ts';

/** The integrator's share. The mint of the account that collects it decides whether input or output pays. */
export interface PlatformFee {
  readonly bps: Bps;
  readonly account: Address;
  readonly mint: Address;
  readonly side: 'input' | 'output';
  /** Rounded down, as the aggregator does. */
  readonly amountOf: (amount: bigint) => bigint;
}

/** The mints that a swap leads from and to. */
interface Pair {
  readonly inputMint: Address;
  readonly outputMint: Address;
}

/** Null when no fee is asked for. @throws SwapRefused when the account cannot collect it. */
export async function platformFee(
  mints: TokenAccountMints,
  request: Pair & { readonly platformFee: { readonly bps: Bps; readonly account: Address } | undefined },
): Promise<PlatformFee | null> {
  if (request.platformFee === undefined) return null;
  const { bps, account } = request.platformFee;
  const mint = await mints.of(account);
  if (mint !== request.inputMint && mint !== request.outputMint) {
    const found = mint === null ? 'is not a token account' : `is a token account of ${mint}`;
    throw new SwapRefused(
      `feeAccount must be a token account of inputMint or outputMint, but ${account} ${found}`,
    );
  }
  return feeInto(account, mint, bps, request.inputMint);
}

/** @throws SwapRefused when the older instructions, which know one token program, are to collect a fee of the other */
export function checkFeeProgram(pools: Pools, fee: PlatformFee | null, version: InstructionVersion): void {
  if (fee === null || version === 'V2' || pools.account(fee.mint)?.owner === TOKEN_PROGRAM) return;
  throw new SwapRefused(
    `feeAccount is of the Token-2022 mint ${fee.mint}, which V1 instructions cannot move: ask for instructionVersion=V2`,
  );
}

/** What a quote says of its fees. */
export interface QuotedFees {
  /** What a fee is collected in, or would be. */
  readonly mint: Address;
  /** The integrator's share. */
  readonly platformBps: Bps;
  /** What the integrator's share comes to, in atoms of `mint`. */
  readonly platformAmount: bigint;
  /** What the taker is charged for the gas that a sponsor pays. */
  readonly gasBps: Bps;
}

/**
 * @param platform the integrator's fee; null when the swap is free of it
 * @param gas the fee that pays a sponsor back; null where nobody sponsors
 * @param amounts what the taker pays and what the route pays out, before any fee
 */
export function quotedFees(
  { inputMint, outputMint }: Pair,
  { platform, gas }: { readonly platform: PlatformFee | null; readonly gas: PlatformFee | null },
  { paid, out }: { readonly paid: bigint; readonly out: bigint },
): QuotedFees {
  return {
    mint: platform?.mint ?? gas?.mint ?? feeMint(inputMint, outputMint),
    platformBps: platform?.bps ?? bps(0),
    platformAmount: platform === null ? 0n : platform.amountOf(platform.side === 'input' ? paid : out),
    gasBps: gas?.bps ?? bps(0),
  };
}

/** A fee into an account of `mint`, which is the input or the output mint. */
export function feeInto(account: Address, mint: Address, bps: Bps, inputMint: Address): PlatformFee {
  const side = mint === inputMint ? 'input' : 'output';
  return { bps, account, mint, side, amountOf: (amount) => (amount * BigInt(bps)) / 10_000n };
}

/** `platformFeeBps`, 0 when absent. @throws SwapRefused when the instruction has no room for it */
export function feeShare(query: Query, version: InstructionVersion): Bps {
  const share = optionalBps(query, 'platformFeeBps') ?? bps(0);
  if (share > MAX_FEE_BPS[version]) {
    throw new SwapRefused(
      `platformFeeBps must be at most ${MAX_FEE_BPS[version]} with instructionVersion ${version}, got ${share}`,
    );
  }
  return share;
}

/** Keeps who referred whom; its source is public. */
const REFERRAL_PROGRAM = address('REFER4ZgmyYx9c6He5XfaTMiGfdLwRnkV4RPp9t9iF3');
const TOKEN_ACCOUNT_SEED = new TextEncoder().encode('referral_ata');

/**
 * The referrer's fee, collected in the mint that `feeMint` chooses. Null without a referral, and when the referrer has
 * opened no token account for that mint: the swap is then made without the fee, as by the public service.
 */
export async function referralFee(
  { pools, tokenAccountMints }: { readonly pools: Pools; readonly tokenAccountMints: TokenAccountMints },
  order: Pair & { readonly referral: { readonly account: Address; readonly bps: Bps } | null },
): Promise<PlatformFee | null> {
  if (order.referral === null) return null;
  const { account, bps } = order.referral;
  const mint = feeMint(order.inputMint, order.outputMint);
  const candidates = referralTokenAccounts(account, mint, pools.account(mint)?.owner);
  const mints = await Promise.all(candidates.map((candidate) => tokenAccountMints.of(candidate)));
  const opened = candidates.find((_, index) => mints[index] === mint);
  return opened === undefined ? null : feeInto(opened, mint, bps, order.inputMint);
}

/** Where the referral program lets fees arrive: its own account for the pair, or the one associated with the referral. */
export function referralTokenAccounts(
  referral: Address,
  mint: Address,
  tokenProgram: Address | undefined,
): readonly Address[] {
  const seeds = [TOKEN_ACCOUNT_SEED, addressBytes(referral), addressBytes(mint)];
  const own = findProgramAddress(REFERRAL_PROGRAM, seeds).address;
  return tokenProgram === undefined ? [own] : [own, associatedTokenAddress(referral, mint, tokenProgram)];
}

/** What fees are rather collected in, first to last: SOL, stablecoins, staked SOL, large tokens. */
const PREFERRED: readonly Address[] = [
  WRAPPED_SOL_MINT,
  address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'), // USDC
  address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'), // USDT
  address('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'), // PYUSD
  address('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn'), // JitoSOL
  address('jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v'), // JupSOL
  address('mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So'), // mSOL
  address('5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm'), // INF
  address('cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij'), // cbBTC
  address('3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh'), // WBTC
  address('7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs'), // WETH
  address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'), // JUP
];
const RANKS: ReadonlyMap<Address, number> = new Map(PREFERRED.map((mint, rank) => [mint, rank]));

/** The one of the two that a sponsor takes its fee in, of the mints that its operator listed; null when neither is. */
export function sponsorFeeMint(
  listed: ReadonlySet<Address>,
  inputMint: Address,
  outputMint: Address,
): Address | null {
  if (listed.has(inputMint) && listed.has(outputMint)) return feeMint(inputMint, outputMint);
  if (listed.has(inputMint)) return inputMint;
  return listed.has(outputMint) ? outputMint : null;
}

/** The one of the two that a fee is collected in: the more preferred, and the output where neither is. */
export function feeMint(inputMint: Address, outputMint: Address): Address {
  const rank = (mint: Address) => RANKS.get(mint) ?? PREFERRED.length;
  return rank(inputMint) < rank(outputMint) ? inputMint : outputMint;
}
