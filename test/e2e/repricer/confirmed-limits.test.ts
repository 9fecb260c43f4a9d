import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { type Call, CONFIRMED, pathOf } from '#shared/http/call.ts';
import { ErrorBody } from '#shared/http/errors.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { addMember } from '../../stages/add-member.ts';
import { Visitor } from '../../stages/http/visitor.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { rule, set, when } from '../../stages/feed/rules.ts';

const ITEMS = 102;
const minute = 60_000;
const always = [when('titel', 'is_not_empty')];
const half = rule('Halb', always, [set('von', '5,00')]);
const few = rule('Wenige', [when('sku', 'is_equal', 'A-1')], [set('von', '5,00')]);
const other = rule('Hinweis', always, [set('hinweis', 'neu')]);
const mapping = (target: string) => ({
  name: 'Standard',
  data: [
    { id: 'r1', field: [{ type: '_field' as const, value: 'titel', caption: '' }], value: 'Ding', target, catname: '' },
  ],
});

describe('T26 limits of many offers change only after a confirmed call, also for API tokens', () => {
  const clock = { time: new Date('2026-03-10T08:00:00Z').getTime(), now: () => new Date(clock.time) };
  let kontor: TestKontor;
  let masterid = '';
  const first = undercutting('Regel00001', 'Unterbieten', ['von', 'bis', '_mapping:Standard']);
  const second = undercutting('Regel00002', 'Tiefer', ['tief', 'bis', '_mapping:Standard']);
  beforeAll(async () => {
    kontor = await testKontor({}, { clock });
    const rows = Array.from({ length: ITEMS }, (_, n) => `A-${n};Ding;10,00;4,00;20,00`);
    masterid = await masterWith(kontor, ['sku;titel;von;tief;bis', ...rows].join('\n'), { key: 'sku' });
    const account = { name: 'Konto', sellerId: 'WIR', masterid, marketplace: 'A1PA6795UKMFR9' };
    const { id } = await kontor.ask(api.createMarketplaceAccount, { body: account });
    const listing = { marketplace: 'A1PA6795UKMFR9', account: id, shipping: 0, price: 1500 };
    const body = Array.from({ length: ITEMS }, (_, n) => ({ ...listing, item: `A-${n}`, sku: `S${n}`, asin: `B${n}` }));
    await kontor.ask(api.saveListings, { params: { masterid }, body });
    expect(await outcome(api.saveMapping, { masterid, mappingid: 'standard01' }, mapping('15,00'))).toBe('saved');
    expect(await outcome(api.saveRepricerRule, { masterid, ruleid: first.id }, first)).toBe('saved');
    expect(await outcome(api.saveRepricerRule, { masterid, ruleid: second.id }, second)).toBe('saved');
  });
  afterAll(() => kontor.close());

  /** Sends a request as a program with a token that has all permissions. */
  const send = async (call: Call, params: Record<string, string>, body: unknown, mark?: string, query = '') => {
    const answer = await kontor.raw(`${pathOf(call, params)}${query}`, {
      method: call.method,
      headers: { 'content-type': 'application/json', ...(mark === undefined ? {} : { [CONFIRMED]: mark }) },
      body: JSON.stringify(body),
    });
    const { error } = ErrorBody.partial().parse(await answer.json());
    const text = error === undefined ? 'saved' : `${answer.status} ${error.code} ${error.message}`;
    return { text, confirm: error?.confirm };
  };
  /** `confirmed`: confirms if the server asks. */
  const outcome = async (call: Call, params: Record<string, string>, body: unknown, confirmed = false, query = '') => {
    const { text, confirm } = await send(call, params, body, undefined, query);
    if (!confirmed || confirm === undefined) return text;
    return (await send(call, params, body, confirm.mark, query)).text;
  };
  const rules = (list: Rule[], confirmed = false) => outcome(api.saveMasterRules, { masterid }, list, confirmed);
  const current = async () => Object.keys(await kontor.ask(api.repricerRules, { params: { masterid } }));
  const asked = /^409 limits_confirm .*10[12] Ihrer Angebote.*Es wurde nichts gespeichert\./;

  it('a repricing rule with another field; nothing is saved before the confirmation', async () => {
    const lower = { ...first, action: second.action };
    const params = { masterid, ruleid: first.id };
    expect(await outcome(api.saveRepricerRule, params, lower)).toMatch(
      /102 Ihrer Angebote: der Mindestpreis sinkt bei 102, davon bei 102 auf weniger als die Hälfte\..*von 10,00\s€ auf 4,00\s€\./,
    );
    expect((await kontor.ask(api.repricerRules, { params: { masterid } }))[first.id]?.action.min_price.value).toBe(
      'von',
    );
    expect(await outcome(api.saveRepricerRule, params, { ...first, name: 'Anders' })).toBe('saved');
    expect(await outcome(api.saveRepricerRule, params, lower, true)).toBe('saved');
    const back = { subject: 'repricer', scope: `master:${masterid}` };
    const { 0: newest } = await kontor.ask(api.revisions, { params: back });
    const revision = (newest?.revision ?? 0) - 1;
    expect(await outcome(api.restore, back, { revision })).toMatch(asked);
    expect(await outcome(api.restore, back, { revision }, true)).toBe('saved');
  });

  it('several repricing rules in one step: one confirmation, one revision, all or none', async () => {
    const paused = { ...first, active: false };
    const lower = { ...second, action: { ...second.action, max_price: { type: '_field' as const, value: 'von' } } };
    const body = { ids: [second.id, first.id], rules: [paused, lower] };
    const before = await kontor.ask(api.repricerState, { params: { masterid } });
    expect(await outcome(api.orderRepricerRules, { masterid }, body)).toMatch(
      /^409 limits_confirm .*102 Ihrer Angebote.* der Maximalpreis /,
    );
    expect((await kontor.ask(api.repricerState, { params: { masterid } })).revision).toBe(before.revision);
    const nameless = { ...body, rules: [paused, { ...lower, name: '' }] };
    expect(await outcome(api.orderRepricerRules, { masterid }, nameless, true)).toMatch(/^422 rule_wrong/);
    expect(await outcome(api.orderRepricerRules, { masterid }, body, true)).toBe('saved');
    const after = await kontor.ask(api.repricerState, { params: { masterid } });
    expect([after.revision, after.order]).toEqual([before.revision + 1, [second.id, first.id]]);
    const rules = await kontor.ask(api.repricerRules, { params: { masterid } });
    expect([rules[first.id]?.active, rules[second.id]?.action.max_price.value]).toEqual([false, 'von']);
    const back = { ids: [first.id, second.id], rules: [first, second] };
    expect(await outcome(api.orderRepricerRules, { masterid }, back, true)).toBe('saved');
  });

  it('a confirmation is valid only for the same content, and only while the numbers stay the same', async () => {
    const params = { masterid, ruleid: first.id };
    const lower = { ...first, action: second.action };
    const { confirm } = await send(api.saveRepricerRule, params, lower);
    expect(confirm).toEqual({ mark: expect.stringMatching(/^[0-9a-f]{64}$/), offers: 102 });
    const mark = confirm?.mark ?? '';
    for (const guess of ['1', '', mark.replace(/.$/, mark.endsWith('0') ? '1' : '0')])
      expect((await send(api.saveRepricerRule, params, lower, guess)).text).toMatch(asked);
    // Another rule, another call.
    const renamed = { ...lower, name: 'Umbenannt' };
    expect((await send(api.saveRepricerRule, params, renamed, mark)).text).toMatch(asked);
    expect((await send(api.orderRepricerRules, { masterid }, { ids: [second.id, first.id] }, mark)).text).toMatch(
      asked,
    );
    // One offer less: the text that the user confirmed is outdated.
    const { id: company } = (await kontor.ask(api.session)).company;
    const listing = await kontor.database.company(company, async (trx) => {
      const row = await trx.selectFrom('listings').selectAll().where('item', '=', 'A-7').executeTakeFirstOrThrow();
      await trx.deleteFrom('listings').where('item', '=', 'A-7').execute();
      return row;
    });
    const fewer = await send(api.saveRepricerRule, params, lower, mark);
    expect(fewer.text).toMatch(/^409 limits_confirm .*101 Ihrer Angebote/);
    await kontor.database.company(company, (trx) => trx.insertInto('listings').values(listing).execute());
    expect((await send(api.saveRepricerRule, params, lower, fewer.confirm?.mark)).text).toMatch(asked);
    expect((await send(api.saveRepricerRule, params, lower, mark)).text).toBe('saved');
    expect(await outcome(api.saveRepricerRule, params, first, true)).toBe('saved');
  });

  it('the preview on the page has the same wording as the confirmation of save, order and deletion', async () => {
    const { min_price, ...action } = first.action;
    const [lower, higher] = [second.action.min_price, { ...min_price, value: 'bis' }].map((min) => ({
      ...first,
      action: { ...action, min_price: min },
    }));
    const told = async (body: { rules: (typeof first)[]; order?: string[]; gone?: string[] }) => {
      const order = [first.id, second.id];
      return (await kontor.ask(api.limitChange, { params: { masterid }, body: { order, gone: [], ...body } })).question;
    };
    const saved = (rule: typeof first | undefined) =>
      outcome(api.saveRepricerRule, { masterid, ruleid: first.id }, rule);
    const down = await told({ rules: lower === undefined ? [] : [lower] });
    const up = await told({ rules: higher === undefined ? [] : [higher] });
    // The same number of offers, another direction: confirming one does not confirm the other.
    expect([down, up]).toEqual([
      expect.stringContaining('der Mindestpreis sinkt bei 102'),
      expect.stringContaining('der Mindestpreis steigt bei 102'),
    ]);
    expect([await saved(lower), await saved(higher)]).toEqual([
      `409 limits_confirm ${down}`,
      `409 limits_confirm ${up}`,
    ]);
    const ids = [second.id, first.id];
    const sorted = await told({ rules: [], order: ids });
    expect(await outcome(api.orderRepricerRules, { masterid }, { ids })).toBe(`409 limits_confirm ${sorted}`);
    const without = await told({ rules: [], order: [second.id], gone: [first.id] });
    const deleted = outcome(api.deleteRepricerRule, { masterid }, {}, false, `?queryselector=${first.id}`);
    expect(await deleted).toBe(`409 limits_confirm ${without}`);
    expect(await told({ rules: [{ ...first, name: 'Anders' }] })).toBe('');
  });

  it('reordering or deleting repricing rules', async () => {
    const ids = [second.id, first.id];
    expect(await outcome(api.orderRepricerRules, { masterid }, { ids })).toMatch(asked);
    expect(await current()).toEqual([first.id, second.id]);
    expect(await outcome(api.deleteRepricerRule, { masterid }, {}, false, `?queryselector=${first.id}`)).toMatch(asked);
    expect(await outcome(api.orderRepricerRules, { masterid }, { ids: ids.toReversed() })).toBe('saved');
  });

  it('catalogue rules that write a limit; rules for few offers or other fields are saved at once', async () => {
    expect(await rules([half])).toMatch(/^409 limits_confirm „Halb“: .*102 Ihrer Angebote Preisgrenzen.*„von“/);
    expect(await kontor.ask(api.masterRules, { params: { id: masterid } })).toEqual([]);
    expect(await rules([few, other])).toBe('saved');
    expect(await rules([half], true)).toBe('saved');
    expect(await outcome(api.deleteMasterRule, { masterid, ruleid: half.id }, {})).toMatch(asked);
    const back = { subject: 'rules', scope: `master:${masterid}` };
    expect(await outcome(api.restore, back, { revision: 1 })).toMatch(asked);
    expect(await outcome(api.deleteMasterRule, { masterid, ruleid: half.id }, {}, true)).toBe('saved');
  });

  it('a mapping that writes a limit', async () => {
    const params = { masterid, mappingid: 'standard01' };
    expect(await outcome(api.saveMapping, params, mapping('1,00'))).toMatch(asked);
    expect(await outcome(api.deleteMappings, { masterid }, { ids: ['standard01'] })).toMatch(asked);
    expect(await outcome(api.saveMapping, params, { ...mapping('15,00'), description: 'Notiz' })).toBe('saved');
    expect(await outcome(api.saveMapping, params, mapping('14,00'), true)).toBe('saved');
  });

  it('offers moved to other products, which the security log records', async () => {
    const { accounts } = await kontor.ask(api.marketplaceAccounts);
    const [account] = accounts;
    const listing = { marketplace: 'A1PA6795UKMFR9', account: account?.id ?? '', shipping: 0, price: 1500 };
    const body = Array.from({ length: ITEMS }, (_, n) => ({ ...listing, item: `A-${n}`, sku: `T${n}`, asin: `B${n}` }));
    expect(await outcome(api.saveListings, { masterid }, body)).toMatch(
      /^409 limits_confirm Bei 102 Ihrer Angebote gehören Preisgrenzen damit zu einem anderen Produkt/,
    );
    expect(await outcome(api.saveListings, { masterid }, body.slice(0, 1))).toBe('saved');
    expect(await outcome(api.saveListings, { masterid }, body, true)).toBe('saved');
    expect(await outcome(api.saveListings, { masterid }, body)).toBe('saved');
    const { events } = await kontor.ask(api.securityLog, { query: { kind: 'prices', limit: 50 } });
    expect(events.map(({ subject }) => subject)).toContain('Angebote mit anderem Produkt: 101');
  });

  it('rules and mappings that write a limit require a fresh proof and appear in the security log', async () => {
    const person = { name: 'Frieda Yılmaz', email: 'frieda@beispiel.de', password: 'lampe-wolke-trecker' };
    await addMember(kontor, { ...person, role: 'admin' });
    const visitor = new Visitor(kontor);
    await visitor.signIn(person);
    clock.time += 16 * minute;
    const save = (list: Rule[]) => visitor.outcome(api.saveMasterRules, { params: { masterid }, body: list });
    expect(await save([other])).toEqual([200, 'ok']);
    expect(await save([other, few])).toEqual([403, 'step_up_required']);
    const params = { masterid, ruleid: second.id };
    const saveRule = (body: typeof first) => visitor.outcome(api.saveRepricerRule, { params, body });
    expect(await saveRule({ ...second, active: false })).toEqual([200, 'ok']);
    expect(await saveRule({ ...second, active: true })).toEqual([403, 'step_up_required']);
    await visitor.ask(api.prove, { body: { password: person.password } });
    expect(await save([other, few])).toEqual([200, 'ok']);
    const { events } = await kontor.ask(api.securityLog, { query: { kind: 'prices', limit: 50 } });
    expect(events.map(({ subject }) => subject)).toContain('Preisgrenzen: „Wenige“');
  });
});
