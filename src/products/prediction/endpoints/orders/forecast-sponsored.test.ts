import { describe, expect, it } from 'vitest';
import { isSignedBy } from '../../../../solana/messages/transaction.ts';
import { TOKEN_2022_PROGRAM } from '../../../../solana/program-addresses.ts';
import { closeAccount } from '../../../../solana/programs/token/instructions.ts';
import { openForEach } from '../../../../testing/opened.ts';
import { ForecastTrader, parseBuilt } from '../../../../testing/products/forecast-trader.ts';
import { TestPredictionDesk } from '../../../../testing/products/prediction-desk.ts';

const desk = openForEach(() => TestPredictionDesk.open({ hasForecasts: true }), 'close');
const trader = () => new ForecastTrader(desk);

describe('a forecast for a wallet without SOL', () => {
  it('is paid by the sponsor, which signs first and alone may close the account that it opens', async () => {
    const { genesis, network } = desk.wallets.market;
    const sponsor = genesis.keys.sponsor.address;
    const round = await desk.forecasts.open();
    trader().impoverish();
    const { json } = await trader().buy(round, { depositAmount: '20000000' });
    expect(json, JSON.stringify(json)).toMatchObject({
      isGasless: true,
      requiredSigners: [sponsor, desk.owner],
    });
    const transaction = parseBuilt(json);
    expect(transaction.message.staticAccounts.slice(0, 2)).toEqual([sponsor, desk.owner]);
    expect([0, 1].map((index) => isSignedBy(transaction, index))).toEqual([true, false]);
    await trader().land(json);
    const account = network.account(json.order.positionPubkey);
    if (account === null) throw new Error('the account was not opened');
    expect(trader().tokens(json.order.positionPubkey)).toMatchObject({
      amount: BigInt(json.order.contractsMicro),
      closeAuthority: sponsor,
    });
    expect(network.account(desk.owner)?.lamports).toBe(900_000n);
    expect(desk.spent[0]?.lamports).toBeGreaterThanOrEqual(account.lamports);
  });

  it('is left completely at the cost of the sponsor that opened it, and not in small parts', async () => {
    const round = await desk.forecasts.open();
    trader().impoverish();
    const position = await trader().hold(round, '20000000');
    const part = await trader().sell(position, { contractsMicro: '10000' });
    expect(part.json).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    desk.wallets.change(position, { amount: 10_000n });
    const all = await trader().sell(position, { contractsMicro: '10000' });
    expect(all.json).toMatchObject({ isGasless: true });
  });

  it('leaves the rent of the account to the sponsor, who is not asked to pay it twice', async () => {
    const { network } = desk.wallets.market;
    const round = await desk.forecasts.open();
    trader().impoverish();
    const [first, second] = [
      await trader().buy(round, { depositAmount: '20000000' }),
      await trader().buy(round, { depositAmount: '20000001' }),
    ];
    await trader().land(first.json);
    const position = first.json.order.positionPubkey;
    await trader().land((await desk.delete(`positions/${position}`, { ownerPubkey: desk.owner })).json);
    expect(trader().tokens(position).amount).toBe(0n);
    const to = { account: position, destination: desk.owner, authority: desk.owner };
    expect(network.send([closeAccount(TOKEN_2022_PROGRAM, to)]).error).not.toBeNull();
    const { json } = await desk.post('execute', { signedTransaction: desk.sign(second.json.transaction) });
    expect(json).toMatchObject({ status: 'Failed' });
  });

  it('is not paid for an account that is open, which its owner could close meanwhile', async () => {
    const round = await desk.forecasts.open();
    await trader().hold(round);
    trader().impoverish();
    const { json } = await trader().buy(round, { depositAmount: '20000000' });
    const { message } = parseBuilt(json);
    // Two that set the limits, and the swap.
    expect(message.instructions).toHaveLength(3);
  });
});
