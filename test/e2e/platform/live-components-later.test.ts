import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { attributeOf, liveClient, propsOf } from '../../stages/http/live-client.ts';

describe('live components: deferred loading, address binding and forged props', () => {
  let kontor: TestKontor;
  let ahead = 0;
  let live: ReturnType<typeof liveClient>;
  beforeAll(async () => {
    kontor = await testKontor({}, { clock: { now: () => new Date(Date.now() + ahead) } });
    live = liveClient(kontor);
  });
  afterAll(() => kontor.close());

  const hello = () => live.first('hello');

  it('LVC-01 a deferred component renders a placeholder until its own request', async () => {
    const begin = await hello();
    for (const [name, when] of [
      ['hello-soon', 'defer'],
      ['hello-seen', 'lazy'],
    ] as const) {
      expect(attributeOf(begin, 'data-live-loading', name)).toBe(when);
      const asked = await live.send(name, { props: propsOf(begin, name) });
      expect(asked.html).toMatch(/Nachgeladen/);
      expect(asked.html).not.toMatch(/data-live-loading|aria-busy|Wird geladen/);
    }
    expect(begin).not.toContain('Nachgeladen');
    expect(attributeOf(begin, 'data-live-loading')).toBe('defer');
    expect(begin.slice(0, begin.indexOf('>'))).not.toContain('data-live-loading');
  });

  it('LVC-01 returns its address parameters under its own names and starts with the values of an address', async () => {
    const typed = await live.send('hello', {
      props: propsOf(await hello()),
      updated: { name: 'Frau "Beispiel" & Co' },
    });
    const told = (html: string): unknown => JSON.parse(attributeOf(html, 'data-live-address'));
    expect(told(typed.html)).toEqual({ name: 'Frau "Beispiel" & Co', summe: '0' });
    expect(attributeOf(typed.html, 'data-live-steps')).toBe('summe');
    const added = await live.send('hello/add', { props: propsOf(typed.html), args: {} });
    expect(told(added.html)).toMatchObject({ summe: '1' });
    const shared = await live.first('hello', { name: 'Frau Beispiel', summe: '7' });
    expect(propsOf(shared).values).toMatchObject({ name: 'Frau Beispiel', sum: 7 });
    for (const summe of ['-1', '1e2', 'x', '1.5', '99999999', '<b>'])
      expect(propsOf(await live.first('hello', { summe })).values).toMatchObject({ sum: 0 });
  });

  it('LVC-01 a client that sent ten forged props is blocked for ten minutes, whatever it sends (T12)', async () => {
    const props = propsOf(await hello());
    const forged = { ...props, values: { ...props.values, sum: 1_000_000 } };
    // Errors of other kinds do not count.
    for (let at = 0; at < 12; at++) expect((await live.send('hello', { props, updated: { sum: 1 } })).status).toBe(422);
    const answers = await Promise.all(Array.from({ length: 14 }, () => live.send('hello/add', { props: forged })));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array(10).fill(403),
      ...Array(4).fill(429),
    ]);
    const refused = await live.send('hello', { props });
    expect([refused.status, refused.code]).toEqual([429, 'too_many_attempts']);
    expect(refused.html).toContain('Zu viele ungültige Anfragen von Ihrem Anschluss. Bitte in 10 Minuten');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500);
    const data = encodeURIComponent(JSON.stringify({ props: propsOf(await live.first('header-counters')) }));
    expect((await kontor.raw(`/api/live-components/header-counters?data=${data}`)).status).toBe(429);
    ahead += 10 * 60_000 + 1000;
    expect((await live.send('hello', { props })).status).toBe(200);
  });
});
