/** A launch of the embedded network that is started without `seed`: that of the token LANTERN. */
export const EXAMPLE_LAUNCH = {
  mint: 'BMfPyUFuxDgFCHbtD3oMznJfcPpnS65csUpFVaqamRYS',
  pool: 'EB2C5tbE8PLD6LPt23bxSVC1BqfmmYx76Z7QXoqSUk1H',
  creator: '3zuopHwwkbhEPWNmBK6KgPiFracEcPt1fUdMBCjdrkfi',
} as const;
