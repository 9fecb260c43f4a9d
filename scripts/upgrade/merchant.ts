import { admin } from '../../test/stages/kontor.ts';
import type { Version } from './versions.ts';

const CSV = 'sku;titel;preis\nA-1;Hammer;12,50\nA-2;Zange;9,90\nA-3;Nagel;0,10\n';
const ARTICLES = 3;
/** Pieces of an order, of which one is shipped. */
const PIECES = 2;

/** Changes that any version acknowledged; they must exist at the end. */
export type Journal = {
  readonly catalogues: { masterid: string; exportid: string; label: string }[];
  /** Number of open pieces by order. */
  readonly orders: Map<string, number>;
};

export const demand = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise);
};

/** A merchant who works with one web process, through the client of its own version. */
export class Merchant {
  readonly version: Version;
  private readonly url: string;
  private readonly client: ReturnType<Version['clientOf']>;
  private readonly journal: Journal;

  constructor(version: Version, url: string, journal: Journal) {
    this.version = version;
    this.url = url;
    this.client = version.clientOf(() => url);
    this.journal = journal;
  }

  /** Does everything once: signs in, creates a catalogue, a rule, an export that shows the rule, an order and a parcel. */
  async worksThroughout(label: string): Promise<string> {
    await this.signIn();
    const { exportid } = await this.catalogue(label);
    await this.order(exportid, `${label}-1`);
    await this.ship(`${label}-1`);
    return `Anmeldung, Import (${ARTICLES} Artikel), Regel, Export, Bestellung, Versand`;
  }

  /** Signs in; returns the cookie of the new session. */
  async signIn(): Promise<string> {
    const { api, pathOf } = this.version;
    const answer = await fetch(this.url + pathOf(api.signIn), {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: this.url },
      body: JSON.stringify(admin),
    });
    demand(answer.ok, `Anmeldung: ${answer.status} ${await answer.text()}`);
    return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  }

  /** Checks that a session of the other version is valid here. */
  async knows(cookie: string): Promise<void> {
    const { api, pathOf } = this.version;
    const answer = await fetch(this.url + pathOf(api.session), { headers: { cookie, origin: this.url } });
    demand(answer.ok, `die Sitzung der anderen Fassung gilt nicht: ${answer.status}`);
  }

  async catalogue(label: string): Promise<{ masterid: string; exportid: string }> {
    const { api } = this.version;
    const { masterid } = await this.client.ask(api.createMaster, {}, { name: `Katalog ${label}` });
    const run = await this.client.ended(await this.client.upload(masterid, CSV));
    demand(run.state === 'done', `Import: ${run.state} ${run.message}`);
    const body = { name: `Export ${label}`, format: { kind: 'jsonl' } };
    const { id: exportid } = await this.client.ask(api.createExport, { masterid }, body);
    const one = { masterid, exportid, label: '' };
    await this.saveRule(one, label);
    await this.runExport(one);
    this.journal.catalogues.push(one);
    return one;
  }

  /** Saves a rule that appends `label` to every title. */
  async saveRule(catalogue: Journal['catalogues'][number], label: string): Promise<void> {
    const { api } = this.version;
    const action = { id: 'a0', field: 'titel', select: 'append', value: [{ type: '_string', value: ` ${label}` }] };
    const querys = [{ id: 'q0', field: '@ALL@', type: '' }];
    const rule = { id: 'AAAAAAAAAA', name: label, description: '', active: true, querys, actions: [action] };
    await this.client.ask(api.saveMasterRules, { masterid: catalogue.masterid }, [rule]);
    catalogue.label = label;
  }

  /** Reads what the other version wrote: the rule, and the number of articles. */
  async reads({ masterid, exportid, label }: Journal['catalogues'][number]): Promise<void> {
    const { api, pathOf } = this.version;
    const rules = await this.client.ask(api.masterRules, { id: exportid });
    demand(rules.map(({ name }) => name).join() === label, `die Regel ist nicht „${label}“: ${JSON.stringify(rules)}`);
    const answer = await this.client.raw(`${pathOf(api.items)}?masterid=${masterid}&limit=10`);
    demand(answer.ok, `Artikel von ${masterid}: ${answer.status}`);
    const { total } = api.items.response.parse(await answer.json());
    demand(total === ARTICLES, `Artikel von ${masterid}: ${total} statt ${ARTICLES}`);
  }

  /** Runs the export again; its file must show the rule as last saved. */
  async runExport({ exportid, label }: Journal['catalogues'][number]): Promise<void> {
    const { api, pathOf } = this.version;
    const { runid } = await this.client.ask(api.runExport, { id: exportid });
    const run = await this.client.ended(runid);
    demand(run.state === 'done', `Export: ${run.state} ${run.message}`);
    const file = await (await this.client.raw(pathOf(api.exportFile, { id: exportid }))).text();
    const titles = file.split('\n').filter((row) => row.includes(` ${label}"`));
    demand(titles.length === ARTICLES, `die Datei zeigt die Regel „${label}“ nicht: ${file.slice(0, 300)}`);
  }

  async order(channel: string, orderid: string): Promise<void> {
    const line = {
      productid: 'P-1',
      sku: 'A-1',
      title: 'Hammer',
      ordered: PIECES,
      shipped: 0,
      cancelled: 0,
      unit_cents: 1250,
      discount_cents: 0,
      shipping_cents: 490,
      tax_rate: 1900,
    };
    const at = new Date().toISOString();
    const head = { orderid, placed_at: at, changed_at: at, pending: false, currency: 'EUR', country: 'DE' };
    const orders = [{ ...head, buyer_order_number: '', lines: [line] }];
    const counts = await this.client.ask(this.version.api.createOrders, {}, { channel, orders });
    demand(counts.new === 1, `Bestellung ${orderid}: ${JSON.stringify(counts)}`);
    this.journal.orders.set(orderid, PIECES);
  }

  async ship(orderid: string): Promise<void> {
    const parcel = { quantity: 1, carrier: 'DHL', tracking: `JJD-${orderid}`, returntracking: '' };
    await this.client.ask(this.version.api.fulfillItem, { orderid, productid: 'P-1' }, parcel);
    this.journal.orders.set(orderid, PIECES - 1);
  }

  /** Checks that everything ever acknowledged exists unchanged. */
  async findsAll(): Promise<string> {
    const { api } = this.version;
    const { catalogues, orders } = this.journal;
    const there = new Set((await this.client.ask(api.masters)).map(({ masterid }) => masterid));
    for (const one of catalogues) {
      demand(there.has(one.masterid), `der Katalog ${one.label} fehlt`);
      await this.reads(one);
      await this.runExport(one);
    }
    for (const [orderid, open] of orders) {
      const { order } = await this.client.ask(api.order, { orderid });
      demand(order.open_pieces === open, `Bestellung ${orderid}: ${order.open_pieces} Stück offen statt ${open}`);
    }
    return `${catalogues.length} Kataloge mit Regel und Export, ${orders.size} Bestellungen`;
  }

  /** Reads and writes until `done`. @throws at the first failed answer. Returns the number of requests. */
  async keepsAsking(channel: string, label: string, done: () => boolean): Promise<number> {
    let asked = 0;
    for (; !done(); asked += 2) {
      await this.client.ask(this.version.api.masters);
      await this.order(channel, `${label}-${asked}`);
    }
    return asked;
  }
}
