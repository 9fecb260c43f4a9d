import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdOutgoing, releaseOutgoing } from '#platform/installation-facts.ts';
import { api } from '#shared/http/api.ts';
import { contentKey } from '#shared/repricer/before-save.ts';
import { INCOMPLETE_TEXT, newRepricerRule, type RepricerRule } from '#shared/repricer/schema.ts';
import { pathOf } from '#shared/http/call.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { offerMessage, orderMessage } from '../../stages/repricer/offer-message.ts';

const field = (value: string) => ({ type: '_field' as const, value });
const complete = (id: string, name: string): RepricerRule => {
  const rule = newRepricerRule(id);
  return {
    ...rule,
    name,
    active: true,
    action: {
      ...rule.action,
      diff_price: '0.01',
      min_price: field('von'),
      max_price: field('bis'),
      standard_price: field('normal'),
    },
  };
};

describe('repricing rules', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor({ KONTOR_PRICE_STOP: '1' });
    masterid = await masterWith(kontor, 'sku;von;bis;normal\nA-1;10,00;20,00;15,00');
  });
  afterAll(() => kontor.close());
  const save = (rule: RepricerRule, ifMatch?: number) =>
    kontor.ask(api.saveRepricerRule, {
      params: { masterid, ruleid: rule.id },
      body: rule,
      ...(ifMatch === undefined ? {} : { ifMatch }),
    });
  const rules = () => kontor.ask(api.repricerRules, { params: { masterid } });
  const state = () => kontor.ask(api.repricerState, { params: { masterid } });
  const remove = (ruleid: string) =>
    kontor.raw(`${pathOf(api.deleteRepricerRule, { masterid })}?queryselector=${ruleid}`, { method: 'POST' });

  it('REP-16 REP-17 are stored as sent and returned as a map; REP-03 their order can be set', async () => {
    expect(await rules()).toEqual({});
    const [first, second] = [complete('1234567890', 'Nur Ziffern'), complete('AAAAAAAAAA', 'Erste')];
    await save(second);
    await save(first);
    expect(await rules()).toEqual({ [first.id]: first, [second.id]: second });
    expect((await state()).order).toEqual([second.id, first.id]);
    await kontor.ask(api.orderRepricerRules, { params: { masterid }, body: { ids: [first.id] } });
    expect((await state()).order).toEqual([first.id, second.id]);
    await save({ ...second, name: 'Umbenannt' });
    expect((await state()).order).toEqual([first.id, second.id]);
  });

  it('REP-13 an incomplete rule is saved as paused with a message; REP-14 one without a name is refused', async () => {
    const rule = complete('BBBBBBBBBB', 'Halb');
    const halved = { ...rule, action: { ...rule.action, max_price: field('') } };
    expect(await save(halved)).toMatchObject({ active: false, complete: false, message: INCOMPLETE_TEXT });
    expect((await rules())[rule.id]?.active).toBe(false);
    const refused = await kontor.raw(pathOf(api.saveRepricerRule, { masterid, ruleid: rule.id }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...rule,
        name: '',
        action: { ...rule.action, exclude_sellers: [{ name: 'x', value: '' }] },
      }),
    });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toMatch(/action\.exclude_sellers\.0\.value/);
  });

  it('REP-17 an id of the wrong length is refused with the valid format', async () => {
    const rule = { ...complete('KKKKKKKKKK', 'Kurz'), id: 'AAA' };
    const refused = await kontor.raw(pathOf(api.saveRepricerRule, { masterid, ruleid: rule.id }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rule),
    });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toMatch(/Kennung der Regel besteht aus 10 Buchstaben und Ziffern/);
    const mixed = await kontor.raw(pathOf(api.saveRepricerRule, { masterid, ruleid: 'MMMMMMMMMM' }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(complete('LLLLLLLLLL', 'Woanders')),
    });
    expect(await mixed.text()).toMatch(/passt nicht zur Adresse/);
  });

  it('REP-17 rules can be saved concurrently when they affect few offers', async () => {
    const params = { masterid: await masterWith(kontor, 'sku;von;bis;normal\nA-1;10,00;20,00;15,00') };
    const many = Array.from({ length: 20 }, (_, index) =>
      complete(`VIELE${String(index).padStart(5, '0')}`, `${index}`),
    );
    await Promise.all(
      many.map((body) => kontor.ask(api.saveRepricerRule, { params: { ...params, ruleid: body.id }, body })),
    );
    expect(Object.keys(await kontor.ask(api.repricerRules, { params })).toSorted()).toEqual(many.map(({ id }) => id));
  });

  it('REP-18 a rule is deleted, a stale form gets 409, and the history restores it', async () => {
    const rule = complete('CCCCCCCCCC', 'Weg damit');
    const { revision } = await save(rule);
    const stale = await kontor.raw(pathOf(api.saveRepricerRule, { masterid, ruleid: rule.id }), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'if-match': String(revision - 1) },
      body: JSON.stringify(rule),
    });
    expect(stale.status).toBe(409);
    expect((await remove(rule.id)).status).toBe(200);
    expect((await remove(rule.id)).status).toBe(404);
    expect((await rules())[rule.id]).toBeUndefined();
    const place = { subject: 'repricer', scope: `master:${masterid}` };
    const [newest] = await kontor.ask(api.revisions, { params: place });
    expect(newest).toMatchObject({ changes: ['Repricing-Regel „Weg damit“ gelöscht.'], removed: [{ id: rule.id }] });
    await kontor.ask(api.restore, { params: place, body: { revision, part: rule.id } });
    expect((await rules())[rule.id]).toEqual(rule);
  });

  it('REP-19 simulations are stored with user and time; the history names a rule activated without one', async () => {
    const params = { masterid };
    const rule = complete('GGGGGGGGGG', 'Versuch');
    const changes = async () =>
      (await kontor.ask(api.revisions, { params: { subject: 'repricer', scope: `master:${masterid}` } }))[0]?.changes;
    const tried = async () => (await kontor.ask(api.simulatedRules, { params })).filter((one) => one.rule === rule.id);
    await save(rule);
    expect(await changes()).toEqual([
      'Repricing-Regel „Versuch“: aktiviert, ohne dass diese Fassung simuliert wurde.',
      'Repricing-Regel „Versuch“ angelegt.',
    ]);
    await save({ ...rule, active: false });
    await kontor.ask(api.simulatePrices, { params, body: { rule, item: 'A-1' } });
    await kontor.ask(api.simulatePrices, { params, body: { rule, on: 'history' } });
    expect(await tried()).toEqual([]);
    await kontor.ask(api.simulatePrices, { params, body: { rule: { ...rule, name: 'Heißt anders', active: false } } });
    const author = (await kontor.ask(api.session, {})).user.name;
    expect(await tried()).toEqual([
      { rule: rule.id, content: contentKey(rule), author, at: expect.any(String), offers: 0 },
    ]);
    await save(rule);
    expect(await changes()).toEqual(['Repricing-Regel „Versuch“: aktiviert.']);
    await save({ ...rule, action: { ...rule.action, diff_price: '0.02' } });
    expect((await changes())?.[0]).toMatch(/läuft in einer Fassung, die nicht simuliert wurde\.$/);
    const { token: as } = await kontor.ask(api.createToken, { body: { name: 'Leser', role: 'viewer' } });
    const other = { ...rule, action: { ...rule.action, diff_price: '0.03' } };
    await kontor.ask(api.simulatePrices, { params, body: { rule: other }, as });
    expect(await tried()).toHaveLength(1);
    await remove(rule.id);
  });

  it("REP-02 switches are stored per catalogue, and the operator's stop (KONTOR_PRICE_STOP) is visible", async () => {
    expect(await state()).toMatchObject({ active: true, dry_run: false, stopped: false, system_stopped: true });
    await kontor.ask(api.setRepricerState, { params: { masterid }, body: { dry_run: true } });
    expect(await kontor.ask(api.setRepricerState, { params: { masterid }, body: { active: false } })).toMatchObject({
      active: false,
      dry_run: true,
      stopped: false,
    });
    await kontor.ask(api.setRepricerState, { params: { masterid }, body: { active: true, dry_run: false } });
  });

  it('REP-19 a restored installation says that it holds prices back until they are released', async () => {
    await kontor.database.system((trx) => holdOutgoing(trx, '2026-01-01T00:00:00.000Z', new Date()));
    expect(await state()).toMatchObject({ outgoing_held: true });
    await kontor.database.system(releaseOutgoing);
    expect(await state()).toMatchObject({ outgoing_held: false });
  });

  it('REP-19 safety figures have defaults; less safe ones need a confirmation and a reason, and are in the history', async () => {
    const params = { masterid };
    const usual = await kontor.ask(api.priceSafety, { params });
    expect(usual).toMatchObject({ revision: 0, figures: { step: 30, pause: 5, snapshotAge: 48, changedShare: 20 } });
    const save = (figures: object, more = {}) => {
      const body = { figures: { ...usual.figures, ...figures }, confirmed: false, reason: '', ...more };
      return kontor.ask(api.savePriceSafety, { params, body });
    };
    expect(await save({ step: 20, pause: 10 })).toMatchObject({ revision: 1, figures: { step: 20, pause: 10 } });
    await expect(save({ step: 20, pause: 4 })).rejects.toThrow(/409.*less_safe.*figures\.pause/);
    await expect(save({ step: 20, pause: 4 }, { confirmed: true })).rejects.toThrow(/422.*reason/);
    await expect(save({ step: 91 })).rejects.toThrow(/422.*figures\.step/);
    await save({ step: 40, pause: 10 }, { confirmed: true, reason: 'Schlussverkauf' });
    expect((await kontor.ask(api.priceSafety, { params })).figures).toMatchObject({ step: 40, pause: 10 });
    const scope = { subject: 'price_safety' as const, scope: `master:${masterid}` };
    const [newest] = await kontor.ask(api.revisions, { params: scope });
    expect(newest?.changes.join(' ')).toBe(
      'Grund: Schlussverkauf. Größter Sprung je Versand: vorher 20 %, jetzt 40 %.',
    );
    await save({}, { confirmed: true, reason: 'wieder wie üblich' });
    const restore = (revision: number) => kontor.ask(api.restore, { params: scope, body: { revision } });
    await expect(restore(2)).rejects.toThrow(/422.*less_safe/);
    expect(await restore(1)).toMatchObject({ revision: 4 });
    await save({}, { confirmed: true, reason: 'wieder wie üblich' });
  });

  it('REP-17 an editor can read rules but not set prices, not even by the history', async () => {
    const { token: as } = await kontor.ask(api.createToken, { body: { name: 'Redaktion', role: 'editor' } });
    expect(Object.keys(await kontor.ask(api.repricerRules, { params: { masterid }, as }))).not.toEqual([]);
    const post = (path: string, body: unknown) =>
      kontor.raw(path, {
        method: 'POST',
        as,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const rule = complete('DDDDDDDDDD', 'Verboten');
    expect((await post(pathOf(api.saveRepricerRule, { masterid, ruleid: rule.id }), rule)).status).toBe(403);
    expect(
      (await post(pathOf(api.restore, { subject: 'repricer', scope: `master:${masterid}` }), { revision: 1 })).status,
    ).toBe(403);
  });

  it('REP-19 decides on a given item and offers, with the whole arithmetic', async () => {
    const offer = { seller_id: 'A', listing_price_cents: 1400, shipping_cents: 0 };
    const asked = {
      rule: complete('EEEEEEEEEE', 'x'),
      item: { fields: { von: '10', bis: 20, normal: '15,00' }, own: { seller_ids: ['ICH'], shipping_cents: 0 } },
    };
    const decision = await kontor.ask(api.decidePrice, { params: { masterid }, body: { ...asked, offers: [offer] } });
    expect(decision).toMatchObject({
      price_cents: 1399,
      reason: 'COMPETE_LOWEST',
      target_seller_id: 'A',
      arithmetic: { diff_cents: 1 },
    });
    expect(await kontor.ask(api.decidePrice, { params: { masterid }, body: asked })).toMatchObject({
      price_cents: null,
      reason: 'HOLD_NO_OFFER_DATA',
    });
  });

  it('REP-19 accepts messages, explains prices, simulates a rule and stops the company by API calls', async () => {
    const params = { masterid };
    // A time that no database can store counts as long past, whatever else the message says.
    const year0 = JSON.parse(
      JSON.stringify(offerMessage(1, { X: 1 }, { at: new Date(0), id: 'jahr-0' })).replace('1970', '0000'),
    ) as unknown;
    expect(await kontor.ask(api.takeOffers, { params, body: [year0] })).toMatchObject({ old: 1, unreadable: 0 });
    expect(await kontor.ask(api.takeOffers, { params, body: [{}, 'x'] })).toMatchObject({ unreadable: 2, taken: 0 });
    const order = orderMessage(1, { at: new Date(), order: '1' });
    expect(await kontor.ask(api.takeOffers, { params, body: [order] })).toMatchObject({ unknown: 1, unreadable: 0 });
    const listing = { item: 'A-1', marketplace: 'M', account: 'none', sku: 's', asin: 'b' };
    const refused = await kontor.raw(pathOf(api.saveListings, params), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([listing]),
    });
    expect(refused.status).toBe(422);
    expect(await kontor.ask(api.priceDecisions, { params: { masterid, itemid: 'A-1' } })).toEqual([]);
    expect(await kontor.ask(api.priceRuler, { params: { masterid, itemid: 'A-1' } })).toEqual([]);
    expect(await kontor.ask(api.simulatePrices, { params, body: { rule: complete('FFFFFFFFFF', 'x') } })).toMatchObject(
      { total: 0 },
    );
    expect(await kontor.ask(api.limitChange, { params, body: { rules: [] } })).toMatchObject({ concerned: 0 });
    await kontor.ask(api.stopPrices, { body: { stopped: true, reason: 'Test' } });
    expect(await state()).toMatchObject({ company_stopped: true, breakers: [], alarms: [] });
    await kontor.ask(api.stopPrices, { body: { stopped: false } });
    const confirm = (version: string) =>
      kontor.ask(api.releasePrices, { params, body: { what: 'limits', reason: 'geprüft', version } });
    await expect(confirm('0:0:0:0')).rejects.toThrow(/409.*limits_changed/);
    expect(await confirm((await state()).limits_version)).toMatchObject({ company_stopped: false });
    const scope = { subject: 'releases' as const, scope: `master:${masterid}` };
    expect((await kontor.ask(api.revisions, { params: scope }))[0]?.changes).toEqual([
      'Stark geänderte Preisgrenzen bestätigt. Begründung: geprüft',
    ]);
  });
});
