import type { Address } from '../../../solana/address.ts';
import { asRecord } from '../../records/account-json.ts';
import type { AddressSignature, SignatureRange } from '../../chain.ts';
import { asList, asText, asU64 } from '../client/read-json.ts';
import type { RpcClient } from '../client/rpc-client.ts';

/** Implements `Chain.signaturesOf`. */
export function signaturesOf(
  client: Pick<RpcClient, 'call'>,
  address: Address,
  { limit, before, until, asOf }: SignatureRange,
): Promise<readonly AddressSignature[]> {
  const config = {
    commitment: 'confirmed',
    limit,
    ...(before === undefined ? {} : { before }),
    ...(until === undefined ? {} : { until }),
    ...(asOf === undefined ? {} : { minContextSlot: Number(asOf) }),
  };
  const read = (result: unknown) => asList(result, 'result', readSignature).slice(0, limit);
  return client.call('getSignaturesForAddress', [address, config], read);
}

function readSignature(json: unknown, path: string): AddressSignature {
  const { signature, slot } = asRecord(json, path);
  return { signature: asText(signature, `${path}.signature`), slot: asU64(slot, `${path}.slot`) };
}
