import { describe, expect, it } from 'vitest';
import { type Launch, layOut, writeLaunch } from '../../../programs/meteora-dbc/tests/swap-fixture.ts';
import { namedAddress, type Token, token } from '../../../programs/raydium-cpmm/tests/fixture.ts';
import { joinProgramErrorNames } from '../../market/program-errors.ts';
import {
  DbcTokenType,
  METEORA_DBC_AUTHORITY,
  METEORA_DBC_PROGRAM,
} from '../../protocols/meteora-dbc/program/program.ts';
import { PROTOCOLS } from '../../protocols/index.ts';
import type { Address } from '../../solana/address.ts';
import { createKeypairFromSeed } from '../../solana/keypair.ts';
import { parseTransaction, signTransaction } from '../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createAssociatedToken } from '../../solana/programs/associated-token.ts';
import { TOKEN_ACCOUNT_SIZE } from '../../solana/programs/token/account.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { openForEach } from '../../testing/opened.ts';
import { SvmChain } from '../../testing/svm/chain.ts';
import { TestNetwork } from '../../testing/svm/network.ts';
import { ordinaryTokenAccount } from '../../testing/token-account.ts';
import { createFailureDescriber } from '../../transactions/transaction-failure.ts';
import { readCreatorFees } from './creator-fees.ts';
import { craftFeeClaim, type FeeClaimRequest } from './fee-claim.ts';

const network = openForEach(() => new TestNetwork(['meteora-dbc']));

describe('craftFeeClaim', () => {
  it('pays everything that the creator has earned, into an account that it opens', async () => {
    const launch = writeEarning();
    await land(await craft(launch, {}));
    expect(held(launch.quoteMint)).toBe(7_000_000n);
    expect(await fees(launch)).toEqual({ unclaimed: 0n, total: 9_000_000n });
    await land(await craft(launch, {}));
    expect(held(launch.quoteMint)).toBe(7_000_000n);
  });

  it.each([
    ['a part', 2_500_000n, 2_500_000n],
    ['nothing', 0n, 0n],
    ['no more than there is', 10n ** 12n, 7_000_000n],
  ])('pays %s for a limit', async (_, maxQuoteAmount, paid) => {
    const launch = writeEarning();
    await land(await craft(launch, { maxQuoteAmount }));
    expect(held(launch.quoteMint)).toBe(paid);
    expect(await fees(launch)).toEqual({ unclaimed: 7_000_000n - paid, total: 9_000_000n });
  });

  it('takes what is there when it lands', async () => {
    const launch = writeEarning({ earned: 0n });
    const wire = await craft(launch, {});
    writeEarning({ earned: 5n });
    await land(wire);
    expect(held(launch.quoteMint)).toBe(5n);
  });

  it('pays fees in SOL as SOL', async () => {
    const launch = writeEarning({ quote: WRAPPED_SOL });
    const before = lamports();
    await land(await craft(launch, {}));
    const rent = network.account(accountOf(launch.baseMint))?.lamports ?? 0n;
    expect(lamports() - before).toBe(7_000_000n - rent - FEE);
    expect(network.account(accountOf(WRAPPED_SOL_MINT))).toBeNull();
  });

  it('leaves an account of wrapped SOL that the wallet has open, and pays into it', async () => {
    const launch = writeEarning({ quote: WRAPPED_SOL });
    network.send([
      createAssociatedToken({
        payer: network.payer,
        owner: OWNER.address,
        mint: WRAPPED_SOL_MINT,
        tokenProgram: TOKEN_PROGRAM,
      }),
    ]);
    await land(await craft(launch, {}));
    expect(held(WRAPPED_SOL_MINT)).toBe(7_000_000n);
  });

  it('pays the fees of a launch with Token-2022, of which some are in the launched token', async () => {
    const launch = writeEarning({ base: token('launched', [], true), earnedBase: 11n });
    await land(await craft(launch, { maxQuoteAmount: 1n }));
    expect([held(launch.baseMint, launch.tokenBaseProgram), held(launch.quoteMint)]).toEqual([11n, 1n]);
  });

  it('is signed by the creator alone, who pays', async () => {
    const { message, signatures } = parseTransaction(await craft(writeEarning(), {}));
    expect(signatures).toEqual([new Uint8Array(64)]);
    expect(message.staticAccounts[0]).toBe(OWNER.address);
  });

  it('is refused to everybody else, and for what is no curve', async () => {
    const launch = writeEarning();
    const refusals = [
      { owner: namedAddress('thief') },
      { pool: launch.config },
      { pool: namedAddress('nothing') },
      { pool: launch.quoteVault },
    ].map((wrong) => claim(launch, wrong));
    expect(await Promise.all(refusals)).toEqual([
      { kind: 'other-creator' },
      { kind: 'unknown-pool' },
      { kind: 'unknown-pool' },
      { kind: 'unknown-pool' },
    ]);
    network.setData(
      namedAddress('copy'),
      SYSTEM_PROGRAM,
      network.account(launch.pool)?.data ?? new Uint8Array(),
    );
    expect(await claim(launch, { pool: namedAddress('copy') })).toEqual({ kind: 'unknown-pool' });
  });

  it('says what the wallet lacks', async () => {
    const launch = writeEarning();
    fund(1_000_000n);
    expect(await claim(launch, {})).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(`^Insufficient SOL: ${OWNER.address} needs \\d+ lamports more`),
    });
  });
});

