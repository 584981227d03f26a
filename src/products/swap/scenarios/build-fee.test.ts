import { describe, expect, it } from 'vitest';
import { BuildClient } from '../../../testing/genesis-market/builds.ts';
import { openTestMarket } from '../../../testing/genesis-market/open.ts';
import { type Address, address } from '../../../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { Query } from '../../parameters/parameter.ts';
import type { BuildResponse } from '../endpoints/build.ts';

describe('the platform fee of buildSwap', () => {
  it.each(['input', 'output'])('pays the platform fee out of the %s', async (side) => {
    const collector = market.network.newWallet();
    const mint = side === 'input' ? USDC : JUP;
    const feeAccount = ata(collector, mint);
    const create = createAssociatedTokenIdempotent({
      payer: market.wallet,
      owner: collector,
      mint,
      tokenProgram: TOKEN_PROGRAM,
    });
    expect(market.network.send([create], { feePayer: market.wallet }).error).toBeNull();
    const query = { inputMint: USDC, outputMint: JUP, amount: '5000000', platformFeeBps: '85', feeAccount };
    const answer = await build(query);
    const before = holding(market.wallet, JUP);
    const outcome = execute(answer, market.wallet);
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    expect(holding(market.wallet, JUP) - before).toBe(BigInt(answer.outAmount));
    const gross = BigInt(answer.routePlan.at(-1)?.swapInfo.outAmount ?? 0);
    const fee = side === 'input' ? (5_000_000n * 85n) / 10_000n : (gross * 85n) / 10_000n;
    expect(market.network.tokenBalance(feeAccount)).toBe(fee);
  });

  it.each([
    ['V2', JUP, null],
    ['V1', JUP, null],
    ['V2', WRAPPED_SOL_MINT, null],
    ['V2', JUP, 'fee account'],
  ] as const)(
    'pays the platform fee out of an output for another account (%s, %s, %s)',
    async (version, mint, same) => {
      const [collector, receiver] = [market.network.newWallet(), market.network.newWallet()];
      const open = [collector, receiver].map((owner) =>
        createAssociatedTokenIdempotent({ payer: market.wallet, owner, mint, tokenProgram: TOKEN_PROGRAM }),
      );
      expect(market.network.send(open, { feePayer: market.wallet }).error).toBeNull();
      const feeAccount = ata(collector, mint);
      const destinationTokenAccount = same === null ? ata(receiver, mint) : feeAccount;
      const own = market.network.account(ata(market.wallet, mint));
      const answer = await build({
        inputMint: USDC,
        outputMint: mint,
        amount: '5000000',
        instructionVersion: version,
        platformFeeBps: '85',
        feeAccount,
        destinationTokenAccount,
      });
      const outcome = execute(answer, market.wallet);
      expect(outcome.error, outcome.logs.join('\n')).toBeNull();
      const paying = answer.routePlan.filter(({ swapInfo }) => swapInfo.outputMint === mint);
      const gross = paying.reduce((sum, { swapInfo }) => sum + BigInt(swapInfo.outAmount), 0n);
      const fee = (gross * 85n) / 10_000n;
      expect(BigInt(answer.outAmount)).toBe(gross - fee);
      const got = [feeAccount, destinationTokenAccount].map((each) => market.network.tokenBalance(each));
      expect(got).toEqual(same === null ? [fee, gross - fee] : [gross, gross]);
      if (own !== null) expect(market.network.account(ata(market.wallet, mint))).toEqual(own);
    },
  );

  it('refuses a fee in Token-2022 that the instruction or the route cannot collect', async () => {
    const [collector, receiver] = [market.network.newWallet(), market.network.newWallet()];
    const open = [collector, receiver].map((owner) =>
      createAssociatedTokenIdempotent({
        payer: market.wallet,
        owner,
        mint: PYUSD,
        tokenProgram: TOKEN_2022_PROGRAM,
      }),
    );
    expect(market.network.send(open, { feePayer: market.wallet }).error).toBeNull();
    const query = { inputMint: USDC, outputMint: PYUSD, amount: '5000000', platformFeeBps: '85' };
    const charged = { ...query, feeAccount: ata(collector, PYUSD) };
    await expect(build({ ...charged, instructionVersion: 'V1' })).rejects.toThrow(
      `feeAccount is of the Token-2022 mint ${PYUSD}, which V1 instructions cannot move`,
    );
    await expect(build({ ...charged, destinationTokenAccount: ata(receiver, PYUSD) })).rejects.toThrow(
      `a fee in the Token-2022 mint ${PYUSD} cannot be taken from an output that goes to another`,
    );
    const answer = await build({ ...charged, destinationTokenAccount: ata(market.wallet, PYUSD) });
    expect(execute(answer, market.wallet).error).toBeNull();
    expect(market.network.tokenBalance(ata(collector, PYUSD))).toBeGreaterThan(0n);
  });

  it('refuses a fee account of a third mint, and an address without a token account', async () => {
    const query = { inputMint: USDC, outputMint: JUP, amount: '5000000', platformFeeBps: '85' };
    const third = ata(market.wallet, BONK);
    await expect(build({ ...query, feeAccount: third })).rejects.toThrow(
      `feeAccount must be a token account of inputMint or outputMint, but ${third} is a token account of ${BONK}`,
    );
    await expect(build({ ...query, feeAccount: market.wallet })).rejects.toThrow('is not a token account');
  });

  it('pays the whole output as a fee of 10000 basis points, also when another account receives it', async () => {
    const [collector, receiver] = [market.network.newWallet(), market.network.newWallet()];
    const open = [collector, receiver].map((owner) =>
      createAssociatedTokenIdempotent({
        payer: market.wallet,
        owner,
        mint: JUP,
        tokenProgram: TOKEN_PROGRAM,
      }),
    );
    expect(market.network.send(open, { feePayer: market.wallet }).error).toBeNull();
    const feeAccount = ata(collector, JUP);
    const query = {
      inputMint: USDC,
      outputMint: JUP,
      amount: '5000000',
      platformFeeBps: '10000',
      feeAccount,
    };
    for (const change of [{}, { destinationTokenAccount: ata(receiver, JUP) }]) {
      const before = market.network.tokenBalance(feeAccount);
      const answer = await build({ ...query, ...change });
      expect(answer).toMatchObject({ outAmount: '0', otherAmountThreshold: '0' });
      const outcome = execute(answer, market.wallet);
      expect(outcome.error, outcome.logs.join('\n')).toBeNull();
      const gross = answer.routePlan
        .filter(({ swapInfo }) => swapInfo.outputMint === JUP)
        .reduce((sum, { swapInfo }) => sum + BigInt(swapInfo.outAmount), 0n);
      expect(market.network.tokenBalance(feeAccount) - before).toBe(gross);
    }
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const BONK = address('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263');
const PYUSD = address('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo');

const market = await openTestMarket();
const client = new BuildClient(market);

const build = (query: Query) => client.build(query);
const execute = (built: BuildResponse, feePayer: Address) => client.execute(built, feePayer);
const ata = (owner: Address, mint: Address) => client.ata(owner, mint);
const holding = (owner: Address, mint: Address) => client.holding(owner, mint);
