import { address } from '../../../solana/address.ts';

// The public addresses of the lending programs, which are stated only here.

/** The program that holds the tokens of all lending products, and the terms on which protocols supply and borrow them. */
export const LIQUIDITY_PROGRAM = address('jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC');
/** The earn product: deposits for receipt tokens. */
export const LENDING_PROGRAM = address('jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9');
/** The program with the rewards that are paid in addition to the interest of an earn token. */
export const REWARDS_PROGRAM = address('jup7TthsMgcR9Y3L277b8Eo9uboVSmu1utkuXHNUKar');
/** The borrow product: collateral and debt in vaults. */
export const VAULTS_PROGRAM = address('jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi');
export const ORACLE_PROGRAM = address('jupnw4B6Eqs7ft6rxpzYLJZYSnrpRgPcr589n5Kv4oc');
export const FLASHLOAN_PROGRAM = address('jupgfSgfuAXv4B6R2Uxu85Z1qdzgju79s6MfZekN6XS');
/** The Lend AMM, which uses the same liquidity. Only its errors are known here. */
export const LEND_AMM_PROGRAM = address('jupZ4m2GqUCJ5iueMfzQf8khFfH31d4XAQt3RzCT9Vd');
