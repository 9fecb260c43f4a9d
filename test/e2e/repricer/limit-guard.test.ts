import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { limitsReview } from '#catalogue/limits-review.ts';
import { confirmLimits } from '#repricer/control/state.ts';
import { api } from '#shared/http/api.ts';
import { pathOf, type Call } from '#shared/http/call.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { masterWith, settled, testKontor, token, type TestKontor } from '../../stages/kontor.ts';
import { rule, set, when } from '../../stages/feed/rules.ts';

const csv = (cost: string, color = 'rot') => `sku;titel;farbe;ek;bis;normal\nA-1;Hammer;${color};${cost};20,00;15,00`;
const copied = { field: 'mindest', select: 'copy', value: [{ type: '_field', value: 'ek' }] };
const minimum = rule('Mindest', [when('titel', 'is_not_empty')], [copied]);
const half = rule('Halb', [when('titel', 'is_not_empty')], [set('mindest', '0,50')]);
const upper = rule('Titel', [when('titel', 'is_not_empty')], [set('hinweis', 'neu')]);
const standard = (target: string) => ({
  name: 'Standard',
  data: [
    { id: 'r1', field: [{ type: '_field' as const, value: 'titel', caption: '' }], value: 'x', target, catname: '' },
  ],
});

describe('users without the right to prices cannot move price limits in other ways (M11)', () => {
  let kontor: TestKontor;
  let masterid: string;
  let company: string;
  let editor: string;
  let server: Server;
  let file = csv('10,00');
  beforeAll(async () => {
    kontor = await testKontor();
    server = createServer((_request, reply) =>
      reply.writeHead(file === '' ? 404 : 200, { 'content-type': 'text/csv' }).end(file),
    );
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve());
    });
    company = (await kontor.ask(api.session)).company.id;
    masterid = await masterWith(kontor, csv('10,00'), { key: 'sku' });
    const priced = undercutting('Regel00001', 'Unterbieten', ['mindest', 'bis', '_mapping:Standard']);
    await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: priced.id }, body: priced });
    await kontor.ask(api.saveMapping, { params: { masterid, mappingid: 'standard01' }, body: standard('15,00') });
    await saved([half], token);
    await saved([minimum], token);
    ({ token: editor } = await kontor.ask(api.createToken, { body: { name: 'Redaktion', role: 'editor' } }));
  });
  afterAll(async () => {
    await kontor.close();
    server.close();
  });
  const ref = () => ({ company, masterid });
  const review = () => kontor.database.company(company, (trx) => limitsReview(trx, ref()));
  beforeEach(() =>
    kontor.database.company(company, (trx) => confirmLimits(trx, ref(), { version: '', author: 'Test' })),
  );

  const outcome = async (call: Call, params: Record<string, string>, body: unknown, as = editor) => {
    const answer = await kontor.raw(pathOf(call, params), {
      method: call.method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      as,
    });
    const { error } = (await answer.json()) as { error?: { code: string; message: string } };
    return error === undefined ? 'saved' : `${answer.status} ${error.code} ${error.message}`;
  };
  const saved = (rules: Rule[], as = editor) => outcome(api.saveMasterRules, { masterid }, rules, as);
  const imported = async (bytes: string, as = editor) => {
    const form = new FormData();
    form.set('file', new Blob([bytes]), 'neu.csv');
    const answer = await kontor.raw(pathOf(api.import, { masterid }), { method: 'POST', body: form, as });
    const { runid } = (await answer.json()) as { runid: string };
    return settled(kontor, runid);
  };

  it('a rule that writes a limit is refused in German by name; another rule is saved', async () => {
    expect(await saved([half])).toMatch(
      /^403 prices_permission „Halb“, „Mindest“: .*„mindest“.*fehlt Ihnen das Recht „Preise“/,
    );
    expect(await saved([])).toContain('403 prices_permission');
    expect(await outcome(api.deleteMasterRule, { masterid, ruleid: minimum.id }, {})).toContain(
      '403 prices_permission',
    );
    expect(await saved([minimum, upper])).toBe('saved');
    expect(await saved([minimum, half], token)).toBe('saved');
    expect(await saved([minimum], token)).toBe('saved');
  });

  it('a mapping that writes a limit and an older state of the rules are refused too', async () => {
    const mapping = { masterid, mappingid: 'standard01' };
    expect(await outcome(api.saveMapping, mapping, standard('1,00'))).toContain('„Standard“');
    expect(await outcome(api.saveMapping, mapping, { ...standard('15,00'), description: 'Notiz' })).toBe('saved');
    const older = { subject: 'rules', scope: `master:${masterid}` };
    expect(await outcome(api.restore, older, { revision: 1 })).toContain('403 prices_permission');
    expect(await outcome(api.restore, older, { revision: 1 }, token)).toBe('saved');
    expect(await saved([minimum], token)).toBe('saved');
  });

  it('an import that changes limit values puts prices under review, one that changes a colour does not', async () => {
    expect((await imported(csv('10,00', 'blau'))).warnings.join()).not.toContain('Preisgrenzen');
    expect(await review()).toBe('');
    expect((await imported(csv('10,01', 'blau'))).warnings.join()).toContain('aus denen Preisgrenzen kommen');
    expect(await review()).toContain('„neu.csv“, importiert von Token „Redaktion“ von Inhaber ohne das Recht „Preise“');
  });

  it('removing an item and re-importing it with other values puts prices under review too', async () => {
    const other = 'B-2;Zange;rot;5,00;20,00;15,00';
    await imported(`${csv('10,00')}\n${other}`, token);
    const sent = {
      company,
      id: 'P1',
      master: masterid,
      marketplace: 'DE',
      item: 'A-1',
      account: 'K',
      sku: 'A-1',
      decision: 1,
    };
    const limits = {
      rule: 'R',
      limits_version: '1',
      currency: 'EUR',
      price_cents: 1500,
      min_cents: 1000,
      max_cents: 2000,
    };
    const price = { ...sent, ...limits, state: 'live', reached_min: false, created_at: new Date() } as const;
    await kontor.database.company(company, (trx) => trx.insertInto('price_submissions').values(price).execute());
    await imported(`sku;titel;farbe;ek;bis;normal\n${other}`);
    expect(await review()).toBe('');
    await imported(`${csv('6,00')}\n${other}`);
    expect(await review()).toContain('ohne das Recht „Preise“');
    await kontor.database.company(company, (trx) => confirmLimits(trx, ref(), { version: '', author: 'Test' }));
    await imported(`${csv('6,00')}\n${other}\nC-3;Säge;rot;5,00;20,00;15,00`);
    expect(await review()).toBe('');
  });

  it('an import by a user with the right to prices causes no review', async () => {
    await imported(csv('9,00'), token);
    expect(await review()).toBe('');
  });

  it('imports from an address entered by such a user are reviewed until a user with the right saves it', async () => {
    const { port } = server.address() as AddressInfo;
    const body = { active: true, address: `http://127.0.0.1:${port}/a.csv` };
    const fetched = async () => {
      const { runid } = await kontor.ask(api.runImportSchedule, { params: { masterid } });
      await settled(kontor, runid);
      return review();
    };
    expect(await outcome(api.saveImportSchedule, { masterid }, body)).toBe('saved');
    file = csv('8,00');
    expect(await fetched()).toContain('Preisgrenzen');
    await kontor.database.company(company, (trx) => confirmLimits(trx, ref(), { version: '', author: 'Test' }));
    const vouched = await kontor.ask(api.saveImportSchedule, {
      params: { masterid },
      body: { active: true, address: '' },
    });
    expect(vouched.message).toContain('stehen Sie für sie ein');
    const { events } = await kontor.ask(api.securityLog, { query: { kind: 'prices', limit: 10 } });
    expect(events.map(({ subject }) => subject).join()).toContain('steht für die Adresse ein');
    file = csv('7,00');
    expect(await fetched()).toBe('');
  });

  it('a retry by such a user of an import started by a user with the right is reviewed', async () => {
    file = '';
    const { runid } = await kontor.ask(api.runImportSchedule, { params: { masterid } });
    expect((await settled(kontor, runid)).state).toBe('failed');
    file = csv('6,50');
    const again = await kontor.raw(pathOf(api.retryRun, { runid }), { method: 'POST', as: editor });
    await settled(kontor, ((await again.json()) as { runid: string }).runid);
    expect(await review()).toContain('ohne das Recht „Preise“');
  });

  it('a file whose other values turn the same text into another number is reviewed too', async () => {
    const rest = ';20,00;15,00';
    const head = 'sku;titel;farbe;ek;bis;normal';
    await imported(`${head}\nA-1;Hammer;rot;1.299${rest}\nB-2;Zange;rot;24,90${rest}`, token);
    await imported(`${head}\nA-1;Hammer;rot;1.299${rest}\nC-3;Säge;rot;24.90${rest}`);
    expect(await review()).toContain('ohne das Recht „Preise“');
  });

  it('putting an older snapshot in force by such a user causes a review', async () => {
    const params = { masterid, number: '1' };
    expect(await outcome(api.makeSnapshotLive, params, { reason: 'zurück' })).toBe('saved');
    expect(await review()).toBe(
      'Stand 1 wurde von Token „Redaktion“ von Inhaber ohne das Recht „Preise“ in Kraft gesetzt.',
    );
  });
});
