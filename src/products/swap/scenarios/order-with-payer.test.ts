import { beforeEach, describe, expect, it } from 'vitest';
import { openTestSwap } from '../../../testing/genesis-market/swap.ts';
import { openForEach } from '../../../testing/opened.ts';
import { signedAgain } from '../../../testing/rfq/second-signature.ts';
import { ChainUnavailable } from '../../../chain/chain.ts';
import { AGGREGATOR_PROGRAM } from '../../../protocol/venue/aggregator-program.ts';
import { address, toAddressBytes } from '../../../solana/address.ts';
import { createAssociatedToken } from '../../../solana/programs/associated-token.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import { deriveAssociatedTokenAddress, findProgramAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { ordinaryTokenAccount } from '../../../testing/token-account.ts';
import { closeAccount } from '../../../solana/programs/token/instructions.ts';
import { addSignatures, parseTransaction } from '../../../solana/messages/transaction.ts';
import type { OrderResponse } from '../endpoints/order.ts';
import { executeSwap } from '../execution/execute.ts';
import type { StoredOrder } from '../../../swaps/orders/stored-order.ts';

const swap = openForEach(() => openTestSwap());

describe('a payer', () => {
  it('cannot make the taker swap twice by telling one signature and landing the other', async () => {
    const payer = swap.newWallet(1_000_000_000n);
    const order = await swap.order({ ...SOL_TO_USDC, payer: payer.address });
    const unsigned = parseTransaction(new Uint8Array(Buffer.from(order.transaction ?? '', 'base64')));
    const signed = parseTransaction(addSignatures(unsigned, [swap.wallet, payer]));
    const other = await swap.market.chain.send(signedAgain(signed, payer));
    swap.market.chain.pass(200n);
    const result = await swap.execute(order, [swap.wallet, payer]);
    expect(result).toMatchObject({ code: 0, signature: other, totalOutputAmount: order.outAmount });
  });

  it('cannot do so either when the order is not stored here any more', async () => {
    const payer = swap.newWallet(1_000_000_000n);
    const order = await swap.order({ ...SOL_TO_USDC, payer: payer.address });
    const unsigned = parseTransaction(new Uint8Array(Buffer.from(order.transaction ?? '', 'base64')));
    const wire = addSignatures(unsigned, [swap.wallet, payer]);
    const forgotten = { requestId: 'forgotten', signedTransaction: Buffer.from(wire).toString('base64') };
    expect(await executeSwap(swap.composed, forgotten)).toMatchObject({ kind: 'refused', code: -1 });
    const other = await swap.market.chain.send(signedAgain(parseTransaction(wire), payer));
    expect(await executeSwap(swap.composed, forgotten)).toMatchObject({
      kind: 'succeeded',
      signature: other,
    });
    // What cannot be looked for is not called missing.
    swap.market.chain.signaturesOf = () => Promise.reject(new ChainUnavailable('silence'));
    await expect(executeSwap(swap.composed, forgotten)).rejects.toThrow('could not be read');
  });

  it('has no lists of others read by naming them in a transaction that they have not signed', async () => {
    const payer = swap.newWallet(1_000_000_000n);
    const order = await swap.order({ ...SOL_TO_USDC, payer: payer.address });
    const unsigned = parseTransaction(new Uint8Array(Buffer.from(order.transaction ?? '', 'base64')));
    let lists = 0;
    swap.market.chain.signaturesOf = async () => {
      lists++;
      return [];
    };
    const executing = (...signers: (typeof payer)[]) => {
      const signedTransaction = Buffer.from(addSignatures(unsigned, signers)).toString('base64');
      return executeSwap(swap.composed, { requestId: 'forgotten', signedTransaction });
    };
    expect(await executing(payer)).toMatchObject({ kind: 'refused', code: -1 });
    expect(lists).toBe(0);
    expect(await executing(payer, swap.wallet)).toMatchObject({ kind: 'refused', code: -1 });
    expect(lists).toBe(2);
  });

  it.each([SOL_TO_USDC, USDC_TO_SOL])(
    'pays exactly what the order states, and gets lent rent back: %j',
    async (query) => {
      const [taker, payer] = [swap.newWallet(2_000_000_000n), swap.newWallet(1_000_000_000n)];
      const usdc = deriveAssociatedTokenAddress(taker.address, USDC, TOKEN_PROGRAM);
      if (query.inputMint === USDC) {
        const data = ordinaryTokenAccount({ mint: USDC, owner: taker.address, amount: 50_000_000n });
        swap.market.network.setData(usdc, TOKEN_PROGRAM, data);
      }
      const order = await swap.order({ ...query, taker: taker.address, payer: payer.address });
      expect(order).toMatchObject({
        mode: 'manual',
        gasless: true,
        signatureFeeLamports: 10_000,
        signatureFeePayer: payer.address,
        prioritizationFeePayer: payer.address,
        rentFeePayer: payer.address,
      });
      const before = swap.holding(taker.address, WRAPPED_SOL_MINT);
      const result = await swap.execute(order, [taker, payer]);
      expect(result).toMatchObject({
        code: 0,
        totalInputAmount: order.inAmount,
        totalOutputAmount: order.outAmount,
      });
      expect(1_000_000_000n - swap.holding(payer.address, WRAPPED_SOL_MINT)).toBe(swap.costsOf(order));
      const moved = query.inputMint === USDC ? total(order) : -1_000_000_000n;
      expect(swap.holding(taker.address, WRAPPED_SOL_MINT) - before).toBe(moved);
    },
  );

  it('must sign, too', async () => {
    const payer = swap.newWallet(1_000_000_000n);
    const order = await swap.order({ ...SOL_TO_USDC, payer: payer.address });
    expect(await swap.execute(order)).toMatchObject({ status: 'Failed', code: -1003 });
    expect(await swap.execute(order, [swap.wallet, payer])).toMatchObject({ code: 0 });
  });

  it('has no effect if it is the taker', async () => {
    const order = await swap.order({ ...SOL_TO_USDC, payer: swap.wallet.address });
    expect(order).toMatchObject({ mode: 'ultra', gasless: false, signatureFeeLamports: 5_000 });
  });

  describe('a payer pays no rent that the order did not state', () => {
    let taker: Keypair;
    let payer: Keypair;
    beforeEach(() => {
      [taker, payer] = [swap.newWallet(2_000_000_000n), swap.newWallet(1_000_000_000n)];
    });

    it('for an account of the output that is closed after the order', async () => {
      open();
      const order = await ordered();
      expect(order).toMatchObject({ gasless: true, rentFeeLamports: 0 });
      close();
      const before = left();
      expect(await swap.execute(order, [taker, payer])).toMatchObject({ status: 'Failed' });
      expect(before - left()).toBe(swap.costsOf(order));
    });

    it('for an account whose address held lamports, which are taken away', async () => {
      swap.market.network.send([transferLamports(swap.market.network.payer, output(), 890_880n)]);
      const order = await ordered();
      expect(order).toMatchObject({ gasless: true, rentFeeLamports: Number(RENT) });
      open();
      close();
      const before = left();
      expect(await swap.execute(order, [taker, payer])).toMatchObject({ status: 'Success' });
      expect(before - left()).toBe(swap.costsOf(order));
    });

    it('for the account that SOL for a receiver passes through, which the taker pays', async () => {
      const receiver = swap.newWallet(1_000_000_000n).address;
      const text = new TextEncoder().encode('token_account');
      const seeds = [text, toAddressBytes(swap.wallet.address), toAddressBytes(WRAPPED_SOL_MINT)];
      const through = findProgramAddress(AGGREGATOR_PROGRAM, seeds).address;
      swap.market.network.send([transferLamports(swap.market.network.payer, through, 890_880n)]);
      const order = await swap.order({
        inputMint: USDC,
        outputMint: WRAPPED_SOL_MINT,
        amount: '100000000',
        payer: payer.address,
        receiver,
      });
      expect(order).toMatchObject({ gasless: true, rentFeeLamports: Number(RENT) });
      const before = left();
      expect(await swap.execute(order, [swap.wallet, payer])).toMatchObject({ status: 'Success' });
      expect(order.rentFeePayer).toBe(swap.wallet.address);
      expect(before - left()).toBe(swap.costsOf(order) - RENT);
    });

    it('for anything else, as a simulation before sending ensures', async () => {
      const order = await ordered();
      const stored = (await swap.composed.orders.get(order.requestId)) as StoredOrder;
      const cost = swap.costsOf(order);
      await swap.composed.orders.put({ ...stored, payerLamports: cost - 1n });
      expect(await swap.execute(order, [taker, payer])).toMatchObject({
        status: 'Failed',
        code: -1002,
        slot: '0',
        error: `nothing was sent: the swap would cost the payer ${payer.address} ${cost} lamports by now, and the order stated ${cost - 1n}; ask for a new order`,
      });
      expect(swap.market.chain.sent).toBe(0);
      await swap.composed.orders.put(stored);
      expect(await swap.execute(order, [taker, payer])).toMatchObject({ status: 'Success' });
    });

    const query = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000' };
    const output = () => deriveAssociatedTokenAddress(taker.address, USDC, TOKEN_PROGRAM);
    const ordered = () => swap.order({ ...query, taker: taker.address, payer: payer.address });
    const left = () => swap.market.network.account(payer.address)?.lamports ?? 0n;

    function open(): void {
      const owner = taker.address;
      const opening = { payer: swap.market.network.payer, owner, mint: USDC, tokenProgram: TOKEN_PROGRAM };
      expect(swap.market.network.send([createAssociatedToken(opening)])).toMatchObject({ error: null });
    }

    function close(): void {
      const [destination, authority] = [swap.wallet.address, taker.address];
      const closing = closeAccount(TOKEN_PROGRAM, { account: output(), destination, authority });
      expect(swap.market.network.send([closing])).toMatchObject({ error: null });
    }
  });

  it('is reported when it lacks lamports', async () => {
    const payer = swap.newWallet(0n);
    const order = await swap.order({ ...SOL_TO_USDC, payer: payer.address });
    expect(order).toMatchObject({ transaction: '', errorCode: 2 });
    expect(order.details).toContain(payer.address);
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const RENT = 2_039_280n;
const SOL_TO_USDC = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000' };
const USDC_TO_SOL = { inputMint: USDC, outputMint: WRAPPED_SOL_MINT, amount: '50000000' };

const total = (order: OrderResponse) => BigInt(order.outAmount);
