import { describe, expect, it } from 'vitest';
import { encodeMint } from '../../src/solana/programs/token/mint.ts';
import { ExtensionType } from '../../src/solana/programs/token/extensions.ts';
import { ByteWriter } from '../../src/solana/codec/byte-writer.ts';
import { createRandomKeypair } from '../../src/solana/keypair.ts';
import { TOKEN_2022_PROGRAM } from '../../src/solana/program-addresses.ts';
import type { Address } from '../../src/solana/address.ts';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('accounts and tokens of the portal (skipped without Chromium)', () => {
  const portal = usePortal();

  it('shows a pool with its fields in units, and leads to the pool and to what the account names', async () => {
    const page = await portal.visit(`/explorer/account/${await findAccount(CPMM, POOL_BYTES)}`);
    await page.getByRole('heading', { name: 'Liquidity pool' }).waitFor();
    await page.getByText('Raydium CPMM', { exact: true }).first().waitFor();
    expect(await page.getByRole('link', { name: /Open the pool/ }).count()).toBe(1);
    await page.getByText('All 637 bytes').click();
    await page.getByText('0000  f7 ed e3 f5').waitFor();
    await page.getByRole('link', { name: 'Fee configuration' }).first().click();
    await page.getByRole('heading', { name: 'Fee configuration' }).waitFor();
    await page.getByText('Trade fee rate').waitFor();
  });

  it('shows a token account, and a position of lending with its vault', async () => {
    const wallet = await portal.instance.newWallet(SOL, { [USDC]: 12_500_000n });
    const page = await portal.visit(`/explorer/account/${wallet.address}`);
    await page
      .getByRole('row', { name: /12\.5 USDC/ })
      .getByRole('link')
      .last()
      .click();
    await page.getByRole('heading', { name: 'Token account' }).waitFor();
    await page.getByText('12.5 USDC', { exact: true }).first().waitFor();
    const position = await findAccount(VAULTS, POSITION_BYTES);
    await page.goto(`${portal.url}/explorer/account/${position}`);
    await page.getByRole('heading', { name: 'Lending position' }).waitFor();
    await page.getByRole('link', { name: 'Terms of a vault' }).first().click();
    await page.getByText('Liquidation threshold').waitFor();
  });

  it('says what an address without an account may be, and what is no address', async () => {
    const page = await portal.visit(`/explorer/account/${createRandomKeypair().address}`);
    await page.getByText('There is no account at this address.').waitFor();
    await page.goto(`${portal.url}/explorer/account/nothing`);
    await page.getByText('This is no address').waitFor();
    expect(await page.getByLabel('Signature or address').inputValue()).toBe('nothing');
  });

  it('lists tokens, and shows one with its price, its pools and its largest holders', async () => {
    const page = await portal.visit('/explorer/tokens');
    await page.getByLabel('Search', { exact: true }).fill('USD Coin');
    // A press that lasts longer than the pause after which the list is filtered.
    await page.getByRole('link', { name: 'USDC', exact: true }).click({ delay: 1_000 });
    await page.getByRole('heading', { name: 'USDC · USD Coin' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.getByText('verified', { exact: true }).waitFor();
    await page.getByRole('table', { name: 'Pools' }).getByRole('link').first().waitFor();
    await page
      .getByRole('table', { name: /most tokens/ })
      .getByRole('link')
      .first()
      .waitFor();
  });

  it('shows the name that anybody gave a token as text, and says that nobody verified it', async () => {
    const mint = createRandomKeypair().address;
    const data = Buffer.from(encodeHostileMint(mint)).toString('hex');
    const owner = TOKEN_2022_PROGRAM;
    await portal.instance.rpc('surfnet_setAccount', mint, { lamports: 10_000_000, owner, data });
    const page = await portal.visit(`/explorer/token/${mint}`);
    await page.getByText(/^not verified/).waitFor();
    await page.getByText(MARKUP, { exact: true }).first().waitFor();
    await page.getByText('\\u202eCDSU', { exact: true }).waitFor();
    expect(await page.locator('img, iframe, main script, main b').count()).toBe(0);
  });

  async function findAccount(program: string, dataSize: number): Promise<string> {
    const filters = [{ dataSize }];
    const found = await portal.instance.rpc('getProgramAccounts', program, { encoding: 'base64', filters });
    return found[0].pubkey;
  }
});

function encodeHostileMint(mint: Address): Uint8Array {
  const metadata = new ByteWriter().zeros(32).address(mint);
  for (const text of [MARKUP, '\u202eCDSU', 'https://example.org/x.png']) {
    metadata.u32(Buffer.byteLength(text)).bytes(Buffer.from(text));
  }
  const data = metadata.u32(0).finish();
  const extensions = [{ type: ExtensionType.TOKEN_METADATA, data }];
  return encodeMint({ mintAuthority: null, supply: 10n, decimals: 6, freezeAuthority: null, extensions });
}

const SOL = 1_000_000_000n;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const CPMM = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';
const POOL_BYTES = 637;
const VAULTS = 'jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi';
const POSITION_BYTES = 71;
const MARKUP = '<img src=x onerror="alert(1)"><b>bold</b>';
