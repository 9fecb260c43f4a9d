import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { testKontor, type TestKontor } from '../stages/kontor.ts';

describe('the demo company', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor({ KONTOR_DEMO: '1' });
  });
  afterAll(() => kontor.close());

  it('greets with orders, a file that waits for a release, and items to mend', { timeout: 120_000 }, async () => {
    const exports = async () => (await kontor.ask(api.masters)).flatMap((master) => master.exports);
    await expect.poll(async () => (await exports()).length, { timeout: 60_000 }).toBe(2);
    const [feed] = await exports();
    const id = feed?.id ?? '';
    const loaded = () => kontor.ask(api.export, { params: { id } });
    await expect.poll(async () => (await loaded()).lastRun?.state, { timeout: 90_000 }).toBe('blocked');
    const { settings, file, readiness } = await loaded();
    expect(settings.name).toBe('Google Shopping DE');
    expect(file).not.toBeNull();
    expect(readiness?.errors).toBeGreaterThan(0);
    expect(readiness?.errors).toBeLessThan((readiness?.items ?? 0) / 2);

    const counters = await kontor.ask(api.orderCounters);
    expect(counters).toMatchObject({ open: 8, overdue: 1, cancel_requests: 1 });
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const rows = await kontor.ask(api.orderStatistic, { body: { start: day(60), end: day(1) } });
    expect(new Set(rows.map(({ _id }) => _id.marketplaceChannelName)).size).toBe(2);
    const { buyboxdata } = await kontor.ask(api.repricerStatistic, { body: { start: day(20), end: day(1) } });
    expect(buyboxdata.buyboxstat[0]?.daten.length).toBeGreaterThan(400);
  });
});
