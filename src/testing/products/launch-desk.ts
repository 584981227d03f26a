import type { FastifyInstance } from 'fastify';
import { defineProduct } from '../../products/product.ts';
import { createLaunchEndpoint } from '../../products/studio/endpoints/create-launch.ts';
import { launchPageEndpoint } from '../../products/studio/endpoints/launch-page.ts';
import type { StudioServices } from '../../products/studio/endpoints/services.ts';
import { submitLaunchEndpoint } from '../../products/studio/endpoints/submit-launch.ts';
import { addSignatures, parseTransaction } from '../../solana/messages/transaction.ts';
import { getJson, type JsonAnswer, openProductGateway, postJson } from '../product-gateway.ts';
import { LONG_ORIGIN } from '../studio/launch-rig.ts';
import { MEME_BODY } from '../studio/meme-body.ts';
import { SubmissionRig } from '../studio/submission-rig.ts';

/** The endpoints that launch tokens, behind their front door, over the programs that they need. */
export class LaunchDesk {
  readonly submissions: SubmissionRig;
  readonly #gateway: FastifyInstance;

  private constructor(submissions: SubmissionRig, gateway: FastifyInstance) {
    this.submissions = submissions;
    this.#gateway = gateway;
  }

  static async open(): Promise<LaunchDesk> {
    const submissions = await SubmissionRig.open();
    const { rig, media, dependencies } = submissions;
    const product = defineProduct({
      name: 'launching',
      description: 'The endpoints that launch tokens.',
      basePaths: ['/studio'],
      endpoints: [createLaunchEndpoint, submitLaunchEndpoint, launchPageEndpoint],
      open: (services: Omit<StudioServices, 'launched'>) => ({ services: services as StudioServices }),
    });
    const creating = {
      chain: rig.market.chain,
      keys: rig.keys,
      links: media.links,
      getOrigin: () => LONG_ORIGIN,
      partner: rig.partner,
      random: () => 0,
    };
    const opened = await product.open({ creating, submitting: dependencies, media });
    return new LaunchDesk(submissions, await openProductGateway(opened));
  }

  async close(): Promise<void> {
    await this.#gateway.close();
    await this.submissions.close();
  }

  create(changes: object = {}): Promise<JsonAnswer> {
    const creator = this.submissions.rig.creator.address;
    return postJson(this.#gateway, '/studio/v1/dbc-pool/create-tx', { ...MEME_BODY, creator, ...changes });
  }

  /** Returns the answer of create-tx, with the transaction signed by the creator. */
  async prepare(): Promise<{ readonly mint: string; readonly transaction: string; readonly owner: string }> {
    const { creator } = this.submissions.rig;
    const { json } = await this.create();
    const unsigned = parseTransaction(new Uint8Array(Buffer.from(json.transaction, 'base64')));
    const transaction = Buffer.from(addSignatures(unsigned, [creator])).toString('base64');
    return { mint: json.mint, transaction, owner: creator.address };
  }

  /** Sends a form with these fields, in their order. */
  async submit(fields: Readonly<Record<string, string | Blob>>): Promise<JsonAnswer> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, value, `${name}.bin`);
    }
    const encoded = new Response(form);
    const { statusCode, payload } = await this.#gateway.inject({
      method: 'POST',
      url: '/studio/v1/dbc-pool/submit',
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
      payload: Buffer.from(await encoded.arrayBuffer()),
    });
    return { status: statusCode, json: JSON.parse(payload) };
  }

  page(mint: string): Promise<JsonAnswer> {
    return getJson(this.#gateway, `/studio/v1/dbc-pool/page/${mint}`, {});
  }
}
