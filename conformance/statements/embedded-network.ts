import type { World } from '../world.ts';

/** Returns the time of the network, in Unix milliseconds. Its clock stands in whole seconds. */
export async function networkNow(world: World): Promise<number> {
  const { json } = await world.admin('GET', '/admin/v1/network');
  return Number(json.unixTimestamp) * 1_000;
}

/** Puts the clock of the network forward. Statements that do so are the last ones. */
export async function advanceClock(world: World, seconds: number): Promise<void> {
  const answer = await world.admin('POST', '/admin/v1/network/clock', { seconds });
  if (answer.status !== 200) throw new Error(`the clock answered ${answer.text}`);
}

/** Fixes a price of the network, in US dollars. It does not move by itself any more. */
export async function setPrice(world: World, symbol: string, price: string): Promise<void> {
  const answer = await world.admin('PUT', `/admin/v1/network/prices/${symbol}`, { price });
  if (answer.status !== 200) throw new Error(`the price answered ${answer.text}`);
}

/** Gives tokens from the faucet to a wallet. */
export async function giveTokens(world: World, wallet: string, mint: string, amount: bigint): Promise<void> {
  const gift = { wallet, mint, amount: `${amount}` };
  const answer = await world.admin('POST', '/admin/v1/network/faucet', gift);
  if (answer.status !== 200) throw new Error(`the faucet answered ${answer.text}`);
}
