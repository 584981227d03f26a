import { COLLECTIONS } from './collections.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { TOKEN_2022_PROGRAM } from '../../solana/program-addresses.ts';
import { type Extension, ExtensionType } from '../../solana/programs/token/extensions.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { type DemoContext, deriveDemoAddress } from './demo-context.ts';

/** The collection of the demo collectible, which is the mint of its group. */
const DEMO_COLLECTION = demoCollection();

const TEXTS = ['Sluice Gate #7', 'GATE', 'https://example.com/gates/7.json'];
const TRAITS: readonly (readonly [string, string])[] = [
  ['description', 'A gate of the demo collection.'],
  ['image', 'https://example.com/gates/7.png'],
  ['Water', 'Calm'],
  ['Wood', 'Oak'],
];

/** Writes a collection and one of its collectibles, which stores its metadata in its mint and belongs to the owner. */
export function addCollectible({ ledger, owner }: DemoContext): void {
  const authority = deriveDemoAddress('collection authority');
  const mint = deriveDemoAddress('collectible');
  const base = { mintAuthority: null, supply: 1n, decimals: 0, freezeAuthority: null };
  const group = new ByteWriter(80).address(authority).address(DEMO_COLLECTION).u64(1n).u64(100n).finish();
  const collection = encodeMint({
    ...base,
    mintAuthority: authority,
    supply: 0n,
    extensions: [{ type: ExtensionType.TOKEN_GROUP, data: group }],
  });
  ledger.addData(DEMO_COLLECTION, TOKEN_2022_PROGRAM, collection);
  const member = new ByteWriter(72).address(mint).address(DEMO_COLLECTION).u64(7n).finish();
  const data = encodeMint({
    ...base,
    extensions: [
      {
        type: ExtensionType.METADATA_POINTER,
        data: Buffer.concat([toAddressBytes(authority), toAddressBytes(mint)]),
      },
      metadata(authority, mint),
      { type: ExtensionType.TOKEN_GROUP_MEMBER, data: member },
    ],
  });
  const token = { mint, tokenProgram: TOKEN_2022_PROGRAM, accountExtensions: [] };
  ledger.addAssociatedTokens(token, { owner, amount: 1n });
  ledger.addData(mint, TOKEN_2022_PROGRAM, data);
}

function demoCollection(): Address {
  const [collection] = COLLECTIONS;
  if (collection === undefined) throw new Error('the genesis has no collection');
  return collection.id;
}

/** Returns the extension of the metadata interface in Borsh: three texts and pairs of texts, each with a u32 length. */
function metadata(authority: Address, mint: Address): Extension {
  const to = new ByteWriter(512).address(authority).address(mint);
  const text = (value: string) => to.u32(Buffer.byteLength(value)).bytes(Buffer.from(value));
  for (const each of TEXTS) text(each);
  to.u32(TRAITS.length);
  for (const [name, value] of TRAITS) {
    text(name);
    text(value);
  }
  return { type: ExtensionType.TOKEN_METADATA, data: to.finish() };
}