describe('readCreatorFees', () => {
  it('counts the share of the creator by the configuration', async () => {
    const share = (creatorTradingFeePercentage: number) =>
      fees(writeEarning({ earned: 1n, traded: 1_001n, creatorTradingFeePercentage }));
    expect(await share(50)).toEqual({ unclaimed: 1n, total: 500n });
    expect(await share(100)).toEqual({ unclaimed: 1n, total: 1_001n });
  });

  it('asks the network for a configuration once it is not known', async () => {
    const launch = writeEarning();
    const chain = new SvmChain(network);
    const asked: (readonly Address[])[] = [];
    const getAccounts = (addresses: readonly Address[]) => {
      asked.push(addresses);
      return chain.getAccounts(addresses);
    };
    const known = network.account(launch.config);
    await readCreatorFees({ chain: { getAccounts }, readKnown: () => known }, launch.pool);
    expect(asked).toEqual([[launch.pool]]);
    await readCreatorFees({ chain: { getAccounts }, readKnown: () => null }, launch.pool);
    expect(asked.slice(1)).toEqual([[launch.pool], [launch.config]]);
  });

  it('knows nothing of what is no curve', async () => {
    const launch = writeEarning();
    expect(await fees({ ...launch, pool: launch.config })).toBeNull();
    expect(await fees({ ...launch, pool: METEORA_DBC_PROGRAM })).toBeNull();
  });
});

const OWNER = createKeypairFromSeed(new Uint8Array(32).fill(21));
/** One signature. No priority fee is paid where nobody else pays one. */
const FEE = 5_000n;
const WRAPPED_SOL: Token = {
  mint: WRAPPED_SOL_MINT,
  tokenProgram: TOKEN_PROGRAM,
  decimals: 9,
  extensions: [],
};

interface Earning {
  readonly quote?: Token;
  readonly base?: Token;
  readonly earned?: bigint;
  readonly earnedBase?: bigint;
  /** What partner and creator have earned together since the launch. */
  readonly traded?: bigint;
  readonly creatorTradingFeePercentage?: number;
}

/** Writes a launch whose creator is the owner, who has 10 SOL. */
function writeEarning({
  quote = token('quote'),
  base = token('launched'),
  earned = 7_000_000n,
  earnedBase = 0n,
  traded = 18_000_000n,
  creatorTradingFeePercentage = 50,
}: Earning = {}): Launch {
  const launch = layOut('earning', [base, quote]);
  const tokenType = base.tokenProgram === TOKEN_PROGRAM ? DbcTokenType.SPL_TOKEN : DbcTokenType.TOKEN_2022;
  writeLaunch(network, launch, {
    config: { creatorTradingFeePercentage, tokenType },
    pool: {
      creator: OWNER.address,
      creatorBaseFee: earnedBase,
      creatorQuoteFee: earned,
      metrics: {
        totalProtocolBaseFee: 0n,
        totalProtocolQuoteFee: 0n,
        totalTradingBaseFee: 0n,
        totalTradingQuoteFee: traded,
      },
    },
  });
  if (quote.mint === WRAPPED_SOL_MINT) wrapVault(launch, earned);
  fund(10_000_000_000n);
  return launch;
}

/** Writes the quote vault as an account of wrapped SOL, whose tokens are lamports of its own. */
function wrapVault({ quoteVault, quoteMint: mint }: Launch, amount: bigint): void {
  const rent = computeRentExemptMinimum(TOKEN_ACCOUNT_SIZE);
  const vault = { mint, owner: METEORA_DBC_AUTHORITY, amount, nativeReserve: rent };
  network.setAccount(quoteVault, {
    owner: TOKEN_PROGRAM,
    data: ordinaryTokenAccount(vault),
    lamports: rent + amount,
    executable: false,
    rentEpoch: 0n,
  });
}

function fund(amount: bigint): void {
  const wallet = { owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false, rentEpoch: 0n };
  network.setAccount(OWNER.address, { ...wallet, lamports: amount });
}

function claim(launch: Launch, request: Partial<FeeClaimRequest>) {
  const chain = new SvmChain(network);
  const describeFailure = createFailureDescriber(joinProgramErrorNames(PROTOCOLS));
  return craftFeeClaim(
    { chain, describeFailure, readKnown: () => null },
    { pool: launch.pool, owner: OWNER.address, maxQuoteAmount: null, ...request },
  );
}

async function craft(launch: Launch, request: Partial<FeeClaimRequest>): Promise<Uint8Array> {
  const made = await claim(launch, request);
  if (made.kind !== 'crafted') throw new Error(JSON.stringify(made));
  return made.wire;
}

async function land(wire: Uint8Array): Promise<void> {
  const chain = new SvmChain(network);
  const signature = await chain.send(signTransaction(parseTransaction(wire).messageBytes, [OWNER]));
  const [status] = await chain.signatureStatuses([signature]);
  expect(status?.error).toBeNull();
}

async function fees({ pool }: Pick<Launch, 'pool'>) {
  return readCreatorFees({ chain: new SvmChain(network), readKnown: () => null }, pool);
}

function accountOf(mint: Address, program = TOKEN_PROGRAM): Address {
  return deriveAssociatedTokenAddress(OWNER.address, mint, program);
}

function held(mint: Address, program = TOKEN_PROGRAM): bigint {
  return network.tokenBalance(accountOf(mint, program));
}

function lamports(): bigint {
  return network.account(OWNER.address)?.lamports ?? 0n;
}
