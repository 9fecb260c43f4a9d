import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spansAround } from '#repricer/dashboard/rule-change.ts';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { addDays, berlinDay } from '#client/ui/text/days.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { insertRepricerFigures } from '../../stages/repricer/repricer-figures.ts';

const MARKETPLACE = 'A1PA6795UKMFR9';
const today = berlinDay(new Date());
const noon = (daysAgo: number) => new Date(`${addDays(today, -daysAgo)}T11:00:00Z`);

describe('the effect of a change of a repricing rule', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, 'sku;von;bis;normal\nA-1;10;20;15\n', { key: 'sku' });
    const seller = { name: 'Amazon DE', sellerId: 'A3WIR', masterid, marketplace: MARKETPLACE } as const;
    const account = (await kontor.ask(api.createMarketplaceAccount, { body: seller })).id;
    for (const name of ['Vorher', 'Nachher', 'Danach']) {
      const rule = undercutting('Regel00001', name, ['von', 'bis', 'normal']);
      await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: rule.id }, body: rule });
    }
    const company = (await kontor.ask(api.session)).company.id;
    const hours = [4, 3, 2, 1, 0].map((ago) => ({
      hour: noon(ago + 1),
      rank_1: 1,
      rank_2: 0,
      rank_3: 0,
      box: 1,
      observed: 10,
      observed_box: ago > 2 ? 2 : 7,
    }));
    const counter = (ago: number, kind: string, n: number) => ({ day: addDays(today, -ago), kind, n });
    await insertRepricerFigures(kontor, {
      masterid,
      account,
      seller: 'A3WIR',
      hours,
      counters: [
        counter(4, 'COMPETE_LOWEST', 5),
        counter(4, 'submit', 5),
        counter(3, 'COMPETE_LOWEST', 100),
        counter(1, 'COMPETE_LOWEST', 8),
        counter(1, 'held:TOO_SOON', 2),
      ],
      offers: [
        { item: 'A-1', rank: 1, box: true },
        { item: 'A-2', rank: 1, box: true },
        { item: 'B-1', rank: 1, box: true },
      ],
    });
    const decision = (item: string, ago: number, price_cents: number | null, rule: string) => ({
      company,
      master: masterid,
      marketplace: MARKETPLACE,
      item,
      product_id: `B-${item}`,
      cause: 'offers',
      rule,
      rule_revision: 1,
      snapshot: 1,
      limits_version: '1',
      min_cents: 1000,
      max_cents: 2000,
      standard_cents: 1500,
      decided_at: noon(ago),
      price_cents,
      reason: 'COMPETE_LOWEST',
      body: '{}',
      verdict: 'submit' as const,
    });
    await kontor.database.company(company, async (trx) => {
      await trx
        .updateTable('documents')
        .set({ created_at: noon(3) })
        .where('subject', '=', 'repricer')
        .where('revision', '=', 2)
        .execute();
      await trx
        .insertInto('price_decisions')
        .values([
          // Of one article on both sides; decisions on the day of the change are ignored.
          decision('A-1', 5, 1200, 'Regel00001'),
          decision('A-1', 4, 1400, 'Regel00001'),
          decision('A-1', 3, 1999, 'Regel00001'),
          decision('A-1', 2, 1000, 'Regel00001'),
          // Only afterwards: nothing to compare with, but at its minimum.
          decision('A-2', 1, 1000, 'Regel00001'),
          // Of another rule.
          decision('B-1', 4, 1100, 'AndereRege'),
          decision('B-1', 1, 1900, 'AndereRege'),
        ])
        .execute();
    });
  });
  afterAll(() => kontor.close());

  const ask = (number: number, days = 7) =>
    kontor.ask(api.ruleChange, { params: { masterid, number }, query: { days } });

  it('is compared over the same number of whole days before and after, for the articles of the changed rule', async () => {
    const change = await ask(2);
    expect(change).toMatchObject({
      revision: 2,
      narrowed: true,
      spans: {
        before: { start: addDays(today, -5), end: addDays(today, -4) },
        after: { start: addDays(today, -2), end: addDays(today, -1) },
      },
      box: { before: { observed: 20, box: 4 }, after: { observed: 20, box: 14 } },
      messages: { before: { decided: 5, held: 0 }, after: { decided: 8, held: 2 } },
      prices: [{ currency: 'EUR', articles: 1, before_cents: 1300, after_cents: 1000 }],
      minimum: { before: { articles: 1, at_minimum: 0 }, after: { articles: 2, at_minimum: 2 } },
    });
    expect(change.changes.join(' ')).toContain('Nachher');
  });

  it('covers at most the requested days and is empty without a whole day after the save', async () => {
    const change = await ask(2, 1);
    expect(change.spans?.after).toEqual({ start: addDays(today, -2), end: addDays(today, -2) });
    expect(change.others).toEqual([]);
    // The first and the third save were both made today: neither is followed by a whole day.
    expect(await ask(3)).toMatchObject({ spans: null, prices: [], box: { before: { observed: 0 } } });
  });

  it('names other saves in the compared days, also if hundreds of saves followed', async () => {
    const { id: company } = (await kontor.ask(api.session)).company;
    await kontor.database.company(company, async (trx) => {
      const saves = trx.updateTable('documents').where('subject', '=', 'repricer');
      await saves
        .set({ created_at: noon(4) })
        .where('revision', '=', 1)
        .execute();
      await pg`insert into documents (company, subject, scope, revision, body, author)
        select company, subject, scope, n, body, author from documents, generate_series(4, 260) n
        where subject = 'repricer' and revision = 3 on conflict do nothing`.execute(trx);
    });
    expect((await ask(2)).others).toMatchObject([{ revision: 1 }]);
  });

  it('an unknown revision is answered with 404', async () => {
    const answer = await kontor.raw(`/api/repricer/${masterid}/changes/999`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('Diesen Stand der Repricing-Regeln gibt es nicht (mehr).');
  });

  it('spans are calendar days in Berlin, also across the end of summer time', () => {
    expect(spansAround(new Date('2026-10-24T22:30:00Z'), 3, new Date('2026-10-30T12:00:00Z'))).toEqual({
      before: { start: '2026-10-22', end: '2026-10-24' },
      after: { start: '2026-10-26', end: '2026-10-28' },
    });
    expect(spansAround(new Date('2026-10-25T10:00:00Z'), 3, new Date('2026-10-26T12:00:00Z'))).toBeUndefined();
  });
});
