import {
  burnV1,
  createFungible,
  createNft,
  fetchAllDigitalAssetByOwner,
  mintV1,
  mplTokenMetadata,
  TokenStandard,
  transferV1,
  updateV1,
} from '@metaplex-foundation/mpl-token-metadata';
import {
  createMintWithAssociatedToken,
  createTokenIfMissing,
  fetchToken,
  findAssociatedTokenPda,
  transferAllSol,
} from '@metaplex-foundation/mpl-toolbox';
import {
  generateSigner,
  type KeypairSigner,
  keypairIdentity,
  percentAmount,
  sol,
  type TransactionBuilder,
} from '@metaplex-foundation/umi';
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults';
import { describe, expect, it } from 'vitest';
import { useInstance } from './shared-instance.ts';

describe('the public client umi', () => {
  const instance = useInstance();

  it('creates tokens that search, portfolio and its own readers show', async () => {
    const { umi, wallet, land } = await openClient();
    const [nft, coin] = [generateSigner(umi), generateSigner(umi)];
    const royalty = percentAmount(5.5, 2);
    await land(
      createNft(umi, { mint: nft, name: 'Piece', symbol: 'PC', uri: PIECE, sellerFeeBasisPoints: royalty }),
      createFungible(umi, {
        mint: coin,
        name: 'Made Coin',
        symbol: 'MADE',
        uri: '',
        sellerFeeBasisPoints: percentAmount(0),
        decimals: 6,
      }).add(
        mintV1(umi, {
          mint: coin.publicKey,
          amount: 5_000_000n,
          tokenStandard: TokenStandard.Fungible,
          tokenOwner: wallet.publicKey,
        }),
      ),
    );
    const assets = await fetchAllDigitalAssetByOwner(umi, wallet.publicKey, { commitment: 'confirmed' });
    expect(assets.map(({ metadata }) => [metadata.name, metadata.symbol, metadata.uri]).sort()).toEqual([
      ['Made Coin', 'MADE', ''],
      ['Piece', 'PC', PIECE],
    ]);
    const { json: found } = await instance.ask(`/tokens/v2/search?query=${coin.publicKey},${nft.publicKey}`);
    expect(found).toMatchObject([
      { id: coin.publicKey, name: 'Made Coin', symbol: 'MADE', decimals: 6, totalSupply: 5 },
      { id: nft.publicKey, name: 'Piece', symbol: 'PC', decimals: 0, totalSupply: 1 },
    ]);
    const { json: portfolio } = await instance.ask(`/portfolio/v1/positions/${wallet.publicKey}`);
    const shown = JSON.stringify(portfolio);
    expect(shown).toContain(`"name":"Piece"`);
    expect(shown).toContain(`"dataUri":"${PIECE}"`);
    expect(portfolio.tokenInfo.solana[coin.publicKey]).toMatchObject({ symbol: 'MADE', name: 'Made Coin' });
    const held = {
      mint: nft.publicKey,
      tokenOwner: wallet.publicKey,
      tokenStandard: TokenStandard.NonFungible,
    };
    await land(
      updateV1(umi, { mint: nft.publicKey, primarySaleHappened: true })
        .add(transferV1(umi, { ...held, destinationOwner: coin.publicKey }))
        .add(
          burnV1(umi, { ...held, mint: coin.publicKey, tokenStandard: TokenStandard.Fungible, amount: 2n }),
        ),
    );
    const confirmed = { commitment: 'confirmed' };
    const { value: supply } = await instance.rpc('getTokenSupply', coin.publicKey, confirmed);
    expect(supply).toMatchObject({ amount: '4999998' });
  });

  it('makes mints and token accounts by its helper programs, and empties a wallet', async () => {
    const { umi, wallet, land } = await openClient();
    const [mint, holder] = [generateSigner(umi), generateSigner(umi)];
    const held = { mint: mint.publicKey, owner: holder.publicKey };
    await land(
      createMintWithAssociatedToken(umi, { mint, owner: wallet.publicKey, decimals: 2, amount: 750n }).add(
        createTokenIfMissing(umi, held),
      ),
    );
    const own = findAssociatedTokenPda(umi, { mint: mint.publicKey, owner: wallet.publicKey });
    const commitment = { commitment: 'confirmed' } as const;
    expect((await fetchToken(umi, own, commitment)).amount).toBe(750n);
    expect((await fetchToken(umi, findAssociatedTokenPda(umi, held), commitment)).amount).toBe(0n);
    const payer = await instance.newWallet(1_000_000_000n);
    const paying = umi.eddsa.createKeypairFromSecretKey(payer.secretKey);
    umi.use(keypairIdentity(paying));
    await land(transferAllSol(umi, { source: wallet, destination: paying.publicKey }));
    expect((await umi.rpc.getBalance(wallet.publicKey, commitment)).basisPoints).toBe(0n);
  });

  async function openClient() {
    const umi = createUmi(instance.rpcUrl, {
      commitment: 'confirmed',
      wsEndpoint: instance.shown('Solana WebSocket'),
    }).use(mplTokenMetadata());
    const wallet: KeypairSigner = generateSigner(umi);
    umi.use(keypairIdentity(wallet));
    await umi.rpc.airdrop(wallet.publicKey, sol(2), { commitment: 'confirmed' });
    const land = (...builders: TransactionBuilder[]) =>
      Promise.all(builders.map((builder) => builder.sendAndConfirm(umi, CONFIRM)));
    return { umi, wallet, land };
  }
});

const PIECE = 'https://example.com/piece.json';
const CONFIRM = { confirm: { commitment: 'confirmed' } } as const;
