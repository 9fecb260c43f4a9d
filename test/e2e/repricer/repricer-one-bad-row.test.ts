import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#marketplaces/accounts/accounts.ts';
import { pg } from '#platform/db/pg.ts';
import { openBreakers } from '#repricer/control/breakers.ts';
import { extendHashChain } from '#repricer/record/audit-hash-chain.ts';
import { replayDecisions } from '#repricer/record/replay.ts';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { startRestore } from '#repricer/control/restore.ts';
import { loadSafety, saveSafety } from '#repricer/control/safety.ts';
import { submitDue } from '#repricer/outbox/submit.ts';
import { normalSafety } from '#shared/repricer/safety.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';

/** An error in one catalogue, account or record stops only that one; what was decided before a switch stays. */
describe('one bad row among many', () => {
  let world: PriceWorld;
  beforeAll(async () => {
    const rows = Array.from({ length: 6 }, (_, n) => `A-${n};10,00;20,00;15,00`);
    world = await makePriceWorld(['sku;von;bis;normal', ...rows].join('\n'), 6, [
      undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']),
    ]);
  });
  afterAll(() => world.close());

  /** Stores a document that no version of the program can read. */
  const document = (company: string, subject: string, masterid: string, body: string) =>
    world.database.company(company, (trx) =>
      pg`insert into documents (company, subject, scope, revision, body, author)
        values (${company}, ${subject}, ${`master:${masterid}`}, 1, ${body}, 'x')`.execute(trx),
    );
  const decide = async (n: number) => {
    await world.receive(world.message(n, { K1: 14 }));
    await repriceDue(world.deps);
  };
  const sent = async (n: number) => (await world.decided(n))?.sent;

  it('REP-19 unreadable rules of one company block no price of another', async () => {
    await document('kaputt', 'repricer', 'm', '{');
    await world.database.company('kaputt', (trx) =>
      pg`insert into reprice_queue (company, master, marketplace, item, since, due_at, cause)
        values ('kaputt', 'm', 'M1', 'X', now(), now() - interval '1 day', 'x')`.execute(trx),
    );
    expect(await world.undercut(0)).toBe(1);
    expect(await sent(0)).toMatchObject({ state: 'accepted' });
  });

  it('REP-19 an account that cannot be opened blocks no other', async () => {
    await world.inside((trx) =>
      pg`insert into marketplace_accounts (company, id, master, connector, marketplace, seller_id, name, active)
          values (${world.company}, 'a', ${world.masterid}, 'x', 'M1', 'WIR', '', true)`.execute(trx),
    );
    await world.inside((trx) =>
      pg`insert into price_submissions (company, id, master, marketplace, item, account, sku, decision, rule, limits_version, currency,
          price_cents, min_cents, max_cents, state, reached_min, created_at)
        values (${world.company}, 'a', ${world.masterid}, 'M1', 'X', 'a', 'X', 0, 'r', '', 'EUR', 2, 1, 3, 'new', false, now() - interval '1 day')`.execute(
        trx,
      ),
    );
    const open = async ({ id }: Account) => {
      if (id === 'a') throw new Error('no secret fits');
      return world.market.connector;
    };
    await decide(1);
    expect(await submitDue({ ...world.deps, open })).toBe(1);
    await world.inside((trx) => pg`delete from marketplace_accounts where id = 'a'`.execute(trx));
  });

  it('REP-19 an account paused between selection and sending sends nothing', async () => {
    const pause = (active: boolean) =>
      world.inside((trx) => pg`update marketplace_accounts set active = ${active}`.execute(trx));
    const open = async () => {
      await pause(false);
      return world.market.connector;
    };
    await decide(2);
    expect([await submitDue({ ...world.deps, open }), await sent(2)]).toMatchObject([0, { state: 'new' }]);
    await pause(true);
    expect([await submitDue(world.deps), await sent(2)]).toMatchObject([1, { state: 'accepted' }]);
  });

  it('REP-19 a price that waited longer than offers may be old is re-decided instead of sent', async () => {
    await decide(5);
    world.later(61 * 60);
    expect([await submitDue(world.deps), await sent(5)]).toMatchObject([0, { state: 'held', held: 'OFFERS_OLD' }]);
    await repriceDue(world.deps);
    expect(await world.decided(5)).toMatchObject({ cause: 'again', held: 'OFFERS_OLD' });
    expect(await world.undercut(5)).toBe(1);
  });

  it('REP-19 unreadable safety figures hold every price of the catalogue until new ones are saved', async () => {
    await document(world.company, 'price_safety', world.masterid, JSON.stringify({ ...normalSafety, step: 500 }));
    expect([await world.undercut(3), await world.decided(3)]).toMatchObject([0, { held: 'SAFETY_WRONG' }]);
    expect(await world.inside((trx) => loadSafety(trx, world.place))).toMatchObject({ readable: false });
    const save = { figures: normalSafety, confirmed: false, reason: '' };
    const author = { author: 'x', expected: undefined };
    expect(await world.inside((trx) => saveSafety(trx, world.place, save, author))).toMatchObject({ readable: true });
    expect(await world.undercut(3, 13.9)).toBe(1);
  });

  it('REP-19 waiting prices of rules are not sent once good prices are restored', async () => {
    await decide(4);
    const restore = { id: 'r', moment: world.clock.now(), reason: 'x', author: 'x', startedAt: world.clock.now() };
    await world.inside((trx) => startRestore(trx, world.place, restore));
    world.later(5);
    expect([await submitDue(world.deps), await sent(4)]).toMatchObject([0, { state: 'held', held: 'SUPERSEDED' }]);
  });

  it('REP-19 samples that another version cannot compute trip a breaker of their own catalogue', async () => {
    await world.inside((trx) => pg`update decision_samples set basis = '{'`.execute(trx));
    await replayDecisions({ ...world.deps, program: 'next' }, new AbortController().signal);
    const open = await world.inside((trx) => openBreakers(trx, world.place));
    expect(open).toMatchObject([{ kind: 'release', details: expect.stringContaining('nicht nachrechnen') }]);
  });

  it('REP-19 decisions of a company without any account are sealed too', async () => {
    await world.inside((trx) => pg`delete from marketplace_accounts`.execute(trx));
    expect(await extendHashChain(world.deps)).toBe(1);
  });
});
