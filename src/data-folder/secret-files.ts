/** The files of a data folder with one line of secret text. */
export const SECRET_TEXT_FILES = {
  keySecret: 'key-secret',
  custodyKey: 'custody-key',
  operatorCredential: 'operator-credential',
  demoApiKey: 'demo-api-key',
  demoMakerKey: 'demo-maker-key',
} as const;

/** The files of a data folder with a keypair. */
export const KEYPAIR_FILES = {
  demo: 'demo-wallet.json',
  demoMaker: 'demo-maker-wallet.json',
  demoWebhookMaker: 'demo-webhook-maker-wallet.json',
  liquidator: 'liquidator-wallet.json',
} as const;
