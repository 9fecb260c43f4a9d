import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { openBreakers, releaseBreakers } from '#repricer/control/breakers.ts';
import { runningRules } from '#repricer/decide/decide-listing.ts';
import { outcomeOf, samplesOfOthers } from '#repricer/record/replay-samples.ts';
import { verifyHashChain, brokenSeal, lastAudit, extendHashChain } from '#repricer/record/audit-hash-chain.ts';
import { evaluatePrice } from '#repricer/decide/evaluate-price.ts';
import { replayDecisions } from '#repricer/record/replay.ts';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { loadRepricerRules } from '#repricer/rules/rule-store.ts';
import { decidedWorld } from '../../stages/repricer/decided-world.ts';
import type { PriceWorld } from '../../stages/repricer/price-world.ts';

const ITEMS = 140;
const never = new AbortController().signal;

describe('the record of decisions', () => {
  let world: PriceWorld;
  beforeAll(async () => {
    world = await decidedWorld(ITEMS);
  });
  afterAll(() => world.close());

  const samples = () => world.inside((trx) => samplesOfOthers(trx, world.place, 'next', 1000));
  const open = async () => (await world.inside((trx) => openBreakers(trx, world.place))).map(({ kind }) => kind);
  const rehearsed = async () => {
    await replayDecisions({ ...world.deps, program: 'next' }, never);
    return open();
  };
  /** Stores a sample as another version of the program would. */
  const keep = (item: string, what: { basis?: object; outcome: object }) =>
    world.inside((trx) =>
      pg`update decision_samples set outcome = ${JSON.stringify(what.outcome)},
        basis = coalesce(${what.basis === undefined ? null : JSON.stringify(what.basis)}::text, basis) where item = ${item}`.execute(
        trx,
      ),
    );
  const told = async (title: string) =>
    Number(
      (
        await world.inside((trx) =>
          pg<{ n: number }>`select count(*) as n from notifications where title like ${`%${title}%`}`.execute(trx),
        )
      ).rows[0]?.n,
    );

  describe('the replay before another version sets prices', () => {
    it("REP-19 recomputes others' decisions; equal results and one differing in a hundred hold nothing", async () => {
      const kept = await samples();
      expect(kept.length).toBeGreaterThan(100);
      expect(kept.map(({ outcome }) => outcome?.verdict)).toContain('submit 1449');
      expect(await rehearsed()).toEqual([]);
      const [first] = kept;
      await keep(first?.item ?? '', { outcome: { ...first?.outcome, price: 1300 } });
      expect(await rehearsed()).toEqual([]);
    });

    it('REP-19 limits computed otherwise by the compiler are a difference; those of old versions count as stored', async () => {
      const [, second, third] = await samples();
      const { rules } = await world.inside((trx) => loadRepricerRules(trx, world.place));
      const other = (sample: typeof second, version: string | undefined) => {
        if (sample?.basis === undefined) throw new Error('no sample');
        const basis = {
          ...sample.basis,
          version: version ?? sample.basis.version,
          fields: { von: '14,80', bis: '20', normal: '15' },
        };
        const priced = evaluatePrice(runningRules(rules), basis);
        if (priced === undefined) throw new Error('no price');
        return keep(sample.item, { basis, outcome: outcomeOf(priced) });
      };
      await other(second, '0:0:0:0');
      await other(third, '0:0:0:0');
      expect(await rehearsed()).toEqual([]);
      await other(second, undefined);
      expect(await rehearsed()).toEqual(['release']);
    });

    it('REP-19 a failed replay holds everything and notifies; a release accepts the new version', async () => {
      const { rows } = await world.inside((trx) =>
        pg<{ held: string; n: number }>`select held, count(*) as n from price_submissions group by held`.execute(trx),
      );
      expect(rows).toEqual([{ held: 'BREAKER', n: expect.anything() }]);
      expect(await told('Preise angehalten')).toBe(1);
      const [breaker] = await world.inside((trx) => openBreakers(trx, world.place));
      expect(breaker?.details).toMatch(
        /\(next\) rechnet anders: 2 von \d+ .* Zum Beispiel Artikel A-\d+: bisher .*\u00a0€/,
      );
      await rehearsed();
      expect(await told('Preise angehalten')).toBe(1);
      const release = { by: 'Test', reason: 'geprüft', now: world.clock.now() };
      await world.inside((trx) => releaseBreakers(trx, world.place, release));
      expect(await samples()).toEqual([]);
      expect(await rehearsed()).toEqual([]);
    });

    it('REP-19 unreadable samples count as different; a version does not replay its own decisions', async () => {
      for (let n = 0; n < 3; n++) await world.receive(world.message(n, { K1: 14.2 }));
      await repriceDue(world.deps);
      await keep('A-1', { outcome: { what: 'another form' } });
      await replayDecisions(world.deps, never);
      expect(await open()).toEqual([]);
      expect(await rehearsed()).toEqual(['release']);
    });
  });

  describe('the hash chain', () => {
    const broken = async () => (await brokenSeal(world.deps, world.company, never)).broken;
    const audit = () => verifyHashChain(world.deps, world.company, never);
    /** Changes that only the database's administrator could make. */
    const tamper = (change: string) =>
      world.database
        .script(`begin; set local kontor.company = '*'; alter table price_decisions disable trigger price_decisions_kept;
        ${change}; alter table price_decisions enable trigger price_decisions_kept; commit`);

    it('REP-19 seals every decision once, each seal containing the one before', async () => {
      expect(await extendHashChain(world.deps)).toBe(1);
      expect(await extendHashChain(world.deps)).toBe(0);
      await world.receive(world.message(5, { K1: 14.1 }));
      await repriceDue(world.deps);
      expect(await extendHashChain(world.deps)).toBe(1);
      expect(await brokenSeal(world.deps, world.company, never)).toEqual({ seals: 2, broken: undefined });
      expect((await world.decided(5))?.seal).toMatchObject({ number: 2, verifiedAt: null });
      await audit();
      expect((await world.decided(5))?.seal).toMatchObject({ number: 2, verifiedAt: expect.any(String) });
      expect(await world.decided(6)).toMatchObject({ program: 'test', seal: { number: 1 } });
      expect(await world.inside((trx) => lastAudit(trx, world.company))).toMatchObject({ seals: 2, broken: '' });
      await expect(world.inside((trx) => pg`delete from decision_seals`.execute(trx))).rejects.toThrow(/kept/);
    });

    it('REP-19 a changed or removed decision breaks its seal, with one notification', async () => {
      await tamper(`update price_decisions set price_cents = price_cents + 1 where item = 'A-7'`);
      expect(await broken()).toMatch(/Siegel 1 .*Der Inhalt ist nicht mehr der/);
      await audit();
      await audit();
      expect(await told('Aufzeichnung der Preisentscheidungen verändert')).toBe(1);
      await tamper(`update price_decisions set price_cents = price_cents - 1 where item = 'A-7'`);
      expect(await broken()).toBeUndefined();
      await audit();
      expect(await world.inside((trx) => lastAudit(trx, world.company))).toMatchObject({ seals: 2, broken: '' });
      // Old seals are verified again in turn, even without new ones.
      await tamper(`update price_decisions set price_cents = price_cents + 1 where item = 'A-9'`);
      await audit();
      expect(await world.inside((trx) => lastAudit(trx, world.company))).toMatchObject({
        seals: 0,
        broken: expect.stringMatching(/Siegel 1 /),
      });
      await tamper(`update price_decisions set price_cents = price_cents - 1 where item = 'A-9'`);
      await tamper(`delete from price_decisions where item = 'A-5' and id = (select max(id) from price_decisions)`);
      expect(await broken()).toMatch(/Siegel 2 .*Es sind 0 statt 1 /);
    });
  });
});
