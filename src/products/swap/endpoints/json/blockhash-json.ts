import type { RecentBlockhash } from '../../../../chain/chain.ts';
import type { BlockhashJson } from './schema.ts';

/** Maps a blockhash to its form in answers with instructions. */
export function toBlockhashJson({ bytes, lastValidBlockHeight, fetchedAt }: RecentBlockhash): BlockhashJson {
  return {
    blockhash: [...bytes],
    lastValidBlockHeight: Number(lastValidBlockHeight),
    fetchedAt: {
      secs_since_epoch: Math.floor(fetchedAt / 1_000),
      nanos_since_epoch: Math.floor((fetchedAt % 1_000) * 1_000_000),
    },
  };
}
