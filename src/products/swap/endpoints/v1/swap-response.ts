import type { SwapCosts, SwapInstructions, UnsignedSwap } from '../../../../swaps/quoted-swaps/swap.ts';
import { toBlockhashJson } from '../json/blockhash-json.ts';
import { toInstructionJson } from '../json/instruction-json.ts';
import type { CostsJson, SwapInstructionsResponse, SwapResponse } from './schema.ts';

/** Maps the transaction of a quote to the body of `POST /swap/v1/swap`. */
export function toSwapResponse({ transaction, lastValidBlockHeight, costs }: UnsignedSwap): SwapResponse {
  return {
    swapTransaction: Buffer.from(transaction).toString('base64'),
    lastValidBlockHeight: Number(lastValidBlockHeight),
    ...toCostsJson(costs),
  };
}

/** Maps the instructions of a quote to the body of `POST /swap/v1/swap-instructions`. */
export function toSwapInstructionsResponse(instructions: SwapInstructions): SwapInstructionsResponse {
  const { computeBudget, setup, swap, cleanup, tip, setLedger, others, lookupTables, blockhash, costs } =
    instructions;
  return {
    tokenLedgerInstruction: setLedger === null ? null : toInstructionJson(setLedger),
    otherInstructions: [...others, ...(tip === null ? [] : [tip])].map(toInstructionJson),
    computeBudgetInstructions: computeBudget.map(toInstructionJson),
    setupInstructions: setup.map(toInstructionJson),
    swapInstruction: toInstructionJson(swap),
    ...(cleanup === null ? {} : { cleanupInstruction: toInstructionJson(cleanup) }),
    addressLookupTableAddresses: [...lookupTables],
    blockhashWithMetadata: toBlockhashJson(blockhash),
    ...toCostsJson(costs),
  };
}

function toCostsJson(costs: SwapCosts): CostsJson {
  const { lamports, unitPrice, computeUnitLimit, estimatedSlippage, simulationError } = costs;
  return {
    prioritizationFeeLamports: Number(lamports),
    computeUnitLimit,
    prioritizationType:
      unitPrice === null
        ? { jito: { lamports: Number(lamports) } }
        : {
            computeBudget: {
              microLamports: Number(unitPrice.paid),
              estimatedMicroLamports: Number(unitPrice.estimated),
            },
          },
    dynamicSlippageReport:
      estimatedSlippage === null
        ? null
        : { slippageBps: estimatedSlippage.bps, otherAmount: estimatedSlippage.otherAmount },
    simulationError:
      simulationError === null ? null : { errorCode: 'TRANSACTION_ERROR', error: simulationError },
  };
}
