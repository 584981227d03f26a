import type { FastifyInstance } from 'fastify';
import type { Graduate } from '../../../programs/meteora-dbc/tests/migration-fixture.ts';
import { joinProgramErrorNames } from '../../market/program-errors.ts';
import { defineProduct } from '../../products/product.ts';
import { addressesEndpoint } from '../../products/studio/endpoints/addresses.ts';
import { launchCurveEndpoint } from '../../products/studio/endpoints/launch-curve.ts';
import { feeClaimEndpoint } from '../../products/studio/endpoints/fee-claim.ts';
import { feeEndpoint } from '../../products/studio/endpoints/fee.ts';
import type { LaunchedServices } from '../../products/studio/endpoints/services.ts';
import { PROTOCOLS } from '../../protocols/index.ts';
import { type DbcVirtualPool, decodeDbcPool } from '../../protocols/meteora-dbc/program/layout-pool.ts';
import { LaunchKeys } from '../../studio/keys/launch-keys.ts';
import { createFailureDescriber } from '../../transactions/transaction-failure.ts';
import { GraduationRig } from '../launches/graduation-rig.ts';
import { getJson, openProductGateway, postJson } from '../product-gateway.ts';
import { openTestStore, type TestStore } from '../store/test-store.ts';

/** The endpoints behind their front door, and launches that the rig graduates. */
export class LaunchedDesk {
  readonly rig: GraduationRig;
  readonly #gateway: FastifyInstance;
  readonly #database: TestStore;
  #launches = 0;

  private constructor(rig: GraduationRig, gateway: FastifyInstance, database: TestStore) {
    this.rig = rig;
    this.#gateway = gateway;
    this.#database = database;
  }

  static async open(): Promise<LaunchedDesk> {
    const database = await openTestStore('sqlite');
    const rig = new GraduationRig(database.store);
    const { index } = await rig.start();
    const launched: LaunchedServices['launched'] = {
      chain: rig.chain,
      describeFailure: createFailureDescriber(joinProgramErrorNames(PROTOCOLS)),
      launches: index,
      keys: new LaunchKeys(new Uint8Array(32)),
      readKnown: () => null,
    };
    const product = defineProduct({
      name: 'launched',
      description: 'The endpoints about existing launches.',
      basePaths: ['/studio'],
      endpoints: [addressesEndpoint, launchCurveEndpoint, feeEndpoint, feeClaimEndpoint],
      open: (services: LaunchedServices) => ({ services }),
    });
    return new LaunchedDesk(rig, await openProductGateway(await product.open({ launched })), database);
  }

  async close(): Promise<void> {
    await this.#gateway.close();
    this.rig.killAll();
    await this.#database.cleanUp();
  }

  /** Launches a token whose creator has half of the fees. */
  launch(): Graduate {
    return this.rig.launch(`launch ${this.#launches++}`, { creatorTradingFeePercentage: 50 });
  }

  /** Lets somebody buy a curve out, and the rig carry out its graduation. */
  async graduate(launch: Graduate): Promise<void> {
    this.rig.buyOut(launch);
    await this.rig.pass(3);
  }

  read({ keys }: Graduate): DbcVirtualPool {
    return decodeDbcPool(this.rig.network.account(keys.pool)?.data ?? new Uint8Array());
  }

  addresses(mint: string) {
    return getJson(this.#gateway, `/studio/v1/dbc-pool/addresses/${mint}`, {});
  }

  curve(mint: string) {
    return getJson(this.#gateway, `/studio/v1/dbc-pool/curve/${mint}`, {});
  }

  fee(body: unknown) {
    return this.post('dbc/fee', body);
  }

  claim(changes: object, launch = this.launch()) {
    const { creator: ownerWallet } = this.read(launch);
    return this.post('dbc/fee/create-tx', { ownerWallet, poolAddress: launch.keys.pool, ...changes });
  }

  post(path: string, body: unknown) {
    return postJson(this.#gateway, `/studio/v1/${path}`, body);
  }
}
