import type { Address } from '../../solana/address.ts';

/** Address of the aggregator program (v6). */
export const AGGREGATOR_PROGRAM = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as Address;

/** PDA `["__event_authority"]`: signs the program's calls to itself that carry its events. */
export const EVENT_AUTHORITY = 'D8cy77BBepLMngZx6ZukaTff5hCt1HrWyKk3Hnd9oitf' as Address;

/** PDAs `["authority", id]` for ids 0 to 15, by id: they own the token accounts of the shared forms. */
export const PROGRAM_AUTHORITIES: readonly Address[] = [
  'GGztQqQ6pCPaJQnNpXBgELr5cs3WwDakRbh1iEMzjgSJ',
  '2MFoS3MPtvyQ4Wh4M9pdfPjz6UhVoNbFbGJAskCPCj3h',
  'BQ72nSv9f3PRyRKCBnHLVrerrv37CYTHm5h3s9VSGQDV',
  '6U91aKa8pmMxkJwBCfPTmUEfZi6dHe7DcFq2ALvB2tbB',
  '4xDsmeTWPNjgSVSS1VTfzFq3iHZhp77ffPkAmkZkdu71',
  'CapuXNQoDviLvU1PxFiizLgPNQCxrsag1uMeyk6zLVps',
  '9nnLbotNTcUhvbrsA6Mdkx45Sm82G35zo28AqUvjExn8',
  '6LXutJvKUw8Q5ue2gCgKHQdAN4suWW8awzFVC6XCguFx',
  'HFqp6ErWHY6Uzhj8rFyjYuDya2mXUpYEk8VW75K9PSiY',
  'DSN3j1ykL3obAVNv7ZX49VsFCPe4LqzxHnmtLiPwY6xg',
  '69yhtoJR4JYPPABZcSNkzuqbaFbwHsCkja1sP1Q2aVT5',
  'HU23r7UoZbqTUuh3vA7emAGztFtqwTeVips789vqxxBw',
  '3LoAYHuSd7Gh8d7RTFnhvYtiTiefdZ5ByamU42vkzd76',
  '3CgvbiM3op4vjrrjH2zcrQUwsqh5veNVRjFCB9N6sRoD',
  'GP8StUXNYSZjPikyRsvkTbvRV1GBxMErb59cpeCJnDf1',
  '7iWnBRRhBCiNXXPhqiGzvvBkKrvFSWqqmxRyu9VyYBxE',
] as Address[];

/** @throws RangeError when `id` is not a whole number from 0 to 15. */
export function getProgramAuthority(id: number): Address {
  const authority = PROGRAM_AUTHORITIES[id];
  if (authority === undefined) {
    throw new RangeError(`program authority id must be a whole number from 0 to 15, got ${id}`);
  }
  return authority;
}

/** The first eight bytes of each instruction's data. */
export const DISCRIMINATOR = {
  claim: bytes('3ec6d6c1d59f6cd2'),
  claimToken: bytes('74ce1bbfa6130049'),
  closeToken: bytes('1a4aec976840b7f9'),
  createTokenLedger: bytes('e8f2c5fdf08f8134'),
  createTokenAccount: bytes('93f17b64f484ae76'),
  setTokenLedger: bytes('e455b9704e4f4d02'),
  route: bytes('e517cb977ae3ad2a'),
  routeWithTokenLedger: bytes('96564774a75d0e68'),
  exactOutRoute: bytes('d033ef977b2bed5c'),
  sharedAccountsRoute: bytes('c1209b3341d69c81'),
  sharedAccountsRouteWithTokenLedger: bytes('e6798f50779f6aaa'),
  sharedAccountsExactOutRoute: bytes('b0d169a89a7d453e'),
  routeV2: bytes('bb64facc31c4af14'),
  exactOutRouteV2: bytes('9d8ab85215f4f324'),
  sharedAccountsRouteV2: bytes('d19853937cfed8e9'),
  sharedAccountsExactOutRouteV2: bytes('3560e5cad8bbfa18'),
} as const;

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}
