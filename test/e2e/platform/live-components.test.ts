import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LIVE_MEDIA_TYPE } from '#shared/live/component-protocol.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { attributeOf, liveClient, png, propsOf, read } from '../../stages/http/live-client.ts';

describe('live components', () => {
  let kontor: TestKontor;
  let ahead = 0;
  let live: ReturnType<typeof liveClient>;
  beforeAll(async () => {
    kontor = await testKontor({}, { clock: { now: () => new Date(Date.now() + ahead) } });
    live = liveClient(kontor);
  });
  afterAll(() => kontor.close());
  // Forged props are counted for ten minutes; each test begins without earlier ones.
  beforeEach(() => {
    ahead += 11 * 60_000;
  });

  const hello = () => live.first('hello');
  /** Sends one path only: several at once would hide which one is refused. */
  const update = async (updated: unknown) => live.send('hello', { props: propsOf(await hello()), updated });

  describe('the protocol', () => {
    it('LVC-01 accepts props and updated values, and answers with one element of its own media type', async () => {
      const { status, headers, html } = await update({ name: 'Frau Beispiel', 'settings.day': '2026-02-28' });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe(`${LIVE_MEDIA_TYPE}; charset=utf-8`);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(html).toMatch(/^<live-component id="hello" data-live-component="hello"[^]*<\/live-component>$/);
      expect(propsOf(html).values).toMatchObject({ name: 'Frau Beispiel', settings: { day: '2026-02-28' } });
    });

    it('LVC-01 LVC-02 states its poll interval', async () => {
      expect(attributeOf(await hello(), 'data-poll')).toBe('delay(2000)|$render');
      expect(attributeOf(await live.first('header-counters'), 'data-poll')).toBe('delay(60000)|$render');
    });

    it('LVC-01 runs one action by its address and several in order by _batch', async () => {
      const one = await live.send('hello/add', {
        props: propsOf(await hello()),
        updated: { amount: '5' },
        args: { times: 2 },
      });
      expect(propsOf(one.html).values).toMatchObject({ sum: 10 });
      const actions = [{ name: 'clear' }, { name: 'add', args: {} }, { name: 'add', args: { times: 3 } }];
      const several = await live.send('hello/_batch', { props: propsOf(one.html), actions });
      expect(propsOf(several.html).values).toMatchObject({ sum: 20 });
    });

    it('LVC-01 renders the form again with a sentence and status 422 for invalid input, and runs no action', async () => {
      const { status, headers, html } = await live.send('hello/add', {
        props: propsOf(await hello()),
        updated: { amount: '5x', name: 'Frau Beispiel' },
      });
      expect(status).toBe(422);
      expect(headers.get('content-type')).toContain(LIVE_MEDIA_TYPE);
      expect(html).toContain('Erwartet wird eine ganze Zahl.');
      expect(propsOf(html).values).toMatchObject({ name: 'Frau Beispiel', amount: 1, sum: 0 });
    });

    it('LVC-01 redirects with 204, Location and X-Live-Redirect', async () => {
      const { status, headers, html } = await live.send('hello/leave', { props: propsOf(await hello()) });
      expect([status, headers.get('location'), headers.get('x-live-redirect'), html]).toEqual([204, '/konto', '1', '']);
    });

    it('LVC-01 accepts GET only for components that allow it, without actions and below 1,500 characters', async () => {
      const get = async (path: string, data: unknown) =>
        read(await kontor.raw(`/api/live-components/${path}?data=${encodeURIComponent(JSON.stringify(data))}`));
      const props = propsOf(await live.first('header-counters'));
      expect((await get('header-counters', { props })).status).toBe(200);
      expect((await get('hello', { props: propsOf(await hello()) })).status).toBe(404);
      expect(await get('header-counters', { props, actions: [{ name: 'x' }] })).toMatchObject({
        status: 422,
        code: 'live_get',
      });
      const long = { props, children: { ['x'.repeat(200)]: { fingerprint: 'y' } }, updated: { z: 'z'.repeat(1500) } };
      expect((await get('header-counters', long)).status).toBe(422);
    });

    it('LVC-01 accepts files next to the data', async () => {
      const { html } = await live.send(
        'hello/show',
        { props: propsOf(await hello()) },
        { files: { picture: png(40) } },
      );
      expect(propsOf(html).values).toMatchObject({ picture: 'bild.png, 40 Bytes' });
    });

    it('LVC-01 sends an unchanged child only as a placeholder, and changed inputs as new props', async () => {
      const begin = await hello();
      const fingerprint = attributeOf(begin, 'data-live-fingerprint', 'hello-greeting');
      const children = { 'hello-greeting': { fingerprint, tag: 'live-component' } };
      const same = await live.send('hello', { props: propsOf(begin), children });
      expect(same.html).toContain('<live-component id="hello-greeting" data-live-preserve=""></live-component>');
      expect(same.html).not.toContain('Guten Tag');
      const other = await live.send('hello', { props: propsOf(begin), children, updated: { name: 'Frau Neu' } });
      expect(other.html).not.toContain('Guten Tag');
      const greeted = await live.send('hello-greeting/greet', { props: propsOf(begin, 'hello-greeting') });
      const fromParent: unknown = JSON.parse(attributeOf(other.html, 'data-live-props-from-parent'));
      const child = await live.send('hello-greeting', { props: propsOf(greeted.html), propsFromParent: fromParent });
      expect(child.html).toMatch(/Guten Tag, Frau Neu! Gegrüßt: <output>1</);
      expect(attributeOf(child.html, 'data-live-fingerprint')).not.toBe(fingerprint);
    });

    it('HDR-07 answers an unknown component name with 404 and a code', async () => {
      for (const name of ['nichts', 'constructor', '__proto__', 'Hello']) {
        const answer = await live.send(name, { props: propsOf(await hello()) });
        expect([name, answer.status, answer.code]).toEqual([name, 404, 'not_found']);
        expect(answer.html).toContain('Diese Live-Komponente gibt es nicht (mehr).');
      }
    });
  });

  describe('deferred loading, address binding and forged props', () => {
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
      for (let at = 0; at < 12; at++)
        expect((await live.send('hello', { props, updated: { sum: 1 } })).status).toBe(422);
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
});
