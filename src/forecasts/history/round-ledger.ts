import type { PredictionHistoryStep } from '../../predictions/store/history-steps.ts';
import type {
  ForecastPaidOut,
  ForecastRoundSettled,
  ForecastSwapped,
} from '../../protocols/bisonfi-forecast/forecast-events.ts';
import { deriveOutcomeMint } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import type { Address } from '../../solana/address.ts';
import type { Database } from '../../store/index.ts';
import type { ForecastRounds, ForecastSide } from '../forecast.ts';
import type { ForecastCostRecords, RecordedCost } from './cost-records.ts';
import type { ForecastStep } from './followed-forecasts.ts';
import type { ForecastRoundRecords } from './round-records.ts';
import { toLossStep, toOpenedRound, toPayoutStep, toPurchaseStep, toSaleStep } from './round-steps.ts';
import { addPurchase, NOTHING_TRADED, takeSold, type TradedCost } from './traded-cost.ts';

export interface RoundLedgerOptions {
  readonly rounds: ForecastRoundRecords;
  readonly costs: ForecastCostRecords;
  /** Finds a round that was opened before the record began. */
  readonly onChain: Pick<ForecastRounds, 'find'>;
}

/**
 * Keeps what rounds are and what their tokens have cost, event by event, and returns the rows that each event adds to the history.
 *
 * A side that has lost realizes the cost of everybody who bought it in the moment of the result, wherever the tokens are by then:
 * a loss cannot be hidden by sending it away. What remains of the cost of other sides when the round is closed has left its
 * wallet otherwise than by a sale or a payout, and is lost then.
 */
export class RoundLedger {
  readonly #options: RoundLedgerOptions;

  constructor(options: RoundLedgerOptions) {
    this.#options = options;
  }

  /**
   * Takes an event.
   *
   * @param db - In the transaction that adds the rows.
   */
  async take(db: Database, step: ForecastStep): Promise<readonly PredictionHistoryStep[]> {
    const { event, slot } = step;
    const { rounds, costs } = this.#options;
    if (event.kind === 'round-opened') {
      await rounds.add(db, toOpenedRound(event), slot);
      // Its tokens were made with it. What tokens of this name have cost before, the network has forgotten.
      await costs.removeOfRounds(db, [event.round]);
      return [];
    }
    await this.#addUnknown(db, event.round, slot);
    switch (event.kind) {
      case 'swapped':
        return [await this.#takeSwap(db, event, step)];
      case 'round-settled':
        return this.#takeResult(db, event, step);
      case 'paid-out':
        return this.#takePayout(db, event, step);
      case 'round-closed':
        return this.#takeClose(db, event.round, step);
    }
  }

  async #addUnknown(db: Database, round: Address, slot: bigint): Promise<void> {
    const { rounds, onChain } = this.#options;
    const found = onChain.find(round);
    if (found === null || (await rounds.find(db, round)) !== null) return;
    await rounds.add(db, found, slot);
  }

  async #takeSwap(db: Database, event: ForecastSwapped, step: ForecastStep): Promise<PredictionHistoryStep> {
    const { contracts, usdc, isBuy } = event;
    // Whoever buys tokens into the account of somebody else gives them away. They are no prediction of their owner's.
    if (isBuy && event.authority !== event.owner) return toPurchaseStep(event, step);
    const known = await this.#findCost(db, event);
    if (isBuy) {
      await this.#putCost(db, { known, step }, addPurchase(known, { contracts, cost: usdc }));
      return toPurchaseStep(event, step);
    }
    const realized = takeSold(known, { contracts, proceeds: usdc });
    await this.#putCost(db, { known, step }, realized.left);
    return toSaleStep(event, step, realized);
  }

  async #takeResult(
    db: Database,
    { round, outcome, closePrice, timestamp }: ForecastRoundSettled,
    step: ForecastStep,
  ): Promise<readonly PredictionHistoryStep[]> {
    const { rounds, costs } = this.#options;
    const isVoid = outcome === 'void';
    const result = { outcome, closePrice: isVoid ? null : closePrice, settledAt: Number(timestamp) };
    await rounds.settle(db, round, result, step.slot);
    if (isVoid) return [];
    const side = outcome === 'up' ? 'down' : 'up';
    const mint = findMint(round, side);
    const lost = (await costs.listOfRound(db, round)).filter(
      (cost) => cost.mint === mint && cost.contracts > 0n && !cost.isLost,
    );
    await costs.noteLost(db, round, mint, step.slot);
    return lost.map((cost) => toLossStep({ ...cost, side }, step));
  }

  async #takePayout(
    db: Database,
    event: ForecastPaidOut,
    step: ForecastStep,
  ): Promise<readonly PredictionHistoryStep[]> {
    const { outcome, side, burned, paid } = event;
    if (burned === 0n) return [];
    const known = await this.#findCost(db, event);
    const gross = outcome === 'void' ? burned / 2n : outcome === side ? burned : 0n;
    const realized = takeSold(known, { contracts: burned, proceeds: paid });
    await this.#putCost(db, { known, step }, realized.left);
    if (outcome === 'void' || outcome === side) {
      const { pnl: pnlBeforeFees } = takeSold(known, { contracts: burned, proceeds: gross });
      return [toPayoutStep(event, step, { gross, cost: realized.cost, pnl: realized.pnl, pnlBeforeFees })];
    }
    // What the wallet had bought was lost with the result, if that was recorded.
    const noted = known.isLost ? known.contracts : 0n;
    if (noted >= burned) return [];
    const cost = known.isLost ? 0n : realized.cost;
    return [toLossStep({ ...event, contracts: burned - noted, cost }, step)];
  }

  async #takeClose(
    db: Database,
    round: Address,
    step: ForecastStep,
  ): Promise<readonly PredictionHistoryStep[]> {
    const { costs } = this.#options;
    const left = (await costs.listOfRound(db, round)).filter((cost) => cost.contracts > 0n && !cost.isLost);
    await costs.removeOfRounds(db, [round]);
    const up = findMint(round, 'up');
    return left.map((cost) => toLossStep({ ...cost, side: cost.mint === up ? 'up' : 'down' }, step));
  }

  async #findCost(
    db: Database,
    { round, side, owner, account, timestamp }: ForecastSwapped | ForecastPaidOut,
  ): Promise<RecordedCost> {
    const mint = findMint(round, side);
    const known = await this.#options.costs.find(db, owner, mint);
    if (known !== null) return { ...known, account };
    const at = Number(timestamp);
    return {
      ...NOTHING_TRADED,
      owner,
      mint,
      round,
      account,
      openedAt: at,
      updatedAt: at,
      isLost: false,
      slot: 0,
    };
  }

  async #putCost(
    db: Database,
    { known, step: { event, slot } }: { readonly known: RecordedCost; readonly step: ForecastStep },
    { contracts, cost, realizedPnl }: TradedCost,
  ): Promise<void> {
    const updatedAt = Number(event.timestamp);
    // A wallet that has only sold or burned what it was sent needs no row.
    if (known.slot === 0 && contracts === 0n) return;
    await this.#options.costs.put(db, {
      ...known,
      contracts,
      cost,
      realizedPnl,
      updatedAt,
      slot: Number(slot),
    });
  }
}

function findMint(round: Address, side: ForecastSide): Address {
  return deriveOutcomeMint(round, side).address;
}
