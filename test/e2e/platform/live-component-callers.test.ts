import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCompany } from '#auth/auth.ts';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { LIVE_MEDIA_TYPE } from '#shared/live/component-protocol.ts';
import { addMember } from '../../stages/add-member.ts';
import { giveToken } from '../../stages/company-token.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { attributeOf, liveClient, png, propsOf, read } from '../../stages/http/live-client.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

const strangerToken = 'token-of-another-company-0123';

describe('callers of live components', () => {
  let kontor: TestKontor;
  let ahead = 0;
  let live: ReturnType<typeof liveClient>;
  beforeAll(async () => {
    kontor = await testKontor({}, { clock: { now: () => new Date(Date.now() + ahead) } });
    live = liveClient(kontor);
    const other = await createCompany(kontor.database, randomIds, systemClock, 'Andere Firma');
    await giveToken(kontor.database, other, strangerToken);
  });
  afterAll(() => kontor.close());
  // Forged props are counted for ten minutes; each test begins without earlier ones.
  beforeEach(() => {
    ahead += 11 * 60_000;
  });

  const hello = () => live.first('hello');
  const tokenOf = (role: 'admin' | 'viewer') => kontor.ask(api.createToken, { body: { name: role, role } });
  /** Sends one path only: several at once would hide which one is refused. */
  const update = async (updated: unknown) => live.send('hello', { props: propsOf(await hello()), updated });

  it('LVC-01 signs props with name, company, user, version and time, and refuses any change', async () => {
    const props = propsOf(await hello());
    const changed = [
      { values: { ...props.values, sum: 1_000_000 } },
      { company: 'other' },
      { user: 'other' },
      { version: 2 },
      { issued: props.issued + 1 },
      { id: 'other' },
      { inputs: 'other' },
      { signature: '' },
      { signature: props.signature.slice(1) },
    ];
    for (const change of changed) {
      const answer = await live.send('hello', { props: { ...props, ...change } });
      expect([change, answer.status, answer.code]).toEqual([change, 403, 'live_props_forged']);
    }
    ahead += 11 * 60_000;
    // The order in which a browser sends the names does not matter.
    const turned = Object.fromEntries(Object.entries(props.values).toReversed());
    expect((await live.send('hello', { props: { ...props, values: turned } })).status).toBe(200);
    const elsewhere = await live.send('hello-greeting', { props });
    expect([elsewhere.status, elsewhere.code]).toEqual([403, 'live_props_forged']);
    const children = await live.send('hello-greeting', {
      props: propsOf(await hello(), 'hello-greeting'),
      propsFromParent: props,
    });
    expect([children.status, children.code]).toEqual([403, 'live_props_forged']);
  });

  it('LVC-01 refuses props older than a day, in German', async () => {
    const props = propsOf(await hello());
    ahead += 25 * 3_600_000;
    const answer = await live.send('hello', { props });
    expect([answer.status, answer.code]).toEqual([410, 'live_props_outdated']);
    expect(answer.html).toContain('Diese Ansicht ist veraltet.');
  });

  it('LVC-01 keeps data out of props and reads it again at each request', async () => {
    const channel = await orderChannel(kontor, 'Laden');
    const before = await live.first('due-orders');
    expect(propsOf(before).values).toEqual({ channel: '', overdue: false, opened: false });
    expect(before).toContain('Nichts mehr.');
    await takeOrders(kontor, channel, [{ orderid: 'D-1', shipInHours: -3, lines: [{ sku: 'A-1' }] }]);
    const after = await live.send('due-orders/toggle', { props: propsOf(before) });
    expect(after.html).toContain('>D-1</a>');
  });

  it('LVC-01 a right that was taken away ends a component at once', async () => {
    const { id, token } = await tokenOf('admin');
    const props = propsOf(await live.first('due-orders', {}, token));
    expect((await live.send('due-orders', { props }, { as: token })).status).toBe(200);
    await kontor.database.system((trx) =>
      trx.updateTable('api_tokens').set({ role: 'viewer' }).where('id', '=', id).execute(),
    );
    const answer = await live.send('due-orders', { props }, { as: token });
    expect([answer.status, answer.code]).toEqual([404, 'not_found']);
  });

  it('LVC-01 props of another company or user are answered with 404 (T12)', async () => {
    const props = propsOf(await hello());
    for (const as of [strangerToken, (await tokenOf('admin')).token]) {
      const answer = await live.send('hello', { props }, { as });
      expect([answer.status, answer.code]).toEqual([404, 'not_found']);
    }
    expect((await live.send('hello', { props }, { as: null, headers: { 'x-kontor': '1' } })).status).toBe(401);
  });

  it('LVC-01 writes only declared paths, each validated by its schema', async () => {
    for (const path of ['sum', 'picture', 'settings', 'settings.other', 'company', 'toString', '']) {
      const answer = await update({ [path]: 5 });
      expect([path, answer.status, answer.code]).toEqual([path, 422, 'live_path']);
    }
    for (const value of ['x'.repeat(41), 5, null, ['x'], { $type: 'Date' }])
      expect([value, (await update({ name: value })).status]).toEqual([value, 422]);
  });

  it('LVC-01 refuses __proto__ and similar keys anywhere, and data nested deeper than ten levels', async () => {
    const props = JSON.stringify(propsOf(await hello()));
    const deep = `${'['.repeat(9)}${']'.repeat(9)}`;
    const hostile = [
      `{"props":${props},"updated":{"__proto__":{"name":"x"}}}`,
      `{"props":${props},"updated":{"name":{"constructor":{"prototype":{"name":"x"}}}}}`,
      `{"props":${props},"__proto__":{}}`,
      `{"props":${props},"updated":{"name":${deep}}}`,
      `{"props":${props},"updated":{"name":"\\u0000"}}`,
    ];
    for (const data of hostile) {
      const answer = await live.send('hello', data);
      expect([data, answer.status, answer.code]).toEqual([data, 400, 'unreadable']);
    }
    expect(({} as Record<string, unknown>)['name']).toBeUndefined();
  });

  it('LVC-01 accepts at most 256 KiB of data, 200 children and one data part', async () => {
    const props = propsOf(await hello());
    const large = await live.send('hello', { props, updated: { name: 'x'.repeat(300_000) } });
    expect([large.status, large.code]).toEqual([413, 'too_large']);
    const children = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`c${at}`, { fingerprint: 'x' }]));
    const many = await live.send('hello', { props, children });
    expect([many.status, many.code]).toEqual([413, 'too_large']);
    const twice = new FormData();
    for (const data of [{ props }, { props }]) twice.append('data', JSON.stringify(data));
    const answer = await kontor.raw('/api/live-components/hello', { method: 'POST', body: twice });
    expect(await read(answer)).toMatchObject({ status: 413, code: 'too_large' });
  });

  it('LVC-01 creates no object from a type named in the payload', async () => {
    const props = propsOf(await hello());
    for (const data of [
      { props, updated: { name: { '@type': 'KontorError', s: 'arr' } } },
      { props, updated: { 'settings.day': ['x', { s: 'form', class: 'Date' }] } },
      { props: { ...props, class: 'Date' } },
      { props, type: 'Date' },
    ])
      expect([data, (await live.send('hello', data)).status]).toEqual([data, 422]);
  });

  it('LVC-01 runs only listed actions, with valid arguments and the required right', async () => {
    const props = propsOf(await hello());
    for (const name of ['nothing', 'constructor', 'load', 'render', '$render']) {
      const answer = await live.send(`hello/${name}`, { props });
      expect([name, answer.status, answer.code]).toEqual([name, 422, 'live_action_unknown']);
    }
    for (const args of [{ times: 11 }, { times: '1e1' }, { times: 1, other: 2 }])
      expect([args, (await live.send('hello/add', { props, args })).status]).toEqual([args, 422]);
    const { token } = await tokenOf('viewer');
    const own = propsOf(await live.first('hello', {}, token));
    expect((await live.send('hello/add', { props: own }, { as: token })).status).toBe(200);
    const refused = await live.send('hello/clear', { props: own }, { as: token });
    expect([refused.status, refused.code]).toEqual([403, 'not_allowed']);
  });

  it('LVC-01 runs at most 50 actions at once, and none if one is unknown', async () => {
    const props = propsOf(await hello());
    const batch = (count: number) => ({ props, actions: Array.from({ length: count }, () => ({ name: 'add' })) });
    expect(propsOf((await live.send('hello/_batch', batch(50))).html).values).toMatchObject({ sum: 50 });
    const tooMany = await live.send('hello/_batch', batch(51));
    expect([tooMany.status, tooMany.code]).toEqual([422, 'live_batch']);
    const unknown = await live.send('hello/_batch', { props, actions: [{ name: 'add' }, { name: 'nothing' }] });
    expect([unknown.status, unknown.code]).toEqual([422, 'live_action_unknown']);
  });

  it('LVC-01 refuses requests from another site, whatever their Accept header (T14)', async () => {
    const { sessionCookie, props } = await signedIn();
    const from = (headers: Record<string, string>) =>
      live.send(
        'hello',
        { props },
        { as: null, headers: { cookie: sessionCookie, accept: LIVE_MEDIA_TYPE, ...headers } },
      );
    expect((await from({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    const others: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://boese.example' },
      { 'x-requested-with': 'XMLHttpRequest' },
    ];
    for (const headers of others) {
      const answer = await from(headers);
      expect([headers, answer.status, answer.code]).toEqual([headers, 403, 'foreign_origin']);
    }
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const headers = { 'content-type': type };
      const body = type.includes('json') ? JSON.stringify({ data: '{}' }) : 'data=x';
      expect([
        type,
        (await kontor.raw('/api/live-components/hello', { method: 'POST', headers, body })).status,
      ]).toEqual([type, 415]);
    }
  });

  it('LVC-01 never returns names, tags and ids of children as HTML', async () => {
    const evil = '"><script>alert(1)</script>';
    const { status, html } = await live.send('hello', {
      props: propsOf(await hello()),
      children: {
        [evil]: { fingerprint: evil.slice(0, 60), tag: 'script' },
        'hello-greeting': { fingerprint: evil, tag: evil.slice(0, 20) },
      },
    });
    expect(status).toBe(200);
    expect(html).not.toContain('script');
    expect(html).not.toContain('alert');
  });

  it('LVC-01 accepts only existing dates and whole numbers, each in one notation', async () => {
    for (const amount of ['1e2', '0x10', ' 5', '5 ', '5.0', '٣', '', '0', '1001', 1.5, 1e300, true, ['5']])
      expect([amount, (await update({ amount })).status]).toEqual([amount, 422]);
    for (const day of [
      '2026-02-29',
      '2026-2-1',
      '28.02.2026',
      '2026-02-28T00:00',
      'tomorrow',
      '+012026-01-01',
      20260101,
    ])
      expect([day, (await update({ 'settings.day': day })).status]).toEqual([day, 422]);
    expect((await update({ amount: '1000', 'settings.day': '2028-02-29' })).status).toBe(200);
  });

  it('LVC-01 detects a file type by content and names the file itself', async () => {
    const props = propsOf(await hello());
    const send = (files: Record<string, File>, path = 'hello/show') => live.send(path, { props }, { files });
    expect((await send({ picture: png() })).html).toContain('bild.png');
    const script = new File(['<svg onload=alert(1)>'], 'bild.png', { type: 'image/png' });
    expect(await send({ picture: script })).toMatchObject({ status: 422, code: 'live_file_type' });
    expect(await send({ other: png() })).toMatchObject({ status: 422, code: 'live_part' });
    expect(await send({ picture: png(300_000) })).toMatchObject({ status: 413, code: 'too_large' });
    expect(
      (
        await live.send(
          'hello-greeting',
          { props: propsOf(await hello(), 'hello-greeting') },
          { files: { picture: png() } },
        )
      ).status,
    ).toBe(422);
  });

  it("LVC-01 escapes values bound from the page's address like any other input", async () => {
    const evil = `"><img src=x onerror='alert(1)'>`;
    const html = await live.first('hello', { name: evil });
    expect(html).not.toContain('<img');
    expect(attributeOf(html, 'value')).toBe(evil);
    expect(propsOf(await live.first('hello', { name: 'x'.repeat(100), sum: '5' })).values).toMatchObject({
      name: '',
      sum: 0,
    });
  });

  it('LVC-01 reports errors in German, with a request id and no internals', async () => {
    const { status, html } = await live.send('hello/fail', { props: propsOf(await hello()) });
    expect(status).toBe(409);
    expect(html).toContain('Diese Aktion misslingt immer');
    expect(html).toMatch(/"requestId":"[0-9a-f-]{36}"/);
    const broken = await live.send('hello', '{"props":');
    expect([broken.status, broken.code]).toEqual([400, 'unreadable']);
  });

  async function signedIn() {
    const password = 'sehr-langes-rotes-geheimwort';
    const email = 'live@beispiel.de';
    await addMember(kontor, { name: 'L', email, password, role: 'editor' });
    const answer = await fetch(`${kontor.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-kontor': '1' },
      body: JSON.stringify({ email, password }),
    });
    const sessionCookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const first = await fetch(`${kontor.url}/api/live-components/hello/first`, { headers: { cookie: sessionCookie } });
    const { html } = api.liveComponentFirst.response.parse(await first.json());
    return { sessionCookie, props: propsOf(html) };
  }
});
