import { Type } from 'typebox';
import type { Address } from '../../../solana/address.ts';
import { OtherAnswer } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';
import type { TriggerServices } from './services.ts';
import { defineWalletEndpoint } from './trigger-endpoint.ts';
import { answerTriggerError, TriggerError } from './trigger-errors.ts';

const VaultJson = named(
  'TriggerVault',
  Type.Object({
    userPubkey: Type.String({ description: 'The wallet.' }),
    vaultPubkey: Type.String({ description: 'The address whose accounts hold the deposits.' }),
    privyVaultId: Type.String({ description: 'An id of the vault. Nothing asks for it.' }),
  }),
);

const VaultExists = named('TriggerVaultExists', Type.Object({ error: Type.String(), details: VaultJson }));

export const getVault = defineWalletEndpoint({
  method: 'GET',
  path: '/trigger/v2/vault',
  operationId: 'GetTriggerVault',
  summary: 'The vault of the wallet',
  description: 'Names the vault of the wallet that signed in. 404 `Vault not found`: it has none yet.',
  responses: { 200: VaultJson, 404: TriggerError },
  handle: async ({ vaults }, _request, wallet) => {
    const vault = await vaults.findVault(wallet);
    return vault === null ? answerTriggerError(404, 'Vault not found') : toVaultJson(wallet, vault);
  },
});

const REGISTER = {
  path: '/trigger/v2/vault/register',
  summary: 'Register the vault of the wallet',
  description:
    'Creates the vault of the wallet that signed in. A wallet has one: 409 `Vault already registered` has it in `details`.',
  responses: { 200: VaultJson, 409: VaultExists },
  handle: async ({ vaults }: TriggerServices, _request: unknown, wallet: Address) => {
    const { vault, isNew } = await vaults.createVault(wallet);
    const json = toVaultJson(wallet, vault);
    return isNew ? json : new OtherAnswer(409, { error: 'Vault already registered', details: json });
  },
} as const;

export const registerVault = defineWalletEndpoint({
  ...REGISTER,
  method: 'POST',
  operationId: 'RegisterTriggerVault',
});

/** Existing clients register with GET. */
export const registerVaultByGet = defineWalletEndpoint({
  ...REGISTER,
  method: 'GET',
  operationId: 'RegisterTriggerVaultByGet',
});

/** The public service answers with the id of the custodian that keeps its keys. Here the address is the id. */
function toVaultJson(wallet: Address, vault: Address) {
  return { userPubkey: wallet, vaultPubkey: vault, privyVaultId: vault };
}
